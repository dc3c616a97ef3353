// One warp as it runs: registers of 32 lanes, which of them are active, what it knows of the other warps.
#ifndef SDM_LIB_LANES_WARP_H
#define SDM_LIB_LANES_WARP_H

#include "lib/Lanes/Copies.h"
#include "lib/Lanes/Operands.h"
#include "lib/Lanes/Program.h"

namespace mlir::sdm::lanes {

class Cta;

/// What a warp waits for.
enum class Waiting { nothing, ctaBarrier, phase, forever };

class Warp {
public:
  Warp(Cta &cta, unsigned number);

  /// Runs a region's steps; the values that its terminator passes on are in their registers then.
  void run(const Body &body);
  /// Runs the function; notes what is left over at its end.
  void runAll();

  // Registers.
  const Register &place(unsigned value) const;
  Word *words(unsigned value) { return &registers[place(value).first]; }
  /// An active lane's word of a value that is used now: as a condition, an index, an address, or to be stored.
  Word word(unsigned value, unsigned lane, unsigned element = 0) {
    Word found = registers[place(value).first + kWarpLanes * element + lane];
    if (found & kUndefined && place(value).bits <= 32)
      useUndefined();
    return found & ~(place(value).bits <= 32 ? kUndefined : 0);
  }
  /// A fault: the present operation depends on shared memory that nobody wrote, or on a row that nobody asked for.
  void useUndefined();
  int64_t signedWord(unsigned value, unsigned lane) { return asSigned(word(value, lane), place(value).bits); }
  /// Copies values to others of their types, of the active lanes alone.
  void copy(ArrayRef<unsigned> from, ArrayRef<unsigned> to);

  // Lanes.
  uint32_t active = ~0u;
  bool isActive(unsigned lane) const { return active >> lane & 1; }
  bool isWhole() const { return active == ~0u; }
  template <typename Function> void forEachActive(Function function) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      if (isActive(lane))
        function(lane);
  }
  /// A fault where some lanes are missing.
  void needWhole(const Step &step);

  // Operands.
  const Operand &operand(unsigned value) const;
  /// A read of an operand's memory is allowed now; a fault otherwise.
  void checkDependency(const Step &step, const Operand &operand);
  Thread thread(unsigned lane) const;

  SharedMemory::Access access(unsigned lane) { return {number, lane, clock, phases[lane]}; }
  /// Where barriers of the warp and of the CTA stand; every lane of the warp learns what the others saw.
  void passWarpBarrier();
  void fault(const Step &step, StringRef kind, const llvm::Twine &message);

  Cta &cta;
  const unsigned number;
  bool mayRead = false;                      ///< the dependency wait has passed
  Clock clock;                               ///< what it knows of each warp
  std::vector<std::vector<uint32_t>> phases; ///< by lane and barrier: phases seen to end
  uint64_t operations = 0;
  const Step *current = nullptr;   ///< being executed
  const Step *unwritten = nullptr; ///< what last gave a value that is none

  // The scheduler's.
  Waiting waiting = Waiting::nothing;
  const Step *at = nullptr; ///< where it waits
  uint32_t barrier = 0, parity = 0;
  bool finished = false;

private:
  std::vector<Word> registers;
};

} // namespace mlir::sdm::lanes

#endif // SDM_LIB_LANES_WARP_H
