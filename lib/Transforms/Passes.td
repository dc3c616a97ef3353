//===- Passes.td - passes from sdm to sdm ---------------------------------===//
#ifndef SDM_TRANSFORMS_PASSES_TD
#define SDM_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckKernel : Pass<"sdm-check-kernel", "::mlir::ModuleOp"> {
  let summary = "the gate: one writer for every place, one width, no fast-math";
  let description = [{
    Refuses kernels whose stores could race or whose bits could depend on a schedule. Every later pass trusts it. It changes
    nothing.

    Writers: a group stores at its key, or at its ordinal; a member at its position, at its position in the unsorted list,
    or at all the fields that its record declares unique; a walk over rows at the row. What a walk writes it reads only at
    the place where it writes it. Places that are counted within a chunk need the chunk as an index of their own, or the
    launch has one chunk: the function then carries `sdm.one_chunk`, which the launcher checks.
  }];
}

def PlanRows : Pass<"sdm-plan-rows", "::mlir::ModuleOp"> {
  let summary = "one schedule for each walk, a placement for each row that is loaded";
  let description = [{
    Decides by the rule of `lib/Transforms/Schedule.h`, which the launcher calls too.

    ```mlir
    sdm.walk %group in %reads : !sdm.sorted<#read> { ... sdm.load_row %tokens[%chunk, %token] ... }
    // becomes
    sdm.walk %group in %reads schedule <nest, whole, warps = 8> : !sdm.sorted<#read> {
      ... sdm.load_row %tokens[%chunk, %token] placed resident ...
    }
    ```

    `schedule` overrides parts of the rule: `warps=4`, `whole`, `2=direct` (the rows of operand 2). `extents` gives what is
    known of the operands' index axes, `operand:axis:extent`; an unknown slab is not kept resident.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"host\"", "sm_80 to sm_120, or host">,
    ListOption<"schedule", "schedule", "std::string", "parts of a schedule that override the rule">,
    ListOption<"extents", "extents", "std::string", "operand:axis:extent">];
}

def SplitSlices : Pass<"sdm-split-slices", "::mlir::ModuleOp"> {
  let summary = "one slice of a row for each unit of work, partial reductions in planes";
  let description = [{
    A walk that is planned `split` runs once for each slice. A reduction's value goes to a plane of its slice, at its
    record's position; a second walk adds the planes in slice order and writes the cells that the records name.

    ```mlir
    sdm.walk %group in %reads schedule <nest, split, warps = 8> : !sdm.sorted<#read> {
      ... %d = sdm.dot %x, %m {width = 256 : i64} : vector<2x128xf32>
      sdm.store_cell %d, %out[%pos] ...
    }
    // becomes
    sdm.walk %group, %slice in %reads slices 2 schedule <nest, split, warps = 8> : !sdm.sorted<#read> {
      ... %d = sdm.dot %x, %m slice %slice {width = 256 : i64} : vector<1x128xf32>
      sdm.store_cell %d, %planes[%slice, %chunk, %pos] ...
    }
    sdm.each_record %record in %reads : !sdm.sorted<#read> { ... sdm.store_cell %sum, %out[%pos] ... }
    ```
  }];
}

def OutlineWalks : Pass<"sdm-outline-walks", "::mlir::ModuleOp"> {
  let summary = "each walk of a kernel becomes a function, launched one after the other";
  let description = [{
    The functions keep every operand of the kernel, so that one packed argument list serves all of them.

    ```mlir
    func.func @k(%a: ...) attributes {sdm.kernel} { sdm.walk ... sdm.each_record ... }
    // becomes
    func.func @k_0(%a: ...) attributes {sdm.launch = #sdm.launch<groups, ...>} { sdm.walk ... }
    func.func @k_1(%a: ...) attributes {sdm.launch = #sdm.launch<records, ...>} { sdm.each_record ... }
    ```
  }];
}

def TileWalk : Pass<"sdm-tile-walk", "::mlir::ModuleOp"> {
  let summary = "a walk becomes the loops of one warp over its tile";
  let description = [{
    `nest`: a loop over the groups that start in the tile, in it a loop over the group's members. Invalid records take a
    path of their own, in which loads are zeros and only per-record stores remain, so that the other path tests nothing.

    ```mlir
    sdm.walk %group in %reads schedule <nest, whole, warps = 8> : !sdm.sorted<#read> { ... }
    // becomes
    %chunk, %slice, %begin, %end = sdm.tile %reads : !sdm.sorted<#read>
    scf.while ... { %valid = sdm.fetch %reads[%chunk, %pos] "$invalid" ... }
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
    %x = sdm.load_row %tokens[%chunk, %token] placed resident : ...
    // becomes
    %slab = sdm.stage %tokens[%chunk] : ...
    sdm.publish %slab : ...
    %x = sdm.take %slab[%token] : ...
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
    %x = sdm.load_row %a[%i] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    %d = sdm.dot %x, %m {width = 128 : i64} : vector<1x128xf32>
    // becomes
    %x = sdm.load_piece %a[%i] : !sdm.rows<?x128xf32> [i32] -> vector<1x4xf32>
    %p = sdm.partial dot %x, %m {width = 128 : i64, slice_width = 128 : i64} : vector<1x4xf32>, vector<1x4xf32> -> f32
    %d = sdm.butterfly sum %p
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
    %r = sdm.butterfly sum %p
    // becomes, for each distance 16, 8, 4, 2, 1
    %o = sdm.exchange %p, 16
    %q = arith.addf %p, %o : f32
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
    %slab = sdm.stage %tokens[%chunk] : ...
    sdm.publish %slab : ...
    // becomes, without bulk copies
    scf.for ... { sdm.copy_async %tokens[%chunk, %row] at %byte to %address {bytes = 16 : i64} : ... }
    sdm.commit
    sdm.wait_group 0
    sdm.cta_barrier
    ```
  }];
  let options = [Option<"chip", "chip", "std::string", "\"sm_80\"", "sm_80 to sm_120">];
}

#endif // SDM_TRANSFORMS_PASSES_TD
