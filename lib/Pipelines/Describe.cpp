// What the launcher must know of a compiled kernel.
#include "lib/Pipelines/Describe.h"
#include "dialect/SdmOps.h"
#include "lib/Target/ArgumentLayout.h"
#include "lib/Transforms/FlatWalk.h"
#include "lib/Transforms/LowerWarpCopies.h"

using namespace mlir;
using namespace mlir::sdm;

static llvm::json::Array describeResident(func::FuncOp function) {
  llvm::json::Array resident;
  llvm::SmallDenseSet<int64_t> seen;
  function.walk([&](LoadRowOp load) {
    if (load.getPlacement() != Placement::Resident)
      return;
    int64_t operand = cast<BlockArgument>(load.getRows()).getArgNumber();
    if (!seen.insert(operand).second)
      return;
    resident.push_back(
        llvm::json::Object{{"operand", operand},
                           {"axis", load.getRows().getType().getIndexRank() - 1},
                           {"row_bytes", SlabType::get(function.getContext(), load.getType()).getPitch()}});
  });
  return resident;
}

static llvm::json::Array describeLoads(Operation *walk) {
  llvm::json::Array loads;
  walk->walk([&](LoadRowOp load) {
    bool ofMember = load->getParentOfType<MembersOp>() != nullptr;
    loads.push_back(
        llvm::json::Object{{"operand", cast<BlockArgument>(load.getRows()).getArgNumber()},
                           {"placement", stringifyPlacement(load.getPlacement().value_or(Placement::Direct))},
                           {"phase", ofMember ? "member" : "group"}});
  });
  return loads;
}

void mlir::sdm::describePlans(ModuleOp module, llvm::json::Array &plans, llvm::json::Array &reasons) {
  module.walk([&](Operation *op) {
    auto schedule = op->getAttrOfType<ScheduleAttr>("schedule");
    if (!schedule)
      return;
    plans.push_back(llvm::json::Object{{"form", stringifyWalkForm(schedule.getForm())},
                                       {"slices", stringifySliceForm(schedule.getSlices())},
                                       {"warps", schedule.getWarps()},
                                       {"unit", schedule.getUnit()},
                                       {"depth", schedule.getDepth()},
                                       {"loads", describeLoads(op)}});
    llvm::json::Array sentences;
    if (auto written = op->getAttrOfType<ArrayAttr>("reasons"))
      for (Attribute reason : written)
        sentences.push_back(cast<StringAttr>(reason).getValue());
    reasons.push_back(std::move(sentences));
  });
}

llvm::Expected<llvm::json::Object> mlir::sdm::describeLaunches(ModuleOp module) {
  llvm::json::Object description;
  llvm::json::Array launches, scratch;
  for (auto function : module.getOps<func::FuncOp>()) {
    auto launch = function->getAttrOfType<LaunchAttr>(kLaunchAttr);
    if (!launch)
      continue;
    if (launches.empty()) {
      llvm::Expected<ArgumentLayout> layout = computeArgumentLayout(function);
      if (!layout)
        return layout.takeError();
      description = layout->toJson();
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (auto slices = function.getArgAttrOfType<IntegerAttr>(i, kScratchAttr))
          scratch.push_back(llvm::json::Object{{"argument", i}, {"slices", slices.getInt()}});
    }
    llvm::json::Array resident = describeResident(function);
    launches.push_back(llvm::json::Object{{"entry", function.getName()},
                                          {"domain", stringifyDomain(launch.getDomain())},
                                          {"operand", launch.getOperand()},
                                          {"slices", launch.getSlices()},
                                          {"warps", launch.getWarps()},
                                          {"one_chunk", function->hasAttr("sdm.one_chunk")},
                                          {"shared_base", 0},
                                          {"resident", std::move(resident)}});
  }
  description["launches"] = std::move(launches);
  description["scratch"] = std::move(scratch);
  return std::move(description);
}

void mlir::sdm::describeShared(ModuleOp module, llvm::json::Object &description) {
  for (llvm::json::Value &launch : *description.getArray("launches")) {
    llvm::json::Object &object = *launch.getAsObject();
    auto function = module.lookupSymbol<func::FuncOp>(*object.getString("entry"));
    if (auto base = function->getAttrOfType<IntegerAttr>(kSharedBaseAttr))
      object["shared_base"] = base.getInt();
    function.walk([&](scf::ForOp loop) {
      if (auto unit = loop->getAttrOfType<IntegerAttr>(kUnitAttr))
        object["unit"] = unit.getInt();
    });
  }
}
