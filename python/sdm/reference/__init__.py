"""References written from the contract alone: plain numpy, no code shared with the compiler.

`bits` holds the arithmetic, `slices` and `reduce` the shape of a row and its reductions, `records` the sorted lists, `groups` the walk over
them; then one module a kernel (`gds`, `segment_sum`, `embedding_bag_backward`, `sddmm`, `rms_norm`) and `workloads`, the seeded inputs.
Only numpy and ml_dtypes are imported. numpy must run with denormals kept (the process default).
"""
