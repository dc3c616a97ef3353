//===- Passes.td - passes from sdm to sdm ---------------------------------===//
#ifndef SDM_TRANSFORMS_PASSES_TD
#define SDM_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckKernel : Pass<"sdm-check-kernel", "::mlir::ModuleOp"> {
  let summary = "the gate: one writer for every place, one width, no fast-math";
  let description = [{
    Refuses kernels whose stores could race or whose bits could depend on a schedule. Every later pass trusts it. It changes
    nothing but that promise.

    Writers: a group stores at its key, or at its ordinal; a member at its position, at its position in the unsorted list,
    or at all the fields that its record declares unique; a walk over rows at the row. What a walk writes it reads only at
    the place where it writes it. Places that are counted within a chunk need the chunk as an index of their own, or the
    launch has one chunk: the function then carries `sdm.one_chunk`, which the launcher checks.

    ```mlir
    // before
    func.func @sizes(%reads: !sdm.sorted<#read>, %out: !sdm.cells<?xi32>) attributes {sdm.kernel} {
      sdm.each_record %read in %reads : !sdm.sorted<#read> {
        %pos = sdm.property %read pos : !sdm.member -> i32
        sdm.store_cell %pos, %out[%pos] : i32, !sdm.cells<?xi32> [i32]
      }
      return
    }
    // after
    func.func @sizes(%reads: !sdm.sorted<#read>, %out: !sdm.cells<?xi32>) attributes {sdm.kernel, sdm.one_chunk} {
      ...
    ```
  }];
}

