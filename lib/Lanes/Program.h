// A function made ready to be interpreted: values numbered, operations with their handlers, regions as lists of steps.
#ifndef SDM_LIB_LANES_PROGRAM_H
#define SDM_LIB_LANES_PROGRAM_H

#include "lib/Lanes/Faults.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <memory>
#include <vector>

namespace mlir::sdm::lanes {

class Warp;
struct Step;
using Handler = void (*)(Warp &, const Step &);
/// Handlers by operation name; each family of operations adds its own.
using OperationTable = llvm::StringMap<Handler>;

void addIntegerOperations(OperationTable &table);
void addFloatOperations(OperationTable &table);
void addVectorOperations(OperationTable &table);
void addControlOperations(OperationTable &table);
void addRowOperations(OperationTable &table);
void addCellOperations(OperationTable &table);
void addReductionOperations(OperationTable &table);
void addCopyOperations(OperationTable &table);
void addWarpCopyOperations(OperationTable &table);
void addBarrierOperations(OperationTable &table);

/// A region of one block: its steps, and what its terminator passes on.
struct Body {
  std::vector<unsigned> arguments;
  std::vector<Step> steps;
  std::vector<unsigned> passed;
  Operation *terminator = nullptr;
};

struct Step {
  Operation *op;
  Handler run;
  std::vector<unsigned> operands, results; ///< numbers of values
  std::vector<Body> bodies;
};

/// Where a value lies in a warp's registers: element e of lane l at `first + 32 * e + l`.
struct Register {
  size_t first;
  unsigned elements;
  unsigned bits; ///< of an element
};

struct Program {
  func::FuncOp function;
  std::vector<Register> registers; ///< by value number
  std::vector<int> arguments;      ///< by value number: the function's argument, or -1
  size_t words = 0;                ///< registers of a warp
  Body body;
  llvm::SmallDenseSet<unsigned> written; ///< arguments that the function writes

  unsigned numberOf(Value value) const { return numbers.lookup(value); }
  llvm::DenseMap<Value, unsigned> numbers;
};

/// Operations that no handler knows are faults of kind `unsupported`; null then.
std::unique_ptr<Program> prepare(func::FuncOp function, FaultLog &faults);

} // namespace mlir::sdm::lanes

#endif // SDM_LIB_LANES_PROGRAM_H
