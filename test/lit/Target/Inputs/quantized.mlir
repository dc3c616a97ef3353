// A group's row and its members' rows are decoded and summed; and what the front end makes of an update in place, which decodes and encodes.
#use = #sdm.layout<"Use", key = "slot", unique = ["item"], planes = [16], fields = [
  <"slot" : i32 in 0 at 0>, <"item" : i32 in 0 at 4>, <"weight" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 12 bits 31 to 31>, <"$last" : i1 in 0 at 12 bits 30 to 30>, <"$invalid" : i1 in 0 at 12 bits 29 to 29>]>

func.func @fold(%uses: !sdm.sorted<#use>, %table: !sdm.rows<?x128xf8E4M3FN>, %scale: !sdm.cells<?xf32>,
                %x: !sdm.rows<?x128xf8E4M3FN>, %x_scale: !sdm.cells<?xf32>, %out: !sdm.rows<?x128xbf16>) attributes {sdm.kernel} {
  sdm.walk %group in %uses : !sdm.sorted<#use> {
    %slot = sdm.key %group : i32
    %stored = sdm.load_row %table[%slot] : !sdm.rows<?x128xf8E4M3FN> [i32] -> vector<1x128xf8E4M3FN>
    %numbers = arith.extf %stored : vector<1x128xf8E4M3FN> to vector<1x128xf32>
    %s = sdm.load_cell %scale[%slot] : !sdm.cells<?xf32> [i32] -> f32
    %scales = vector.broadcast %s : f32 to vector<1x128xf32>
    %m = arith.mulf %numbers, %scales : vector<1x128xf32>
    %sum = sdm.members %use in %group iter_args(%acc = %m) : (vector<1x128xf32>) {
      %item = sdm.field %use "item" : i32
      %weight = sdm.field %use "weight" : f32
      %row = sdm.load_row %x[%item] : !sdm.rows<?x128xf8E4M3FN> [i32] -> vector<1x128xf8E4M3FN>
      %wide = arith.extf %row : vector<1x128xf8E4M3FN> to vector<1x128xf32>
      %t = sdm.load_cell %x_scale[%item] : !sdm.cells<?xf32> [i32] -> f32
      %b = arith.truncf %t : f32 to bf16
      %e = arith.extf %b : bf16 to f32
      %es = vector.broadcast %e : f32 to vector<1x128xf32>
      %product = arith.mulf %wide, %es : vector<1x128xf32>
      %rounded = arith.truncf %product : vector<1x128xf32> to vector<1x128xbf16>
      %v = arith.extf %rounded : vector<1x128xbf16> to vector<1x128xf32>
      %weights = vector.broadcast %weight : f32 to vector<1x128xf32>
      %next = math.fma %weights, %v, %acc : vector<1x128xf32>
      sdm.yield %next : vector<1x128xf32>
    }
    sdm.store_row %sum, %out[%slot] : vector<1x128xf32>, !sdm.rows<?x128xbf16> [i32]
  }
  return
}

func.func @update(%uses: !sdm.sorted<#use>, %table: !sdm.rows<?x128xf8E4M3FN>, %scale: !sdm.cells<?xf32>,
                  %x: !sdm.rows<?x128xf8E4M3FN>, %x_scale: !sdm.cells<?xf32>,
                  %dots: !sdm.cells<?x?xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %uses : !sdm.sorted<#use> {
    %slot = sdm.key %group : i32
    %stored = sdm.load_row %table[%slot] : <?x128xf8E4M3FN>[i32] -> vector<1x128xf8E4M3FN>
    %numbers = arith.extf %stored : vector<1x128xf8E4M3FN> to vector<1x128xf32>
    %s = sdm.load_cell %scale[%slot] : <?xf32>[i32] -> f32
    %b = arith.truncf %s : f32 to bf16
    %e = arith.extf %b : bf16 to f32
    %scales = vector.broadcast %e : f32 to vector<1x128xf32>
    %product = arith.mulf %numbers, %scales : vector<1x128xf32>
    %rounded = arith.truncf %product : vector<1x128xf32> to vector<1x128xbf16>
    %m = arith.extf %rounded : vector<1x128xbf16> to vector<1x128xf32>
    %zero = arith.constant dense<0.000000e+00> : vector<1x128xf32>
    %sum = sdm.members %use in %group iter_args(%acc = %zero) : (vector<1x128xf32>) {
      %item = sdm.field %use "item" : i32
      %row = sdm.load_row %x[%item] : <?x128xf8E4M3FN>[i32] -> vector<1x128xf8E4M3FN>
      %wide = arith.extf %row : vector<1x128xf8E4M3FN> to vector<1x128xf32>
      %t = sdm.load_cell %x_scale[%item] : <?xf32>[i32] -> f32
      %ts = vector.broadcast %t : f32 to vector<1x128xf32>
      %v = arith.mulf %wide, %ts : vector<1x128xf32>
      %weight = sdm.field %use "weight" : f32
      %weights = vector.broadcast %weight : f32 to vector<1x128xf32>
      %next = math.fma %weights, %v, %acc : vector<1x128xf32>
      %dot = sdm.dot %v, %m {width = 128 : i64} : vector<1x128xf32>
      %chunk = sdm.property %group  chunk : !sdm.group -> i32
      sdm.store_cell %dot, %dots[%chunk, %item] : f32, <?x?xf32>[i32, i32]
      sdm.yield %next : vector<1x128xf32>
    }
    %again = sdm.load_row %table[%slot] : <?x128xf8E4M3FN>[i32] -> vector<1x128xf8E4M3FN>
    %again_wide = arith.extf %again : vector<1x128xf8E4M3FN> to vector<1x128xf32>
    %again_s = sdm.load_cell %scale[%slot] : <?xf32>[i32] -> f32
    %again_b = arith.truncf %again_s : f32 to bf16
    %again_e = arith.extf %again_b : bf16 to f32
    %again_scales = vector.broadcast %again_e : f32 to vector<1x128xf32>
    %again_product = arith.mulf %again_wide, %again_scales : vector<1x128xf32>
    %again_rounded = arith.truncf %again_product : vector<1x128xf32> to vector<1x128xbf16>
    %before = arith.extf %again_rounded : vector<1x128xbf16> to vector<1x128xf32>
    %after = arith.addf %before, %sum : vector<1x128xf32>
    %amax = sdm.reduce amax %after {width = 128 : i64} : vector<1x128xf32>
    %inverse = arith.constant 0x3B124925 : f32
    %ratio = arith.mulf %amax, %inverse : f32
    %least = arith.constant 1.0e-12 : f32
    %most = arith.maximumf %ratio, %least : f32
    %new_b = arith.truncf %most : f32 to bf16
    %new = arith.extf %new_b : bf16 to f32
    %news = vector.broadcast %new : f32 to vector<1x128xf32>
    %q = arith.divf %after, %news : vector<1x128xf32>
    %q_b = arith.truncf %q : vector<1x128xf32> to vector<1x128xbf16>
    %stored_q = arith.extf %q_b : vector<1x128xbf16> to vector<1x128xf32>
    sdm.store_cell %new, %scale[%slot] : f32, <?xf32>[i32]
    sdm.store_row %stored_q, %table[%slot] : vector<1x128xf32>, <?x128xf8E4M3FN>[i32]
  }
  return
}
