func.func @norm(%x: !sdm.rows<?xWIDTHxbf16>, %g: !sdm.rows<WIDTHxf32>, %y: !sdm.rows<?xWIDTHxbf16>, %eps: f32) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?xWIDTHxbf16> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?xWIDTHxbf16> [i32] -> vector<SLICExbf16>
    %f = arith.extf %r : vector<SLICExbf16> to vector<SLICExf32>
    %s = sdm.dot %f, %f {width = WIDTH : i64} : vector<SLICExf32>
    %t = arith.addf %s, %eps : f32
    %root = math.sqrt %t : f32
    %b = vector.broadcast %root : f32 to vector<SLICExf32>
    %w = sdm.load_row %g[] : !sdm.rows<WIDTHxf32> -> vector<SLICExf32>
    %q = arith.divf %f, %b : vector<SLICExf32>
    %v = arith.mulf %q, %w : vector<SLICExf32>
    sdm.store_row %v, %y[%row] : vector<SLICExf32>, !sdm.rows<?xWIDTHxbf16> [i32]
  }
  return
}
