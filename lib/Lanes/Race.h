// Why an access of memory is a fault.
#ifndef SDM_LIB_LANES_RACE_H
#define SDM_LIB_LANES_RACE_H

#include <string>

namespace mlir::sdm::lanes {

struct Race {
  const char *kind = nullptr; ///< null: no fault
  std::string message;
  explicit operator bool() const { return kind != nullptr; }
};

} // namespace mlir::sdm::lanes

#endif // SDM_LIB_LANES_RACE_H
