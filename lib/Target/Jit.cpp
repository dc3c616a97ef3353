// LLVM for the machine at hand: code generation to an object in memory, and ORC to link it.
#include "lib/Target/Jit.h"
#include "lib/Target/FatalErrors.h"
#include "lib/Target/Translate.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"

#include <mutex>

namespace mlir::sdm {
namespace {

llvm::Expected<llvm::orc::JITTargetMachineBuilder> hostBuilder() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeModel(llvm::CodeModel::Small);
  builder->setRelocationModel(llvm::Reloc::PIC_);
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  builder->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return builder;
}

/// Wide vectors are whole rows: without this, CPUs that prefer 256 bits get half of what they have.
void preferWideVectors(llvm::Module &module, llvm::StringRef features) {
  if (!features.contains("+avx512f"))
    return;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && !function.hasFnAttribute("prefer-vector-width"))
      function.addFnAttr("prefer-vector-width", "512");
}

struct HostCode {
  HostStages stages;
  std::string assembly;
};

llvm::Expected<HostCode> run(ModuleOp mlirModule, llvm::CodeGenFileType type) {
  HostCode code;
  llvm::Error failed = catchFatalErrors([&]() -> llvm::Error {
    auto builder = hostBuilder();
    if (!builder)
      return builder.takeError();
    auto machine = builder->createTargetMachine();
    if (!machine)
      return machine.takeError();
    llvm::LLVMContext context;
    ContextErrors errors(context);
    auto translated = translate(mlirModule, context);
    if (!translated)
      return translated.takeError();
    llvm::Module &module = **translated;
    setMachine(module, **machine);
    preferWideVectors(module, (*machine)->getTargetFeatureString());
    code.stages.llvm = printModule(module);
    if (llvm::Error error = optimise(module, **machine))
      return error;
    code.stages.optimised = printModule(module);
    llvm::SmallVector<char, 0> bytes;
    if (llvm::Error error = generateCode(module, **machine, type, bytes))
      return error;
    std::string &out = type == llvm::CodeGenFileType::ObjectFile ? code.stages.object : code.assembly;
    out.assign(bytes.begin(), bytes.end());
    return errors.take("compiling for the host");
  });
  if (failed)
    return std::move(failed);
  return code;
}

} // namespace

std::string hostMachineKey() {
  auto builder = hostBuilder();
  if (!builder) {
    llvm::consumeError(builder.takeError());
    return {};
  }
  return builder->getTargetTriple().str() + " " + builder->getCPU() + " " + builder->getFeatures().getString();
}

llvm::Expected<HostStages> compileForHost(ModuleOp module) {
  auto code = run(module, llvm::CodeGenFileType::ObjectFile);
  if (!code)
    return code.takeError();
  return std::move(code->stages);
}

llvm::Expected<std::string> emitHostAssembly(ModuleOp module) {
  auto code = run(module, llvm::CodeGenFileType::AssemblyFile);
  if (!code)
    return code.takeError();
  return std::move(code->assembly);
}

HostJit::HostJit(std::unique_ptr<llvm::orc::LLJIT> jit) : jit(std::move(jit)) {}
HostJit::~HostJit() = default;

llvm::Expected<std::unique_ptr<HostJit>> HostJit::load(llvm::StringRef object) {
  auto builder = hostBuilder();
  if (!builder)
    return builder.takeError();
  // No platform: entries have no constructors and throw nothing. JITLink builds the stubs by which code in the small
  // model reaches libm and libc.
  auto made = llvm::orc::LLJITBuilder()
                  .setJITTargetMachineBuilder(std::move(*builder))
                  .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                  .setObjectLinkingLayerCreator([](llvm::orc::ExecutionSession &session) {
                    return std::make_unique<llvm::orc::ObjectLinkingLayer>(session);
                  })
                  .create();
  if (!made)
    return made.takeError();
  std::unique_ptr<llvm::orc::LLJIT> jit = std::move(*made);
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(jit->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  jit->getMainJITDylib().addGenerator(std::move(*process));
  if (llvm::Error error = jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(object, "sdm")))
    return std::move(error);
  return std::unique_ptr<HostJit>(new HostJit(std::move(jit)));
}

llvm::Expected<HostJit::Entry> HostJit::lookup(llvm::StringRef name) {
  auto address = jit->lookup(name);
  if (!address)
    return address.takeError();
  return address->toPtr<Entry>();
}

} // namespace mlir::sdm