def PlanRows : Pass<"sdm-plan-rows", "::mlir::ModuleOp"> {
  let summary = "one schedule for each walk, a placement for each row that is loaded";
  let description = [{
    Decides by the rule of `lib/Transforms/Schedule.h`, which the launcher calls too.

    ```mlir
    // before
    func.func @copy(%reads: !sdm.sorted<#read>, %tokens: !sdm.rows<?x?x256xf32>, %out: !sdm.rows<?x256xf32>) attributes {sdm.kernel} {
      sdm.walk %group in %reads : !sdm.sorted<#read> {
        %chunk = sdm.property %group chunk : !sdm.group -> i32
        %slot = sdm.key %group : i32
        %x = sdm.load_row %tokens[%chunk, %slot] : !sdm.rows<?x?x256xf32> [i32, i32] -> vector<2x128xf32>
        sdm.store_row %x, %out[%slot] : vector<2x128xf32>, !sdm.rows<?x256xf32> [i32]
      }
      return
    }
    // after, with {chip=sm_90 extents=1:1:64 schedule=nest,1=resident}
    func.func @copy(%reads: !sdm.sorted<#read>, %tokens: !sdm.rows<?x?x256xf32>, %out: !sdm.rows<?x256xf32>) attributes {sdm.kernel} {
      sdm.walk %group in %reads schedule <nest, split, warps = 8> attributes {reasons = ["split: every reduction is only stored", ...]} : !sdm.sorted<#read> {
        ...
        %x = sdm.load_row %tokens[%chunk, %slot] placed resident : <?x?x256xf32>[i32, i32] -> vector<2x128xf32>
        ...
    ```

    `schedule` overrides parts of the rule: `warps=4`, `whole`, `2=direct` (the rows of operand 2). `extents` gives what is
    known of the operands' index axes, `operand:axis:extent`; an unknown slab is not kept resident.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"host\"", "sm_80 to sm_120, or host">,
    ListOption<"schedule", "schedule", "std::string", "parts of a schedule that override the rule">,
    ListOption<"extents", "extents", "std::string", "operand:axis:extent">,
    Option<"positions", "positions", "int64_t", "0", "positions or rows of all chunks of a launch; 0: not known">];
}

def SplitSlices : Pass<"sdm-split-slices", "::mlir::ModuleOp"> {
  let summary = "one slice of a row for each unit of work, partial reductions in planes";
  let description = [{
    A walk that is planned `split` runs once for each slice. A reduction's value goes to a plane of its slice, at its
    record's position; a second walk adds the planes in slice order and writes the cells that the records name.

    ```mlir
    // before
    func.func @dots(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x256xf32>, %out: !sdm.cells<?xf32>) attributes {sdm.kernel} {
      sdm.walk %group in %reads schedule <nest, split, warps = 8> : !sdm.sorted<#read> {
        %slot = sdm.key %group : i32
        %row = sdm.load_row %x[%slot] : !sdm.rows<?x256xf32> [i32] -> vector<2x128xf32>
        %dot = sdm.dot %row, %row {width = 256 : i64} : vector<2x128xf32>
        sdm.store_cell %dot, %out[%slot] : f32, !sdm.cells<?xf32> [i32]
      }
      return
    }
    // after
    func.func @dots(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x256xf32>, %out: !sdm.cells<?xf32>, %planes: !sdm.cells<?x?x?xf32> {sdm.scratch = 2 : i64}) attributes {sdm.kernel} {
      sdm.walk %group, %slice in %reads slices 2 schedule <nest, split, warps = 8> : !sdm.sorted<#read> {
        %chunk = sdm.property %group chunk : !sdm.group -> i32
        %pos = sdm.property %group pos : !sdm.group -> i32
        %slot = sdm.key %group : i32
        %row = sdm.load_row %x[%slot] slice %slice : <?x256xf32>[i32] -> vector<1x128xf32>
        %dot = sdm.dot %row, %row slice %slice {width = 256 : i64} : vector<1x128xf32>
        sdm.store_cell %dot, %planes[%slice, %chunk, %pos] : f32, <?x?x?xf32>[i32, i32, i32]
      }
      sdm.walk %again in %reads schedule <nest, whole, warps = 8> : !sdm.sorted<#read> {
        %chunk = sdm.property %again chunk : !sdm.group -> i32
        %pos = sdm.property %again pos : !sdm.group -> i32
        %zero = arith.constant 0 : i32
        %first = sdm.load_cell %planes[%zero, %chunk, %pos] : <?x?x?xf32>[i32, i32, i32] -> f32
        %one = arith.constant 1 : i32
        %second = sdm.load_cell %planes[%one, %chunk, %pos] : <?x?x?xf32>[i32, i32, i32] -> f32
        %sum = arith.addf %first, %second : f32
        %slot = sdm.key %again : i32
        sdm.store_cell %sum, %out[%slot] : f32, <?xf32>[i32]
      }
      return
    }
    ```

    A cell that holds no reduction is the same in every slice: the first one stores it.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def OutlineWalks : Pass<"sdm-outline-walks", "::mlir::ModuleOp"> {
  let summary = "each walk of a kernel becomes a function, launched one after the other";
  let description = [{
    The functions keep every operand of the kernel, so that one packed argument list serves all of them.

    ```mlir
    // before
    func.func @k(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>, %a: f32) attributes {sdm.kernel} {
      sdm.walk %group in %reads schedule <nest, split, warps = 8> : !sdm.sorted<#read> {
      }
      sdm.each_row %row in %x schedule <nest, split, warps = 4> : !sdm.rows<?x128xf32> {
      }
      return
    }
    // after
    func.func @k_0(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>, %a: f32) attributes {sdm.launch = #sdm.launch<groups, operand = 0, slices = 1, warps = 8>} {
      sdm.walk %group in %reads schedule <nest, split, warps = 8> : !sdm.sorted<#read> {
      }
      return
    }
    func.func @k_1(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>, %a: f32) attributes {sdm.launch = #sdm.launch<rows, operand = 1, slices = 1, warps = 4>} {
      sdm.each_row %row in %x schedule <nest, split, warps = 4> : !sdm.rows<?x128xf32> {
      }
      return
    }
    ```
  }];
}

def TileWalk : Pass<"sdm-tile-walk", "::mlir::ModuleOp"> {
  let summary = "a walk becomes the loops of one warp over its tile";
  let description = [{
    `nest`: a loop over the groups that start in the tile, in it a loop over the group's members. Invalid records take a
    path of their own, in which loads are zeros and only per-record stores remain, so that the other path tests nothing.

    ```mlir
    // before
    func.func @k(%reads: !sdm.sorted<#read>, %out: !sdm.cells<?xi32>) {
      sdm.walk %group in %reads schedule <nest, whole, warps = 8> : !sdm.sorted<#read> {
        %zero = arith.constant 0 : i32
        %sum = sdm.members %read in %group iter_args(%a = %zero) : (i32) {
          %token = sdm.field %read "token" : i32
          %b = arith.addi %a, %token : i32
          sdm.yield %b : i32
        }
        %slot = sdm.key %group : i32
        sdm.store_cell %sum, %out[%slot] : i32, !sdm.cells<?xi32> [i32]
      }
      return
    }
    // after
    func.func @k(%reads: !sdm.sorted<#read>, %out: !sdm.cells<?xi32>) {
      %chunk, %slice, %begin, %end = sdm.tile %reads : !sdm.sorted<#read>
      ...
      %start = scf.while (%at = %begin) : (i32) -> i32 {
        ...
          %first = sdm.fetch %reads[%chunk, %at] "$first" : <#read> -> i1
      ...
      %done = scf.while (%at = %start) : (i32) -> i32 {
        %inside = arith.cmpi slt, %at, %end : i32
        scf.condition(%inside) %at : i32
      } do {
      ^bb0(%group: i32):
        %invalid = sdm.fetch %reads[%chunk, %group] "$invalid" : <#read> -> i1
        %next = scf.if %invalid -> (i32) {
          ...
        } else {
          %zero = arith.constant 0 : i32
          %sum:2 = scf.while (%read = %group, %a = %zero) : (i32, i32) -> (i32, i32) {
            %token = sdm.fetch %reads[%chunk, %read] "token" : <#read> -> i32
            %b = arith.addi %a, %token : i32
            %last = sdm.fetch %reads[%chunk, %read] "$last" : <#read> -> i1
            ...
            scf.condition(%more) %after, %b : i32, i32
          ...
          %slot = sdm.fetch %reads[%chunk, %group] "slot" : <#read> -> i32
          sdm.store_cell %sum#1, %out[%slot] : i32, <?xi32>[i32]
          scf.yield %sum#0 : i32
        ...
    ```

    A walk over records that holds no rows gives every lane a record of its own where `lanes` is 32.
  }];
  let options = [Option<"lanes", "lanes", "int64_t", "1", "lanes of a warp: 32, or 1 on the host">];
}

def PipelineRows : Pass<"sdm-pipeline-rows", "::mlir::ModuleOp"> {
  let summary = "placements become stage, publish and take";
  let description = [{
    Resident rows are staged once for the CTA, before its first group. Every warp reaches the staging, with an empty tile
    too.

    ```mlir
    // before
    func.func @k(%x: !sdm.rows<?x?x128xf32>, %c: i32, %out: !sdm.rows<?x128xf32>) attributes {sdm.launch = #sdm.launch<rows, operand = 2, slices = 1, warps = 8>} {
      %chunk, %slice, %begin, %end = sdm.tile %out : !sdm.rows<?x128xf32>
      %row = sdm.load_row %x[%c, %begin] placed resident : !sdm.rows<?x?x128xf32> [i32, i32] -> vector<1x128xf32>
      sdm.store_row %row, %out[%begin] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
      return
    }
    // after
    func.func @k(%x: !sdm.rows<?x?x128xf32>, %c: i32, %out: !sdm.rows<?x128xf32>) attributes {...} {
      %chunk, %slice, %begin, %end = sdm.tile %out : !sdm.rows<?x128xf32>
      sdm.dependency_wait
      %slab = sdm.stage %x[%c] : <?x?x128xf32>[i32] -> <1x128xf32>
      sdm.publish %slab : !sdm.slab<1x128xf32>
      %row = sdm.take %slab[%begin] : <1x128xf32>[i32] -> vector<1x128xf32>
      sdm.store_row %row, %out[%begin] : vector<1x128xf32>, <?x128xf32>[i32]
      return
    }
    ```

    What `early` names is read before the previous kernel's writes are waited for.
  }];
  let options = [ListOption<"early", "early", "int64_t", "operands that the previous kernel does not write">];
}

def DistributeLanes : Pass<"sdm-distribute-lanes", "::mlir::ModuleOp"> {
  let summary = "a row becomes the columns that one lane holds";
  let description = [{
    Lane l holds columns 4l to 4l+3 of each slice. Scalars are the same in every lane; lane 0 stores them.

    ```mlir
    // before
    func.func @k(%x: !sdm.rows<?x128xf32>, %i: i32) -> f32 {
      %row = sdm.load_row %x[%i] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
      %twice = arith.addf %row, %row : vector<1x128xf32>
      %dot = sdm.dot %twice, %row {width = 128 : i64} : vector<1x128xf32>
      return %dot : f32
    }
    // after
    func.func @k(%x: !sdm.rows<?x128xf32>, %i: i32) -> f32 {
      %piece = sdm.load_piece %x[%i] : <?x128xf32>[i32] -> vector<1x4xf32>
      %twice = arith.addf %piece, %piece : vector<1x4xf32>
      %partial = sdm.partial dot %twice, %piece {slice_width = 128 : i64, width = 128 : i64} : vector<1x4xf32>, vector<1x4xf32> -> f32
      %dot = sdm.butterfly sum %partial
      return %dot : f32
    }
    ```
  }];
}

def LowerButterfly : Pass<"sdm-lower-butterfly", "::mlir::ModuleOp"> {
  let summary = "butterflies become exchanges between lanes";
  let description = [{
    A batch of one: after step d lane l holds the combination of the lanes that differ from l in the bits of the steps done.
    A batch of N: while a lane holds more than one partial, a step at distance d keeps the half that this lane's bit d
    selects and sends the other half; lane l ends with partial `l / (32 / N)`.

    ```mlir
    // before
    func.func @k(%p: f32) -> f32 {
      %sum = sdm.butterfly sum %p
      return %sum : f32
    }
    // after
    func.func @k(%p: f32) -> f32 {
      %p16 = sdm.exchange %p, 16
      %a = arith.addf %p, %p16 : f32
      %a8 = sdm.exchange %a, 8
      %b = arith.addf %a, %a8 : f32
      %b4 = sdm.exchange %b, 4
      %c = arith.addf %b, %b4 : f32
      %c2 = sdm.exchange %c, 2
      %d = arith.addf %c, %c2 : f32
      %d1 = sdm.exchange %d, 1
      %sum = arith.addf %d, %d1 : f32
      return %sum : f32
    }
    ```
  }];
}

def LowerCopies : Pass<"sdm-lower-copies", "::mlir::ModuleOp"> {
  let summary = "staging becomes copies and barriers, by what the chip has";
  let description = [{
    With bulk copies: one barrier in shared memory, the lanes of the CTA start one copy a row, every lane waits on the
    barrier's phase. Without: every lane copies its share of the pieces and the CTA meets. Rows whose
    pieces are below 4 bytes are never planned resident.

    ```mlir
    // before
    func.func @k(%x: !sdm.rows<?x128xf32>) attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
      %slab = sdm.stage %x[] : !sdm.rows<?x128xf32> -> !sdm.slab<1x128xf32>
      sdm.publish %slab : !sdm.slab<1x128xf32>
      return
    }
    // after, with {chip=sm_80}
    func.func @k(%x: !sdm.rows<?x128xf32>) attributes {sdm.launch = ..., sdm.shared_base = 128 : i64} {
      ...
      scf.for %piece = %thread to %pieces step %threads : i32 {
        ...
          sdm.copy_async %x[%row] at %byte to %address {bytes = 16 : i64} : <?x128xf32>[i32]
        }
      }
      sdm.commit
      sdm.wait_group 0
      sdm.cta_barrier
      return
    }
    ```

    ```mlir
    // before
    func.func @k(%x: !sdm.rows<?x128xf32>) attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
      %slab = sdm.stage %x[] : !sdm.rows<?x128xf32> -> !sdm.slab<1x128xf32>
      sdm.publish %slab : !sdm.slab<1x128xf32>
      return
    }
    // after, with {chip=sm_90}
    func.func @k(%x: !sdm.rows<?x128xf32>) attributes {sdm.launch = ..., sdm.shared_base = 128 : i64} {
      ...
      scf.if %first {
        sdm.barrier_init %barrier
      }
      sdm.cta_barrier
      scf.if %first {
        sdm.expect_tx %barrier, %total
      }
      ...
      scf.for %row = %thread to %rows step %threads : i32 {
        ...
        sdm.copy_bulk %x[%row] at %start to %address bytes %bytes reports %barrier : <?x128xf32>[i32]
      }
      ...
      sdm.wait_parity %barrier, %parity
      return
    }
    ```
  }];
  let options = [Option<"chip", "chip", "std::string", "\"sm_80\"", "sm_80 to sm_120">];
}

#endif // SDM_TRANSFORMS_PASSES_TD
