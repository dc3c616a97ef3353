// Numbers values, finds handlers; after this nothing is looked up by name.
#include "lib/Lanes/Program.h"
#include "dialect/SdmOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sdm;
using namespace mlir::sdm::lanes;

static const OperationTable &operationTable() {
  static const OperationTable table = [] {
    OperationTable made;
    addIntegerOperations(made);
    addFloatOperations(made);
    addVectorOperations(made);
    addControlOperations(made);
    addRowOperations(made);
    addCellOperations(made);
    addReductionOperations(made);
    addCopyOperations(made);
    addWarpCopyOperations(made);
    addBarrierOperations(made);
    return made;
  }();
  return table;
}

namespace {

class Preparation {
public:
  Preparation(Program &program, FaultLog &faults) : program(program), faults(faults) {}

  void run() {
    for (BlockArgument argument : program.function.getArguments())
      program.arguments[number(argument)] = argument.getArgNumber();
    program.body = body(program.function.getBody());
  }
  bool complete = true;

private:
  unsigned number(Value value) {
    auto [place, isNew] = program.numbers.try_emplace(value, program.registers.size());
    if (!isNew)
      return place->second;
    Register made{program.words, 1, 64};
    Type type = value.getType();
    if (auto vector = dyn_cast<VectorType>(type)) {
      made.elements = vector.getNumElements();
      type = vector.getElementType();
    }
    if (type.isIntOrFloat())
      made.bits = type.getIntOrFloatBitWidth();
    program.words += 32 * made.elements;
    program.registers.push_back(made);
    program.arguments.push_back(-1);
    return place->second;
  }

  Body body(Region &region) {
    Body made;
    if (region.empty())
      return made;
    Block &block = region.front();
    for (Value argument : block.getArguments())
      made.arguments.push_back(number(argument));
    for (Operation &op : block.without_terminator())
      made.steps.push_back(step(op));
    made.terminator = block.getTerminator();
    for (Value passed : made.terminator->getOperands())
      made.passed.push_back(number(passed));
    return made;
  }

  Step step(Operation &op) {
    auto found = operationTable().find(op.getName().getStringRef());
    Step made{&op, found == operationTable().end() ? nullptr : found->second, {}, {}, {}};
    if (!made.run)
      unsupported(op);
    if (auto piece = dyn_cast<StorePieceOp>(op))
      noteWritten(piece.getRows());
    if (auto cell = dyn_cast<StoreCellOp>(op))
      noteWritten(cell.getCells());
    for (Value operand : op.getOperands())
      made.operands.push_back(number(operand));
    for (Value result : op.getResults())
      made.results.push_back(number(result));
    for (Region &region : op.getRegions())
      made.bodies.push_back(body(region));
    return made;
  }

  void noteWritten(Value operand) { program.written.insert(cast<BlockArgument>(operand).getArgNumber()); }

  void unsupported(Operation &op) {
    complete = false;
    faults.add(&op, kind::unsupported,
               "expected an operation of the scheduled level, got " + op.getName().getStringRef());
  }

  Program &program;
  FaultLog &faults;
};

} // namespace

std::unique_ptr<Program> mlir::sdm::lanes::prepare(func::FuncOp function, FaultLog &faults) {
  auto program = std::make_unique<Program>();
  program->function = function;
  Preparation preparation(*program, faults);
  preparation.run();
  return preparation.complete ? std::move(program) : nullptr;
}
