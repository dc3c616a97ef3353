// Layouts of records: text form, lookup and what makes one well formed.
#include "dialect/SdmDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::sdm;

#include "dialect/SdmEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/SdmAttributes.cpp.inc"

void SdmDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialect/SdmAttributes.cpp.inc"
      >();
}

// `<"token" : i32 in 0 at 0 bits 9 to 16>` or `<"weight" : f32 = 1.0 : f32>`.
Attribute FieldAttr::parse(AsmParser &parser, Type) {
  std::string name;
  Type type;
  if (parser.parseLess() || parser.parseString(&name) || parser.parseColonType(type))
    return {};
  int64_t plane = -1, offset = -1, low = -1, high = -1;
  TypedAttr value;
  if (succeeded(parser.parseOptionalEqual())) {
    if (parser.parseAttribute(value))
      return {};
  } else {
    if (parser.parseKeyword("in") || parser.parseInteger(plane) || parser.parseKeyword("at") ||
        parser.parseInteger(offset))
      return {};
    if (succeeded(parser.parseOptionalKeyword("bits")) &&
        (parser.parseInteger(low) || parser.parseKeyword("to") || parser.parseInteger(high)))
      return {};
  }
  SMLoc end = parser.getCurrentLocation();
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(end); }, parser.getContext(), name, type, plane, offset, low, high,
                    value);
}

void FieldAttr::print(AsmPrinter &printer) const {
  printer << "<\"" << getName() << "\" : " << getType();
  if (isConstant()) {
    printer << " = " << getValue() << ">";
    return;
  }
  printer << " in " << getPlane() << " at " << getOffset();
  if (isBits())
    printer << " bits " << getLowBit() << " to " << getHighBit();
  printer << ">";
}

LogicalResult FieldAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef name, Type type, int64_t plane,
                                int64_t offset, int64_t low, int64_t high, TypedAttr value) {
  if (!type.isInteger(1) && !type.isInteger(32) && !type.isInteger(64) && !type.isF32())
    return emitError() << "expected field '" << name << "' of type i1, i32, i64 or f32, got " << type;
  if (value) {
    if (value.getType() != type)
      return emitError() << "expected the constant of field '" << name << "' to have type " << type << ", got "
                         << value.getType();
    return success();
  }
  if (plane < 0 || offset < 0)
    return emitError() << "expected field '" << name << "' to name a plane and a byte that are not negative, got "
                       << plane << " and " << offset;
  bool narrow = type.isInteger(1) || type.isInteger(32);
  if (high >= 0 && (!narrow || low < 0 || high < low || high > 31 || (type.isInteger(1) && low != high)))
    return emitError() << "expected bits of field '" << name << "' to lie in a 32-bit word (" << type
                       << " fields only, one bit for i1), got " << low << " to " << high;
  if (high < 0 && type.isInteger(1))
    return emitError() << "expected field '" << name << "' of type i1 to name its bit, got none";
  return success();
}

FieldAttr LayoutAttr::lookup(StringRef name) const {
  for (FieldAttr field : getFields())
    if (field.getName() == name)
      return field;
  return {};
}

Type LayoutAttr::getKeyType() const {
  FieldAttr key = lookup(getKey());
  return key ? key.getType() : Type();
}

