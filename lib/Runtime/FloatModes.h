// The floating-point modes of the contract: round to nearest even, denormals kept. Libraries leave flush-to-zero on.
#ifndef SDM_LIB_RUNTIME_FLOATMODES_H
#define SDM_LIB_RUNTIME_FLOATMODES_H

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace sdm::runtime {

#if defined(__x86_64__)
using FloatModes = uint32_t;
inline constexpr FloatModes contractModes = 0x1F80; // MXCSR: exceptions masked, nearest, neither FTZ nor DAZ
inline FloatModes getFloatModes() { return _mm_getcsr(); }
inline void setFloatModes(FloatModes modes) { _mm_setcsr(modes); }
#elif defined(__aarch64__)
using FloatModes = uint64_t;
inline constexpr FloatModes contractModes = 0; // FPCR: nearest, no flush, NaNs propagate, no traps
inline FloatModes getFloatModes() {
  FloatModes modes;
  asm volatile("mrs %0, fpcr" : "=r"(modes));
  return modes;
}
inline void setFloatModes(FloatModes modes) { asm volatile("msr fpcr, %0" : : "r"(modes)); }
#else
#error "the host target knows x86-64 and AArch64"
#endif

/// Sets the contract's modes for this thread and puts the caller's back.
class ContractFloatModes {
public:
  ContractFloatModes() : saved(getFloatModes()) { setFloatModes(contractModes); }
  ~ContractFloatModes() { setFloatModes(saved); }
  ContractFloatModes(const ContractFloatModes &) = delete;
  ContractFloatModes &operator=(const ContractFloatModes &) = delete;

private:
  FloatModes saved;
};

} // namespace sdm::runtime

#endif // SDM_LIB_RUNTIME_FLOATMODES_H
