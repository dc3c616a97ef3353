// A group's row and its members' rows are decoded, summed, and encoded: what the front end makes of fp8 rows of 128 columns.
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

func.func @encode(%x: !sdm.rows<?x128xf32>, %table: !sdm.rows<?x128xf8E4M3FN>, %scale: !sdm.cells<?xf32>) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x128xf32> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    %amax = sdm.reduce amax %r {width = 128 : i64} : vector<1x128xf32>
    %inverse = arith.constant 0x3B124925 : f32
    %s = arith.mulf %amax, %inverse : f32
    %b = arith.truncf %s : f32 to bf16
    %e = arith.extf %b : bf16 to f32
    %scales = vector.broadcast %e : f32 to vector<1x128xf32>
    %q = arith.divf %r, %scales : vector<1x128xf32>
    %rounded = arith.truncf %q : vector<1x128xf32> to vector<1x128xbf16>
    %v = arith.extf %rounded : vector<1x128xbf16> to vector<1x128xf32>
    sdm.store_cell %e, %scale[%row] : f32, !sdm.cells<?xf32> [i32]
    sdm.store_row %v, %table[%row] : vector<1x128xf32>, !sdm.rows<?x128xf8E4M3FN> [i32]
  }
  return
}
