// Butterflies become exchanges at distances 16, 8, 4, 2, 1, in this order.
// RUN: sdm-opt %s --sdm-lower-butterfly | FileCheck %s

// A batch of one: after every step each lane holds the same tree.
// CHECK-LABEL: func.func @one(
// CHECK-SAME: %[[P:.*]]: f32
// CHECK-NEXT: %[[O16:.*]] = sdm.exchange %[[P]], 16
// CHECK-NEXT: %[[A:.*]] = arith.addf %[[P]], %[[O16]] : f32
// CHECK-NEXT: %[[O8:.*]] = sdm.exchange %[[A]], 8
// CHECK-NEXT: %[[B:.*]] = arith.addf %[[A]], %[[O8]] : f32
// CHECK-NEXT: %[[O4:.*]] = sdm.exchange %[[B]], 4
// CHECK-NEXT: %[[C:.*]] = arith.addf %[[B]], %[[O4]] : f32
// CHECK-NEXT: %[[O2:.*]] = sdm.exchange %[[C]], 2
// CHECK-NEXT: %[[D:.*]] = arith.addf %[[C]], %[[O2]] : f32
// CHECK-NEXT: %[[O1:.*]] = sdm.exchange %[[D]], 1
// CHECK-NEXT: %[[E:.*]] = arith.addf %[[D]], %[[O1]] : f32
// CHECK-NEXT: return %[[E]]
func.func @one(%p: f32) -> f32 {
  %r = sdm.butterfly sum %p
  return %r : f32
}

// CHECK-LABEL: func.func @kinds(
// CHECK-COUNT-5: arith.maximumf
// CHECK-COUNT-5: arith.minimumf
// CHECK-COUNT-5: arith.maximumf
// CHECK: return
func.func @kinds(%p: f32) -> (f32, f32, f32) {
  %a = sdm.butterfly max %p
  %b = sdm.butterfly min %p
  %c = sdm.butterfly amax %p
  return %a, %b, %c : f32, f32, f32
}

// A batch of two: the first step keeps the half that the lane's bit 16 names and sends the other.
// CHECK-LABEL: func.func @two(
// CHECK-SAME: %[[P:.*]]: f32, %[[Q:.*]]: f32
// CHECK: %[[LANE:.*]] = sdm.lane
// CHECK: %[[BIT:.*]] = arith.constant 16 : i32
// CHECK: %[[MASKED:.*]] = arith.andi %[[LANE]], %[[BIT]]
// CHECK: %[[UP:.*]] = arith.cmpi ne, %[[MASKED]]
// CHECK: %[[KEPT:.*]] = arith.select %[[UP]], %[[Q]], %[[P]]
// CHECK: %[[SENT:.*]] = arith.select %[[UP]], %[[P]], %[[Q]]
// CHECK: %[[GOT:.*]] = sdm.exchange %[[SENT]], 16
// CHECK: %[[A:.*]] = arith.addf %[[KEPT]], %[[GOT]]
// CHECK: sdm.exchange %[[A]], 8
// CHECK-COUNT-4: arith.addf
// CHECK-NOT: arith.addf
func.func @two(%p: f32, %q: f32) -> f32 {
  %r = sdm.butterfly sum %p, %q
  return %r : f32
}

// A batch of 32 exchanges 16, 8, 4, 2 and 1 values: 31 in all.
// CHECK-LABEL: func.func @full(
// CHECK-COUNT-16: sdm.exchange %{{.*}}, 16
// CHECK-COUNT-8: sdm.exchange %{{.*}}, 8
// CHECK-COUNT-4: sdm.exchange %{{.*}}, 4
// CHECK-COUNT-2: sdm.exchange %{{.*}}, 2
// CHECK-COUNT-1: sdm.exchange %{{.*}}, 1{{$}}
// CHECK-NOT: sdm.exchange
// CHECK: return
func.func @full(%p: f32) -> f32 {
  %r = sdm.butterfly sum %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p
  return %r : f32
}
