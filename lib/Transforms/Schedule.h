// The rule that picks a schedule: one pure function of a walk's summary, the shapes and the chip.
#ifndef SDM_LIB_TRANSFORMS_SCHEDULE_H
#define SDM_LIB_TRANSFORMS_SCHEDULE_H

#include "dialect/SdmOps.h"
#include "lib/Target/Chip.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

namespace mlir::sdm {

/// What is known of the operands' index axes when a kernel is planned.
struct Extents {
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> known; // (argument, axis) to extent
  int64_t positions = 0;                                      // of a whole launch; 0: not known

  static llvm::Expected<Extents> parse(ArrayRef<std::string> texts);
  std::optional<int64_t> find(int64_t argument, int64_t axis) const;
};

/// Parts of a schedule that a user gives; the rule fills in the rest.
struct ScheduleRequest {
  std::optional<WalkForm> form;
  std::optional<int64_t> warps, unit, depth;
  std::optional<SliceForm> slices;
  llvm::DenseMap<int64_t, Placement> placements; // by argument

  static llvm::Expected<ScheduleRequest> parse(ArrayRef<std::string> texts);
};

/// A walk as the rule sees it.
struct WalkSummary {
  struct Load {
    LoadRowOp op;
    int64_t argument;
    bool canBeResident;
    bool otherSlab = false; // the operand's slab holds the rows of other indices
    bool isEarly = false;   // may be asked for ahead
    bool canBeRing = false;
    bool canBeBulk = false; // its ring may be filled by the copy engine
    bool reused = false;    // several groups, members or rows may read one row
  };
  SmallVector<Load> loads;
  LayoutAttr layout;        // of its records; null in a walk over rows
  bool flattenable = false; // the flat form is legal
  std::string whyNest;      // why not
  int64_t slices = 0;       // of its rows; 0 without rows
  int64_t sliceWidth = 0;   // columns
  int64_t width = 0;        // columns of its widest loaded row
  int64_t reductions = 0;   // operations
  int64_t carried = 0;      // rows that go from member to member
  bool quantized = false;   // reads or writes rows whose conversion takes registers
  bool splittable = false;  // the slices may be computed apart
  std::string whyWhole;     // why not
};

WalkSummary summarizeWalk(Operation *walk);

struct PlannedWalk {
  ScheduleAttr schedule;
  SmallVector<Placement> placements; // of each load of the summary
  SmallVector<std::string> reasons;  // a sentence for each decision
};

/// Records of a batch, so that a batch lands before the rows that are asked for ahead need it.
int64_t recordBatch(int64_t unit, int64_t depth);

/// The schedule of one walk, or an error that names the rule that a request breaks. `chip` is null for the host.
llvm::Expected<PlannedWalk> planWalk(MLIRContext *context, const WalkSummary &walk, const Extents &extents,
                                     const ScheduleRequest &request, const Chip *chip);

} // namespace mlir::sdm

#endif // SDM_LIB_TRANSFORMS_SCHEDULE_H
