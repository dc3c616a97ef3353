// Registration of dialects, passes and pipelines.
#include "lib/Pipelines/Registration.h"

#include "dialect/SdmDialect.h"
#include "lib/Conversion/Passes.h"
#include "lib/Pipelines/Pipelines.h"
#include "lib/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

#include <mutex>

void mlir::sdm::registerSdmDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                  math::MathDialect, NVVM::NVVMDialect, scf::SCFDialect, ub::UBDialect, vector::VectorDialect>();
  registry.insert<SdmDialect>();
  func::registerInlinerExtension(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

void mlir::sdm::registerSdmPasses() {
  static std::once_flag once;
  std::call_once(once, [] {
    registerTransformsPasses();
    // Of MLIR's conversions those that the pipelines run, so that sdm-opt runs what a compile prints of itself.
    registerSCFToControlFlowPass();
    registerConvertVectorToLLVMPass();
    registerConvertMathToLLVMPass();
    registerArithToLLVMConversionPass();
    registerConvertControlFlowToLLVMPass();
    registerConvertFuncToLLVMPass();
    registerUBToLLVMConversionPass();
    registerReconcileUnrealizedCastsPass();
    registerSdmTransformsPasses();
    registerSdmConversionPasses();
    registerSdmPipelines();
  });
}
