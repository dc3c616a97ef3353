// The compile service.
#include "lib/Pipelines/Compile.h"

mlir::FailureOr<mlir::sdm::CompileResult> mlir::sdm::compile(ModuleOp module, const CompileOptions &options) {
  return module.emitError("expected a target that this build has, got '") << options.target << "'";
}
