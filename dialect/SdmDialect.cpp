// Registration of the dialect, and the names that its attributes take in printed modules.
#include "dialect/SdmDialect.h"
#include "dialect/SdmOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::sdm;

#include "dialect/SdmDialect.cpp.inc"

namespace {
/// `#read` instead of a layout's whole text at every use.
struct LayoutAlias : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    auto layout = llvm::dyn_cast<LayoutAttr>(attr);
    if (!layout)
      return AliasResult::NoAlias;
    os << layout.getName().lower();
    return AliasResult::FinalAlias;
  }
};
} // namespace

void SdmDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialect/SdmOps.cpp.inc"
      >();
  registerAttributes();
  registerTypes();
  addInterfaces<LayoutAlias>();
}

Operation *SdmDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
