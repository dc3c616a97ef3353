// The scheduled level: what staged rows, lane pieces and copies must agree on.
#include "dialect/SdmOps.h"
#include "dialect/Slices.h"

using namespace mlir;
using namespace mlir::sdm;

static LogicalResult verifyField(Operation *op, LayoutAttr layout, StringRef name, Type result) {
  FieldAttr field = layout.lookup(name);
  if (!field)
    return op->emitOpError() << "expected a field of record '" << layout.getName() << "', got '" << name << "'";
  if (field.getType() != result)
    return op->emitOpError() << "expected the type " << field.getType() << " of field '" << name << "', got " << result;
  return success();
}

LogicalResult FetchOp::verify() {
  return verifyField(*this, getRecords().getType().getLayout(), getName(), getResult().getType());
}

LogicalResult PeekOp::verify() {
  return verifyField(*this, getBuffer().getType().getLayout(), getName(), getResult().getType());
}

LogicalResult SeekOp::verify() {
  LayoutAttr layout = getRecords().getType().getLayout();
  if (!layout.lookup("$first"))
    return emitOpError() << "expected a layout with '$first' (groups are found by it), got record '" << layout.getName()
                         << "' without";
  if (getPositions().size() != getFrom().size())
    return emitOpError() << "expected a result for each of " << getFrom().size() << " positions, got "
                         << getPositions().size();
  return success();
}

/// Rows on their way into rings, each with its own indices.
template <typename Issue> static LogicalResult verifyIssue(Issue issue) {
  size_t count = issue.getRows().size();
  if (issue.getRings().size() != count || issue.getMasks().size() != count || issue.getIndexCounts().size() != count)
    return issue.emitOpError() << "expected a ring, a mask and an index count for each of " << count << " rows, got "
                               << issue.getRings().size() << ", " << issue.getMasks().size() << " and "
                               << issue.getIndexCounts().size();
  int64_t total = 0;
  for (auto [rows, indices] : llvm::zip(issue.getRows(), issue.getIndexCounts())) {
    if (llvm::cast<RowsType>(rows.getType()).getIndexRank() != indices)
      return issue.emitOpError() << "expected an index for each index axis of " << rows.getType() << ", got "
                                 << indices;
    total += indices;
  }
  if (static_cast<int64_t>(issue.getIndices().size()) != total)
    return issue.emitOpError() << "expected " << total << " indices, got " << issue.getIndices().size();
  return success();
}

LogicalResult IssueOp::verify() { return verifyIssue(*this); }

LogicalResult IssueBulkOp::verify() {
  for (Type rows : getRows().getTypes())
    if (llvm::cast<RowsType>(rows).getPiece() % kBulkBytes != 0)
      return emitOpError() << "expected rows in pieces of " << kBulkBytes << " bytes (what the copy engine moves), got "
                           << rows;
  return verifyIssue(*this);
}

LogicalResult StageOp::verify() {
  RowsType rows = getRows().getType();
  if (static_cast<int64_t>(getIndices().size()) + 1 != rows.getIndexRank())
    return emitOpError() << "expected " << rows.getIndexRank() - 1 << " indices (every index axis of " << rows
                         << " but the last), got " << getIndices().size();
  VectorType expected = getSlice() ? rows.getSliceType() : rows.getRowType();
  if (getSlab().getType().getRow() != expected)
    return emitOpError() << "expected a slab of " << expected << ", got " << getSlab().getType();
  return success();
}

LogicalResult TakeOp::verify() {
  if (getResult().getType() != getSlab().getType().getRow())
    return emitOpError() << "expected a result of type " << getSlab().getType().getRow() << ", got "
                         << getResult().getType();
  return success();
}

LogicalResult PartialOp::verify() {
  unsigned expected = getKind() == PartialKind::Dot ? 2 : 1;
  if (getRows().size() != expected)
    return emitOpError() << "expected " << expected << " rows for " << stringifyPartialKind(getKind()) << ", got "
                         << getRows().size();
  int64_t slices = llvm::cast<VectorType>(getRows().front().getType()).getDimSize(0);
  if (static_cast<int64_t>(getPartials().size()) != slices)
    return emitOpError() << "expected a partial for each of " << slices << " slices, got " << getPartials().size();
  return success();
}

LogicalResult ButterflyOp::verify() {
  size_t count = getPartials().size();
  if (count == 0 || count > 32 || !llvm::isPowerOf2_64(count))
    return emitOpError() << "expected a batch of 1, 2, 4, 8, 16 or 32 partials, got " << count;
  return success();
}

LogicalResult CopyAsyncOp::verify() {
  if (getBytes() != 4 && getBytes() != 8 && getBytes() != 16)
    return emitOpError() << "expected 4, 8 or 16 bytes, got " << getBytes();
  return success();
}
