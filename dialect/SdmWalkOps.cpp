// Walks: text form, and what ties handles to the walk that made them.
#include "dialect/SdmOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::sdm;

Operation *mlir::sdm::getRecordOwner(Value record) {
  auto argument = llvm::dyn_cast<BlockArgument>(record);
  return argument ? argument.getOwner()->getParentOp() : nullptr;
}

LayoutAttr mlir::sdm::getLayout(Value record) {
  Operation *owner = getRecordOwner(record);
  if (auto members = llvm::dyn_cast_or_null<MembersOp>(owner))
    owner = getRecordOwner(members.getGroup());
  if (auto walk = llvm::dyn_cast_or_null<WalkOp>(owner))
    return walk.getRecords().getType().getLayout();
  if (auto each = llvm::dyn_cast_or_null<EachRecordOp>(owner))
    return each.getRecords().getType().getLayout();
  return {};
}

// %handle[, %slice] in %operand [slices N] [schedule #s] : type attr-dict { ... }
static ParseResult parseWalk(OpAsmParser &parser, OperationState &state, Type handleType) {
  Builder &builder = parser.getBuilder();
  SmallVector<OpAsmParser::Argument> args(1);
  OpAsmParser::UnresolvedOperand operand;
  Type operandType;
  int64_t slices = 0;
  if (parser.parseArgument(args[0]))
    return failure();
  args[0].type = handleType;
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseArgument(args.emplace_back()))
      return failure();
    args[1].type = builder.getI32Type();
  }
  if (parser.parseKeyword("in") || parser.parseOperand(operand))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("slices"))) {
    if (parser.parseInteger(slices))
      return failure();
    state.addAttribute("slices", builder.getI64IntegerAttr(slices));
  }
  if (succeeded(parser.parseOptionalKeyword("schedule"))) {
    ScheduleAttr schedule;
    if (parser.parseCustomAttributeWithFallback(schedule))
      return failure();
    state.addAttribute("schedule", schedule);
  }
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes) || parser.parseColonType(operandType) ||
      parser.resolveOperand(operand, operandType, state.operands) || parser.parseRegion(*state.addRegion(), args))
    return failure();
  return success();
}

template <typename Walk> static void printWalk(Walk op, OpAsmPrinter &printer) {
  printer << " ";
  llvm::interleaveComma(op.getBody()->getArguments(), printer, [&](BlockArgument arg) { printer << arg; });
  printer << " in " << op->getOperand(0);
  if (op.getSlices())
    printer << " slices " << *op.getSlices();
  if (op.getSchedule()) {
    printer << " schedule ";
    printer.printStrippedAttrOrType(op.getScheduleAttr());
  }
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(), {"slices", "schedule"});
  printer << " : " << op->getOperand(0).getType() << " ";
  printer.printRegion(op.getRegion(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}

template <typename Walk> static LogicalResult verifySliceArgument(Walk op) {
  unsigned expected = op.getSlices() ? 2 : 1;
  Block *body = op.getBody();
  if (body->getNumArguments() != expected)
    return op.emitOpError() << "expected " << expected << " block arguments (" << (op.getSlices() ? "with" : "without")
                            << " slices), got " << body->getNumArguments();
  if (expected == 2 && !body->getArgument(1).getType().isInteger(32))
    return op.emitOpError() << "expected the slice's number as i32, got " << body->getArgument(1).getType();
  return success();
}

static LogicalResult verifyHandle(Operation *op, Block *body, Type expected) {
  if (body->getNumArguments() == 0 || body->getArgument(0).getType() != expected)
    return op->emitOpError() << "expected the first block argument of type " << expected << ", got "
                             << (body->getNumArguments() ? body->getArgument(0).getType() : Type());
  return success();
}

ParseResult WalkOp::parse(OpAsmParser &parser, OperationState &state) {
  if (parseWalk(parser, state, GroupType::get(parser.getContext())))
    return failure();
  ensureTerminator(*state.regions.front(), parser.getBuilder(), state.location);
  return success();
}
void WalkOp::print(OpAsmPrinter &printer) { printWalk(*this, printer); }

LogicalResult WalkOp::verify() {
  LayoutAttr layout = getRecords().getType().getLayout();
  if (failed(verifyHandle(*this, getBody(), GroupType::get(getContext()))) || failed(verifySliceArgument(*this)))
    return failure();
  for (StringRef flag : {"$first", "$last"})
    if (!layout.lookup(flag))
      return emitOpError() << "expected a layout with '" << flag << "' (groups are found by it), got record '"
                           << layout.getName() << "' without";
  if (!layout.getKeyType())
    return emitOpError() << "expected a record with a key (groups are runs of equal keys), got record '"
                         << layout.getName() << "' without";
  return success();
}

ParseResult EachRecordOp::parse(OpAsmParser &parser, OperationState &state) {
  if (parseWalk(parser, state, MemberType::get(parser.getContext())))
    return failure();
  ensureTerminator(*state.regions.front(), parser.getBuilder(), state.location);
  return success();
}
void EachRecordOp::print(OpAsmPrinter &printer) { printWalk(*this, printer); }

LogicalResult EachRecordOp::verify() {
  if (failed(verifyHandle(*this, getBody(), MemberType::get(getContext()))))
    return failure();
  return verifySliceArgument(*this);
}

ParseResult EachRowOp::parse(OpAsmParser &parser, OperationState &state) {
  if (parseWalk(parser, state, parser.getBuilder().getI32Type()))
    return failure();
  ensureTerminator(*state.regions.front(), parser.getBuilder(), state.location);
  return success();
}
void EachRowOp::print(OpAsmPrinter &printer) { printWalk(*this, printer); }

LogicalResult EachRowOp::verify() {
  if (getRows().getType().getIndexRank() != 1)
    return emitOpError() << "expected rows with one index axis, got " << getRows().getType();
  if (failed(verifyHandle(*this, getBody(), IntegerType::get(getContext(), 32))))
    return failure();
  return verifySliceArgument(*this);
}

// %member in %group iter_args(%a = %init, ...) : (types) attr-dict { ... }
ParseResult MembersOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> args(1);
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  OpAsmParser::UnresolvedOperand group;
  SmallVector<Type> types;
  if (parser.parseArgument(args[0]) || parser.parseKeyword("in") || parser.parseOperand(group))
    return failure();
  args[0].type = MemberType::get(parser.getContext());
  SMLoc initsLoc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("iter_args"))) {
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                       [&]() -> ParseResult {
                                         return failure(parser.parseArgument(args.emplace_back()) ||
                                                        parser.parseEqual() ||
                                                        parser.parseOperand(inits.emplace_back()));
                                       }) ||
        parser.parseColon() || parser.parseLParen() || parser.parseTypeList(types) || parser.parseRParen())
      return failure();
  }
  if (types.size() != inits.size())
    return parser.emitError(initsLoc) << "expected " << inits.size() << " types of carried values, got "
                                      << types.size();
  for (auto [arg, type] : llvm::zip(llvm::drop_begin(args), types))
    arg.type = type;
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.resolveOperand(group, GroupType::get(parser.getContext()), state.operands) ||
      parser.resolveOperands(inits, types, initsLoc, state.operands) || parser.parseRegion(*state.addRegion(), args))
    return failure();
  state.addTypes(types);
  ensureTerminator(*state.regions.front(), parser.getBuilder(), state.location);
  return success();
}

