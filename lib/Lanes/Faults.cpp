// A fault with its operation's text and source lines.
#include "lib/Lanes/Faults.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::sdm;
using namespace mlir::sdm::lanes;

namespace {

using Sites = decltype(LaneFault::sites);

void appendSites(Location location, Sites &sites) {
  llvm::TypeSwitch<LocationAttr>(location)
      .Case(
          [&](FileLineColLoc file) { sites.emplace_back(file.getFilename().str(), file.getLine(), file.getColumn()); })
      .Case([&](CallSiteLoc site) {
        appendSites(site.getCallee(), sites);
        appendSites(site.getCaller(), sites);
      })
      .Case([&](NameLoc name) { appendSites(name.getChildLoc(), sites); })
      .Case([&](FusedLoc fused) {
        // One of several places is enough to find the line.
        for (Location part : fused.getLocations())
          if (size_t before = sites.size(); appendSites(part, sites), sites.size() != before)
            return;
      });
}

std::string textOf(Operation *operation) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OpPrintingFlags flags;
  flags.skipRegions().elideLargeElementsAttrs();
  operation->print(stream, flags);
  // A record's layout in a type is a page of its own.
  StringRef line = StringRef(text).split('\n').first;
  constexpr size_t longest = 160;
  return (line.size() > longest ? line.take_front(line.find(" : ")) : line).str();
}

} // namespace

void FaultLog::append(Operation *operation, llvm::StringRef kind, const llvm::Twine &message) {
  if (!known.emplace(operation, kind.str()).second)
    return;
  LaneFault &fault = faults.emplace_back();
  fault.kind = kind.str();
  fault.message = message.str();
  fault.operation = textOf(operation);
  appendSites(operation->getLoc(), fault.sites);
}

void FaultLog::add(Operation *operation, llvm::StringRef kind, const llvm::Twine &message) {
  append(operation, kind, message);
  if (faults.size() >= most)
    throw Stop{};
}

void FaultLog::addFatal(Operation *operation, llvm::StringRef kind, const llvm::Twine &message) {
  append(operation, kind, message);
  throw Stop{};
}
