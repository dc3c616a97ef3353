// The packed arguments taken apart, and which addresses an index may name.
#ifndef SDM_LIB_LANES_OPERANDS_H
#define SDM_LIB_LANES_OPERANDS_H

#include "lib/Lanes/Lanes.h"
#include "lib/Lanes/Words.h"
#include "lib/Target/ArgumentLayout.h"

namespace mlir::sdm::lanes {

struct Axis {
  int64_t stride; ///< bytes
  int64_t first, extent;
};

/// One operand of a launch.
struct Operand {
  unsigned number;
  std::string name;
  Type type;
  char *pointer = nullptr; ///< rows and cells
  std::vector<Axis> axes;  ///< rows and cells: index axes; records: chunk and position
  struct Plane {
    char *pointer;
    int64_t chunkStride;
  };
  std::vector<Plane> planes;
  Word scalar = 0;
  bool written = false; ///< by this launch
  bool early = false;   ///< may be read before the dependency wait
};

/// What a launch is given.
struct Arguments {
  std::vector<Operand> operands;
  int64_t firstChunk, chunks, tileLength, tiles;
};

/// `packed` has the layout's size.
Arguments takeApart(const ArgumentLayout &layout, ArrayRef<char> packed, const LanesOptions &options);

/// "axis 1 of tokens: expected an index within 0 .. 15, got 16"; empty when every index is in its range.
std::string whyOutside(const Operand &operand, ArrayRef<int64_t> indices);

} // namespace mlir::sdm::lanes

#endif // SDM_LIB_LANES_OPERANDS_H