bool LayoutAttr::isUnique(StringRef field) const {
  return llvm::any_of(getUnique(), [&](StringAttr name) { return name == field; });
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  std::string name, key;
  SmallVector<StringAttr> unique;
  SmallVector<int64_t> planes;
  SmallVector<FieldAttr> fields;
  if (parser.parseLess() || parser.parseString(&name) || parser.parseComma())
    return {};
  auto parseName = [&] { return parser.parseAttribute(unique.emplace_back()); };
  auto parsePlane = [&] { return parser.parseInteger(planes.emplace_back()); };
  auto parseField = [&]() -> ParseResult {
    auto field = llvm::dyn_cast_or_null<FieldAttr>(FieldAttr::parse(parser, {}));
    return field ? (fields.push_back(field), success()) : ParseResult(failure());
  };
  if (succeeded(parser.parseOptionalKeyword("key")) &&
      (parser.parseEqual() || parser.parseString(&key) || parser.parseComma()))
    return {};
  if (succeeded(parser.parseOptionalKeyword("unique")) &&
      (parser.parseEqual() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseName) ||
       parser.parseComma()))
    return {};
  if (parser.parseKeyword("planes") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parsePlane) || parser.parseComma() ||
      parser.parseKeyword("fields") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseField))
    return {};
  SMLoc end = parser.getCurrentLocation();
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(end); }, parser.getContext(), name, key, unique, planes, fields);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << "<\"" << getName() << "\", ";
  if (!getKey().empty())
    printer << "key = \"" << getKey() << "\", ";
  if (!getUnique().empty())
    printer << "unique = [" << getUnique() << "], ";
  printer << "planes = [";
  llvm::interleaveComma(getPlanes(), printer);
  printer << "], fields = [";
  llvm::interleaveComma(getFields(), printer, [&](FieldAttr field) { field.print(printer); });
  printer << "]>";
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef name, StringRef key,
                                 ArrayRef<StringAttr> unique, ArrayRef<int64_t> planes, ArrayRef<FieldAttr> fields) {
  llvm::StringMap<Type> types;
  for (FieldAttr field : fields) {
    if (!types.try_emplace(field.getName(), field.getType()).second)
      return emitError() << "expected the fields of record '" << name << "' to have names of their own, got '"
                         << field.getName() << "' twice";
    if (field.isConstant())
      continue;
    if (field.getPlane() >= static_cast<int64_t>(planes.size()))
      return emitError() << "expected field '" << field.getName() << "' in one of " << planes.size()
                         << " planes, got plane " << field.getPlane();
    int64_t bytes = field.getType().isInteger(64) ? 8 : 4;
    if (field.getOffset() % bytes != 0 || field.getOffset() + bytes > planes[field.getPlane()])
      return emitError() << "expected field '" << field.getName() << "' at an aligned byte within the "
                         << planes[field.getPlane()] << " bytes of its record, got byte " << field.getOffset();
  }
  for (int64_t bytes : planes)
    if (bytes <= 0 || bytes % 4 != 0)
      return emitError() << "expected planes of a positive multiple of 4 bytes a record, got " << bytes;
  if (!key.empty() && (!types.contains(key) || !(types[key].isInteger(32) || types[key].isInteger(64))))
    return emitError() << "expected the key '" << key << "' of record '" << name << "' among its i32 or i64 fields";
  for (StringAttr field : unique)
    if (!types.contains(field.getValue()))
      return emitError() << "expected the unique field " << field << " among the fields of record '" << name << "'";
  for (StringRef flag : {"$first", "$last", "$invalid"})
    if (types.contains(flag) && !types[flag].isInteger(1))
      return emitError() << "expected the flag '" << flag << "' of type i1, got " << types[flag];
  for (StringRef number : {"$index", "$ordinal"})
    if (types.contains(number) && !types[number].isInteger(32))
      return emitError() << "expected the field '" << number << "' of type i32, got " << types[number];
  return success();
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError, WalkForm form, SliceForm,
                                   int64_t warps, int64_t unit, int64_t depth) {
  if (warps < 1 || warps > 32)
    return emitError() << "expected 1 to 32 warps of a CTA, got " << warps;
  if (unit < 1 || unit > 32 || !llvm::isPowerOf2_64(unit))
    return emitError() << "expected a unit of 1, 2, 4, 8, 16 or 32 positions, got " << unit;
  if (depth < 1 || depth > 8)
    return emitError() << "expected rows under way for 1 to 8 units, got " << depth;
  if (form == WalkForm::Nest && (unit != 1 || depth != 1))
    return emitError() << "expected no unit and no depth in the nest form (it has no pipeline)";
  return success();
}