void MembersOp::print(OpAsmPrinter &printer) {
  printer << " " << getBody()->getArgument(0) << " in " << getGroup();
  if (!getInits().empty()) {
    printer << " iter_args(";
    llvm::interleaveComma(llvm::zip(llvm::drop_begin(getBody()->getArguments()), getInits()), printer,
                          [&](auto pair) { printer << std::get<0>(pair) << " = " << std::get<1>(pair); });
    printer << ") : (" << getInits().getTypes() << ")";
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << " ";
  printer.printRegion(getBodyRegion(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/!getInits().empty());
}

LogicalResult MembersOp::verify() {
  if (!llvm::isa_and_nonnull<WalkOp>(getRecordOwner(getGroup())))
    return emitOpError() << "expected the group of the walk around it";
  if (failed(verifyHandle(*this, getBody(), MemberType::get(getContext()))))
    return failure();
  auto carried = TypeRange(getBody()->getArgumentTypes()).drop_front();
  auto yielded = getBody()->getTerminator()->getOperandTypes();
  if (carried != getInits().getTypes() || yielded != getInits().getTypes() || getResultTypes() != getInits().getTypes())
    return emitOpError() << "expected a carried value to keep its type, got initial (" << getInits().getTypes()
                         << "), carried (" << carried << "), yielded (" << yielded << "), results (" << getResultTypes()
                         << ")";
  return success();
}

LogicalResult KeyOp::verify() {
  LayoutAttr layout = getLayout(getGroup());
  if (!layout)
    return emitOpError() << "expected the group of a walk";
  if (getResult().getType() != layout.getKeyType())
    return emitOpError() << "expected the key's type " << layout.getKeyType() << ", got " << getResult().getType();
  return success();
}

LogicalResult FieldOp::verify() {
  LayoutAttr layout = getLayout(getRecord());
  if (!layout)
    return emitOpError() << "expected the member of a walk";
  FieldAttr field = layout.lookup(getName());
  if (!field)
    return emitOpError() << "expected a field of record '" << layout.getName() << "', got '" << getName() << "'";
  if (field.getType() != getResult().getType())
    return emitOpError() << "expected the type " << field.getType() << " of field '" << getName() << "', got "
                         << getResult().getType();
  return success();
}

LogicalResult PropertyOp::verify() {
  LayoutAttr layout = getLayout(getRecord());
  if (!layout)
    return emitOpError() << "expected the group or member of a walk";
  bool isGroup = llvm::isa<GroupType>(getRecord().getType());
  if (getKind() == PropertyKind::Size && !isGroup)
    return emitOpError() << "expected a group (a member has no size)";
  StringRef needed = isGroup ? "$ordinal" : "$index";
  if (getKind() == PropertyKind::Index && !layout.lookup(needed))
    return emitOpError() << "expected a layout with '" << needed << "' (sort makes it), got record '"
                         << layout.getName() << "' without";
  unsigned bits = getKind() == PropertyKind::Valid ? 1 : 32;
  if (!getResult().getType().isInteger(bits))
    return emitOpError() << "expected a result of type i" << bits << ", got " << getResult().getType();
  return success();
}
