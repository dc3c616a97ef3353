// One launch: every CTA of the grid, one after the other, in seeded order.
#include "lib/Lanes/Lanes.h"
#include "dialect/SdmOps.h"
#include "lib/Lanes/Cta.h"

#include <numeric>

using namespace mlir;
using namespace mlir::sdm;
using namespace mlir::sdm::lanes;

namespace {

/// The entry and its packed arguments, checked; a fault and null where they do not fit.
func::FuncOp findEntry(ModuleOp module, StringRef entry, FaultLog &faults) {
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (function && function->hasAttrOfType<LaunchAttr>(kLaunchAttr) && function.getBody().hasOneBlock())
    return function;
  faults.add(module, kind::unsupported, "expected a launched function of one block, got '" + entry + "'");
  return {};
}

void runGrid(Launch &launch) {
  int64_t ctas = launch.arguments.tiles / launch.warps * launch.slices * launch.arguments.chunks;
  std::vector<int64_t> order(ctas);
  std::iota(order.begin(), order.end(), 0);
  for (int64_t i = ctas - 1; i > 0; --i) // the library's shuffle is not the same everywhere
    std::swap(order[i], order[launch.random() % (i + 1)]);
  for (int64_t number : order)
    Cta(launch, number).run();
}

} // namespace

LanesReport mlir::sdm::runOnLanes(ModuleOp scheduled, StringRef entry, ArrayRef<char> arguments,
                                  const LanesOptions &options) {
  LanesReport report;
  FaultLog faults(options.mostFaults);
  try {
    if (func::FuncOp function = findEntry(scheduled, entry, faults)) {
      llvm::Expected<ArgumentLayout> layout = computeArgumentLayout(function);
      if (!layout)
        faults.addFatal(function, kind::unsupported, llvm::toString(layout.takeError()));
      auto attribute = function->getAttrOfType<LaunchAttr>(kLaunchAttr);
      if (arguments.size() != layout->bytes)
        faults.addFatal(function, kind::unsupported,
                        "expected " + llvm::Twine(layout->bytes) + " bytes of packed arguments, got " +
                            llvm::Twine(arguments.size()));
      if (std::unique_ptr<Program> program = prepare(function, faults)) {
        Launch launch{*program,
                      takeApart(*layout, arguments, options),
                      options,
                      static_cast<unsigned>(attribute.getWarps()),
                      attribute.getSlices(),
                      faults,
                      {},
                      {},
                      0};
        launch.random.seed(options.seed);
        for (unsigned number : program->written)
          launch.arguments.operands[number].written = true;
        if (launch.arguments.tiles % launch.warps)
          faults.addFatal(function, kind::unsupported,
                          "expected a multiple of " + llvm::Twine(launch.warps) +
                              " tiles (a CTA's warps have one "
                              "each), got " +
                              llvm::Twine(launch.arguments.tiles));
        try {
          runGrid(launch);
        } catch (Stop &) {
        }
        report.operations = launch.operations;
      }
    }
  } catch (Stop &) {
  }
  report.faults = faults.take();
  return report;
}
