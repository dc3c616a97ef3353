// The generated definitions of every operation.
#include "dialect/SdmOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::sdm;

#define GET_OP_CLASSES
#include "dialect/SdmOps.cpp.inc"
