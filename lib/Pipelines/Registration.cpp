// Registration of dialects, passes and pipelines.
#include "lib/Pipelines/Registration.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

#if __has_include("dialect/SdmDialect.h")
#include "dialect/SdmDialect.h"
#endif
#if __has_include("lib/Transforms/Passes.h")
#include "lib/Transforms/Passes.h"
#endif
#if __has_include("lib/Conversion/Passes.h")
#include "lib/Conversion/Passes.h"
#endif
#if __has_include("lib/Pipelines/Pipelines.h")
#include "lib/Pipelines/Pipelines.h"
#endif

#include <mutex>

void mlir::sdm::registerSdmDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                  math::MathDialect, NVVM::NVVMDialect, scf::SCFDialect, ub::UBDialect, vector::VectorDialect>();
#if __has_include("dialect/SdmDialect.h")
  registry.insert<SdmDialect>();
#endif
  func::registerInlinerExtension(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

void mlir::sdm::registerSdmPasses() {
  static std::once_flag once;
  std::call_once(once, [] {
    registerTransformsPasses();
#if __has_include("lib/Transforms/Passes.h")
    registerSdmTransformsPasses();
#endif
#if __has_include("lib/Conversion/Passes.h")
    registerSdmConversionPasses();
#endif
#if __has_include("lib/Pipelines/Pipelines.h")
    registerSdmPipelines();
#endif
  });
}
