// Rows, cells and slabs: text form and shape.
#include "dialect/SdmDialect.h"
#include "dialect/Slices.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::sdm;

#define GET_TYPEDEF_CLASSES
#include "dialect/SdmTypes.cpp.inc"

void SdmDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialect/SdmTypes.cpp.inc"
      >();
}

/// What a column may be in memory.
static bool isStorage(Type element) {
  return llvm::isa<Float32Type, BFloat16Type, Float16Type, Float8E4M3FNType>(element) || element.isInteger(4);
}

/// What it is in a value.
static Type valueType(Type element) {
  return element.isInteger() ? IntegerType::get(element.getContext(), 8) : element;
}

static void printShape(AsmPrinter &printer, ArrayRef<int64_t> shape) {
  for (int64_t extent : shape) {
    if (ShapedType::isDynamic(extent))
      printer << "?x";
    else
      printer << extent << "x";
  }
}

Type RowsType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  int64_t piece = 0;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/true) || parser.parseType(element))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("piece") || parser.parseEqual() || parser.parseInteger(piece)))
    return {};
  SMLoc end = parser.getCurrentLocation();
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(end); }, parser.getContext(), shape, element, piece);
}

void RowsType::print(AsmPrinter &printer) const {
  printer << "<";
  printShape(printer, getShape());
  printer << getElementType();
  if (getGivenPiece() != 0)
    printer << ", piece = " << getGivenPiece();
  printer << ">";
}

LogicalResult RowsType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape, Type element,
                               int64_t piece) {
  if (shape.empty() || ShapedType::isDynamic(shape.back()) || shape.back() < 1)
    return emitError() << "expected rows of a known positive width";
  if (!isStorage(element))
    return emitError() << "expected rows of f32, bf16, f16, f8E4M3FN or i4, got " << element;
  int64_t bits = element.getIntOrFloatBitWidth(), bytes = ceilDiv(bits, 8);
  if (shape.back() * bits % 8 != 0)
    return emitError() << "expected rows of an even width (a byte holds two columns of i4), got " << shape.back();
  int64_t natural = naturalPiece(shape.back(), bits);
  if (piece != 0 && (!llvm::isPowerOf2_64(piece) || piece < bytes || piece > natural))
    return emitError() << "expected a piece that is a power of two from " << bytes << " to " << natural
                       << " bytes (what the width allows), got " << piece;
  return success();
}

int64_t RowsType::getPiece() const {
  return getGivenPiece() != 0 ? getGivenPiece() : naturalPiece(getWidth(), getElementType().getIntOrFloatBitWidth());
}

Type RowsType::getValueType() const { return valueType(getElementType()); }

VectorType RowsType::getRowType() const {
  return VectorType::get({sliceCount(getWidth()), sliceWidth(getWidth())}, getValueType());
}

VectorType RowsType::getSliceType() const { return VectorType::get({1, sliceWidth(getWidth())}, getValueType()); }

Type CellsType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/true) || parser.parseType(element))
    return {};
  SMLoc end = parser.getCurrentLocation();
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(end); }, parser.getContext(), shape, element);
}

void CellsType::print(AsmPrinter &printer) const {
  printer << "<";
  printShape(printer, getShape());
  printer << getElementType() << ">";
}

LogicalResult CellsType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t>, Type element) {
  if (!element.isF32() && !element.isInteger(32) && !element.isInteger(64))
    return emitError() << "expected cells of f32, i32 or i64, got " << element;
  return success();
}

Type SlabType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(element))
    return {};
  SMLoc end = parser.getCurrentLocation();
  if (parser.parseGreater())
    return {};
  // A vector is made only of what it may hold.
  if (shape.size() != 2 || !isStorage(element) || llvm::is_contained(shape, 0)) {
    InFlightDiagnostic error = parser.emitError(end);
    error << "expected a slab of rows as slices and columns of f32, bf16, f16, f8E4M3FN or i4, got ";
    for (int64_t extent : shape)
      error << extent << "x";
    error << element;
    return {};
  }
  return get(parser.getContext(), VectorType::get(shape, valueType(element)));
}

void SlabType::print(AsmPrinter &printer) const {
  printer << "<";
  printShape(printer, getRow().getShape());
  printer << getElementType() << ">";
}

Type SlabType::getElementType() const {
  Type value = getRow().getElementType();
  return value.isInteger() ? IntegerType::get(getContext(), 4) : value;
}

int64_t BufferType::getPlaneStart(int64_t plane) const {
  int64_t start = 0;
  for (int64_t bytes : getLayout().getPlanes().take_front(plane))
    start += ceilDiv(2 * getBatch() * bytes, 16) * 16;
  return start;
}

int64_t BufferType::getBytes() const { return getPlaneStart(static_cast<int64_t>(getLayout().getPlanes().size())); }

int64_t SlabType::getPitch() const { return ceilDiv(getBytes(getRow().getNumElements()), 16) * 16; }
