// The GDS mover in the dialect: what the front end makes of gds.py for bf16 rows of 128 columns and qrec records.
//
// sdm-opt kernels/gds.mlir --pass-pipeline='builtin.module(sdm-to-nvvm-pipeline{chip=sm_90})' | sdm-translate --sdm-to-ptx

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>,
  <"scale" : f32 in 0 at 8>, <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>,
  <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>

func.func @gds(%reads: !sdm.sorted<#read>, %bank: !sdm.rows<?x128xbf16>, %tokens: !sdm.rows<?x?x128xf32>,
               %grad: !sdm.rows<?x128xbf16>, %d_q_w: !sdm.cells<?x?x?xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %slot = sdm.key %group : i32
    %stored = sdm.load_row %bank[%slot] : !sdm.rows<?x128xbf16> [i32] -> vector<1x128xbf16>
    %m = arith.extf %stored : vector<1x128xbf16> to vector<1x128xf32>
    %zero = arith.constant dense<0.0> : vector<1x128xf32>
    %sum = sdm.members %read in %group iter_args(%acc = %zero) : (vector<1x128xf32>) {
      %chunk = sdm.property %group chunk : !sdm.group -> i32
      %token = sdm.field %read "token" : i32
      %x = sdm.load_row %tokens[%chunk, %token] : !sdm.rows<?x?x128xf32> [i32, i32] -> vector<1x128xf32>
      %scale = sdm.field %read "scale" : f32
      %scales = vector.broadcast %scale : f32 to vector<1x128xf32>
      %next = math.fma %scales, %x, %acc : vector<1x128xf32>
      %dot = sdm.dot %x, %m {width = 128 : i64} : vector<1x128xf32>
      %lane = sdm.field %read "lane" : i32
      sdm.store_cell %dot, %d_q_w[%chunk, %token, %lane] : f32, !sdm.cells<?x?x?xf32> [i32, i32, i32]
      sdm.yield %next : vector<1x128xf32>
    }
    %before = sdm.load_row %grad[%slot] : !sdm.rows<?x128xbf16> [i32] -> vector<1x128xbf16>
    %wide = arith.extf %before : vector<1x128xbf16> to vector<1x128xf32>
    %after = arith.addf %wide, %sum : vector<1x128xf32>
    sdm.store_row %after, %grad[%slot] : vector<1x128xf32>, !sdm.rows<?x128xbf16> [i32]
  }
  return
}
