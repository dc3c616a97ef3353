// Loading machine code or PTX into the current context, and its kernels.
#include "lib/Runtime/Cuda.h"

#include <array>
#include <map>
#include <mutex>

namespace sdm::runtime {
namespace {

CuModule load(const std::string &image) {
  std::array<char, 8192> errors{};
  int options[] = {cuJitErrorLog, cuJitErrorLogBytes};
  void *values[] = {errors.data(), reinterpret_cast<void *>(errors.size() - 1)};
  CuModule module = nullptr;
  CuResult status = cuda().moduleLoadDataEx(&module, image.c_str(), 2, options, values);
  std::string what = "the driver cannot load the kernel";
  if (errors[0])
    what += " (" + std::string(errors.data()) + ")";
  check(status, what);
  return module;
}

} // namespace

struct CudaModule::State {
  struct Function {
    CuFunction handle = nullptr;
    unsigned dynamicShared = 0;
  };
  struct Loaded {
    CuModule module = nullptr;
    std::map<std::string, Function> functions;
  };

  std::string image;
  std::mutex mutex;
  std::map<uint64_t, Loaded> contexts;

  Function &lookup(const std::string &entry) {
    Loaded &loaded = contexts[currentContextId()];
    if (!loaded.module)
      loaded.module = load(image);
    Function &function = loaded.functions[entry];
    if (!function.handle) {
      check(cuda().moduleGetFunction(&function.handle, loaded.module, entry.c_str()), "no kernel " + entry);
      // Lazy loading would otherwise load at the first launch, which may be captured.
      if (cuda().functionLoad)
        check(cuda().functionLoad(function.handle), "the driver cannot load " + entry);
    }
    return function;
  }

  int attribute(const std::string &entry, int which) {
    std::lock_guard lock(mutex);
    int value = 0;
    check(cuda().functionGetAttribute(&value, which, lookup(entry).handle), "cannot ask for attributes of " + entry);
    return value;
  }
};

CudaModule::CudaModule(std::string image) : state(new State) { state->image = std::move(image); }
CudaModule::~CudaModule() = default;

CuFunction CudaModule::function(const std::string &entry, unsigned dynamicShared) {
  std::lock_guard lock(state->mutex);
  State::Function &function = state->lookup(entry);
  if (dynamicShared > function.dynamicShared) {
    check(cuda().functionSetAttribute(function.handle, cuFunctionMaxDynamicShared, static_cast<int>(dynamicShared)),
          "cannot give " + entry + " " + std::to_string(dynamicShared) + " bytes of shared memory");
    function.dynamicShared = dynamicShared;
  }
  return function.handle;
}

int CudaModule::registers(const std::string &entry) { return state->attribute(entry, cuFunctionRegisters); }
int CudaModule::localBytes(const std::string &entry) { return state->attribute(entry, cuFunctionLocalBytes); }

} // namespace sdm::runtime
