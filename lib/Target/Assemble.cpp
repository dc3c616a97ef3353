// Running ptxas on temporary files, and reading its report.
#include "lib/Target/Assemble.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace mlir::sdm {
namespace {

llvm::Error fileError(llvm::StringRef doing, std::error_code code) {
  return llvm::createStringError(doing + ": " + code.message());
}

struct TemporaryFile {
  llvm::SmallString<128> path;
  std::optional<llvm::FileRemover> remover;
  llvm::Error create(llvm::StringRef suffix, llvm::StringRef text = {}) {
    int descriptor;
    if (auto code = llvm::sys::fs::createTemporaryFile("sdm", suffix, descriptor, path))
      return fileError("cannot create a temporary file", code);
    remover.emplace(path);
    llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
    stream << text;
    stream.close();
    if (stream.has_error()) {
      std::error_code code = stream.error();
      stream.clear_error();
      return fileError("cannot write " + path.str().str(), code);
    }
    return llvm::Error::success();
  }
};

struct Output {
  int status;
  std::string text;
};

/// Runs ptxas with both output streams in one file.
llvm::Expected<Output> runPtxas(llvm::StringRef ptxas, llvm::ArrayRef<llvm::StringRef> arguments) {
  TemporaryFile log;
  if (llvm::Error error = log.create("log"))
    return std::move(error);
  llvm::SmallVector<llvm::StringRef> all{ptxas};
  llvm::append_range(all, arguments);
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), log.path.str(), log.path.str()};
  std::string message;
  bool failedToRun = false;
  int status = llvm::sys::ExecuteAndWait(ptxas, all, std::nullopt, redirects, /*SecondsToWait=*/0, /*MemoryLimit=*/0,
                                         &message, &failedToRun);
  if (failedToRun)
    return llvm::createStringError("cannot run " + ptxas + ": " + message);
  auto buffer = llvm::MemoryBuffer::getFile(log.path);
  if (!buffer)
    return fileError("cannot read what ptxas wrote", buffer.getError());
  return Output{status, (*buffer)->getBuffer().str()};
}

/// The number before `unit` in a comma-separated list such as "Used 8 registers, 360 bytes cmem[0]".
unsigned numberBefore(llvm::StringRef line, llvm::StringRef unit) {
  size_t at = line.find(unit);
  if (at == llvm::StringRef::npos)
    return 0;
  llvm::StringRef before = line.take_front(at).rtrim();
  before = before.take_back(before.size() - (before.find_last_not_of("0123456789") + 1));
  unsigned number = 0;
  before.getAsInteger(10, number);
  return number;
}

} // namespace

llvm::Expected<std::string> findPtxas(llvm::StringRef given, llvm::ArrayRef<std::string> folders) {
  auto usable = [](const llvm::Twine &path) { return llvm::sys::fs::can_execute(path); };
  if (!given.empty()) {
    if (usable(given))
      return given.str();
    return llvm::createStringError("expected a program as ptxas, got " + given);
  }
  if (auto set = llvm::sys::Process::GetEnv("SDM_PTXAS"); set && !set->empty()) {
    if (usable(*set))
      return *set;
    return llvm::createStringError("expected a program in SDM_PTXAS, got " + *set);
  }
  std::vector<std::string> candidates;
  if (auto home = llvm::sys::Process::GetEnv("CUDA_HOME"); home && !home->empty())
    candidates.push_back(*home + "/bin");
  if (auto path = llvm::sys::Process::GetEnv("PATH")) {
    llvm::SmallVector<llvm::StringRef> parts;
    llvm::StringRef(*path).split(parts, ':', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef part : parts)
      candidates.push_back(part.str());
  }
  candidates.push_back("/usr/local/cuda/bin");
  candidates.insert(candidates.end(), folders.begin(), folders.end());
  for (const std::string &folder : candidates) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, "ptxas");
    if (usable(path))
      return path.str().str();
  }
  return std::string();
}

llvm::Expected<std::string> ptxasVersion(llvm::StringRef ptxas) {
  auto output = runPtxas(ptxas, {"--version"});
  if (!output)
    return output.takeError();
  size_t at = output->text.find("release ");
  if (output->status != 0 || at == std::string::npos)
    return llvm::createStringError("expected a release from " + ptxas + " --version, got: " + output->text);
  return llvm::StringRef(output->text).drop_front(at + 8).take_until([](char c) { return c == '\n'; }).str();
}

llvm::Expected<Assembled> assemble(llvm::StringRef ptx, const Chip &chip, llvm::StringRef ptxas) {
  TemporaryFile input, outputFile;
  if (llvm::Error error = input.create("ptx", ptx))
    return std::move(error);
  if (llvm::Error error = outputFile.create("cubin"))
    return std::move(error);
  std::string arch = ("-arch=" + chip.name).str();
  auto output = runPtxas(ptxas, {"-v", "-O3", arch, "-o", outputFile.path, input.path});
  if (!output)
    return output.takeError();
  if (output->status != 0)
    return llvm::createStringError("ptxas refused the PTX for " + chip.name + ": " +
                                   llvm::StringRef(output->text).rtrim());
  auto cubin = llvm::MemoryBuffer::getFile(outputFile.path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!cubin)
    return fileError("cannot read what ptxas wrote", cubin.getError());
  return Assembled{(*cubin)->getBuffer().str(), parsePtxasReport(output->text), output->text};
}

std::vector<KernelResources> parsePtxasReport(llvm::StringRef report) {
  std::vector<KernelResources> kernels;
  llvm::SmallVector<llvm::StringRef> lines;
  report.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    if (line.contains("Compiling entry function '")) {
      kernels.emplace_back();
      kernels.back().entry = line.split('\'').second.split('\'').first.str();
    }
    if (kernels.empty())
      continue;
    KernelResources &kernel = kernels.back();
    if (line.contains("bytes stack frame")) {
      kernel.stack = numberBefore(line, " bytes stack frame");
      kernel.spillStores = numberBefore(line, " bytes spill stores");
      kernel.spillLoads = numberBefore(line, " bytes spill loads");
    } else if (line.contains(": Used ")) {
      kernel.registers = numberBefore(line, " registers");
      kernel.barriers = numberBefore(line, " barriers");
      kernel.shared = numberBefore(line, " bytes smem");
    }
  }
  return kernels;
}

} // namespace mlir::sdm
