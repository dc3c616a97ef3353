// Checked accesses of one lane, for every family of operations that touches memory.
#ifndef SDM_LIB_LANES_ROWACCESS_H
#define SDM_LIB_LANES_ROWACCESS_H

#include "dialect/SdmDialect.h"
#include "lib/Lanes/Cta.h"

namespace mlir::sdm::lanes {

std::vector<int64_t> indicesAt(Warp &warp, ArrayRef<unsigned> values, unsigned lane);

/// Address of a row or cell; a fault and null where an index is outside.
char *addressOf(Warp &warp, const Step &step, const Operand &operand, ArrayRef<int64_t> indices);

/// Bytes of one element of rows or cells.
int64_t elementBytes(const Operand &operand);

/// Notes global accesses of operands that the launch writes. `synchronised`: see GlobalMemory::read.
void noteRead(Warp &warp, const Step &step, const Operand &operand, const char *address, int64_t bytes, unsigned lane,
              bool synchronised);
void noteWrite(Warp &warp, const Step &step, const Operand &operand, const char *address, unsigned lane);

/// A field of the record at an address, and one that is the same in every record.
Word fieldOf(const char *record, FieldAttr field);
Word constantField(FieldAttr field);
/// A record in one plane; the indices are checked.
const char *recordAt(const Operand &operand, LayoutAttr layout, int64_t plane, int64_t chunk, int64_t pos);

/// This lane's copy of `bytes` bytes (also what addresses are multiples of); without a source it writes zeros.
void startCopy(Warp &warp, const Step &step, const Operand &operand, const char *source, int64_t target, int64_t bytes,
               unsigned lane);

/// Shared bytes that a lane reads; a fault where it may not. `mark` is kUndefined where nobody wrote them.
struct SharedRead {
  const char *data = nullptr; ///< null: there are none
  Word mark = 0;
};
SharedRead readShared(Warp &warp, const Step &step, int64_t address, uint32_t bytes, unsigned lane);

} // namespace mlir::sdm::lanes

#endif // SDM_LIB_LANES_ROWACCESS_H
