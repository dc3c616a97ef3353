// Copies into shared memory and the loads of records from it.
#ifndef SDM_LIB_CONVERSION_NVVMCOPIES_H
#define SDM_LIB_CONVERSION_NVVMCOPIES_H

#include "dialect/SdmOps.h"
#include "lib/Conversion/OperandAccess.h"

namespace mlir::sdm {

/// A byte of the CTA's shared memory as a pointer.
using SharedPointer = llvm::function_ref<Value(Value offset)>;

/// Lanes share an instruction: each selects its row's address, index and target.
void lowerCopyShared(OpBuilder &builder, CopySharedOp copy, const KernelParts &parts, Value lane, SharedPointer shared);
/// One record of a plane; zeros where it does not exist.
void lowerCopyRecord(OpBuilder &builder, CopyRecordOp copy, const OperandParts &records, SharedPointer shared);
/// A field of a staged record. `begin`: the buffer's address; `origin`: the first position that was staged.
Value lowerPeek(OpBuilder &builder, PeekOp peek, Value begin, Value origin, SharedPointer shared);
/// Writes zeros over one staged record of a plane.
void lowerClearRecord(OpBuilder &builder, ClearRecordOp clear, SharedPointer shared);
/// The lanes look at 32 positions at a time.
SmallVector<Value> lowerSeek(OpBuilder &builder, SeekOp seek, const OperandParts &records, Value lane);
/// A prefetch of each line of a row, where the mask holds.
void lowerPrefetch(OpBuilder &builder, PrefetchOp prefetch, const OperandParts &rows);

} // namespace mlir::sdm

#endif // SDM_LIB_CONVERSION_NVVMCOPIES_H
