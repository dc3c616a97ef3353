// A CTA's copies need the CTA: how many warps it has is said by the launch.
// RUN: sdm-opt %s --verify-diagnostics --sdm-lower-copies

func.func @not_launched(%x: !sdm.rows<?x128xf32>) {
  // expected-error @+1 {{expected rows staged in a function with 'sdm.launch' (its warps share the copies), got one without}}
  %slab = sdm.stage %x[] : !sdm.rows<?x128xf32> -> !sdm.slab<1x128xf32>
  sdm.publish %slab : !sdm.slab<1x128xf32>
  return
}
