// What each access of shared memory must find, and leaves behind.
#include "lib/Lanes/SharedMemory.h"
#include "lib/Lanes/Faults.h"

#include <cstring>

using namespace mlir::sdm::lanes;

static constexpr uint32_t kUnitBytes = 4;
static constexpr char kPoison = '\xFB'; // as f32 a large negative number, as bf16 too

static std::string lanesName(unsigned warp, unsigned lane) {
  return "lane " + std::to_string(lane) + " of warp " + std::to_string(warp);
}

SharedMemory::SharedMemory(int64_t size, unsigned warps)
    : bytes(size, kPoison), warps(warps), units((size + kUnitBytes - 1) / kUnitBytes), readers(units.size() * warps) {}

Race SharedMemory::whyNoAccess(uint32_t address, uint32_t count) const {
  if (uint64_t(address) + count > bytes.size())
    return {kind::outOfBounds.data(), "expected bytes within the CTA's " + std::to_string(bytes.size()) +
                                          " bytes of shared memory, got " + std::to_string(address) + " .. " +
                                          std::to_string(uint64_t(address) + count - 1)};
  if (address % kUnitBytes || count % kUnitBytes)
    return {kind::misaligned.data(), "expected a multiple of 4 as shared address and size, got " +
                                         std::to_string(address) + " and " + std::to_string(count)};
  return {};
}

/// Why a lane does not know yet what the unit holds.
Race SharedMemory::whyUnseen(const Unit &unit, const Access &access, bool reading) const {
  switch (unit.state) {
  case State::never:
    if (reading)
      return {kind::neverWritten.data(), "expected shared memory that was written, got bytes that never were"};
    return {};
  case State::written:
    if ((unit.warp == access.warp && unit.lane == access.lane) || access.clock[unit.warp] > unit.epoch)
      return {};
    return {reading ? kind::unorderedRead.data() : kind::unorderedWrite.data(),
            std::string("expected a ") + (unit.warp == access.warp ? "warp" : "CTA") +
                " barrier between the write and this access by " + lanesName(access.warp, access.lane) +
                ", got bytes that " + lanesName(unit.warp, unit.lane) + " wrote"};
  case State::inFlight:
    return {kind::inFlight.data(), "expected bytes whose copy is waited for, got bytes that a copy of " +
                                       lanesName(unit.warp, unit.lane) + " is still writing"};
  case State::byEngine:
    if (unit.barrier < access.phases.size() && access.phases[unit.barrier] > unit.epoch)
      return {};
    return {kind::inFlight.data(), "expected a wait for phase " + std::to_string(unit.epoch) +
                                       " of the barrier that the copy reports to, got an access by " +
                                       lanesName(access.warp, access.lane) + " without one"};
  case State::barrier:
    return {kind::unorderedRead.data(), "expected data, got the bytes of a barrier"};
  }
  return {};
}

/// Why a lane may not replace what the unit holds.
Race SharedMemory::whyOverwritten(uint32_t unit, const Access &access) const {
  for (unsigned warp = 0; warp < warps; ++warp) {
    const Readers &read = readers[unit * warps + warp];
    uint32_t others = warp == access.warp ? read.lanes & ~(1u << access.lane) : read.lanes;
    if (others && access.clock[warp] <= read.epoch)
      return {kind::refill.data(), std::string("expected a ") + (warp == access.warp ? "warp" : "CTA") +
                                       " barrier since " + lanesName(warp, __builtin_ctz(others)) +
                                       " read these bytes, got new ones from " + lanesName(access.warp, access.lane)};
  }
  return whyUnseen(units[unit], access, /*reading=*/false);
}

void SharedMemory::forget(uint32_t unit) {
  for (unsigned warp = 0; warp < warps; ++warp)
    readers[unit * warps + warp] = {};
}

Race SharedMemory::read(uint32_t address, uint32_t count, const Access &access) {
  if (Race race = whyNoAccess(address, count))
    return race;
  Race found;
  for (uint32_t unit = address / kUnitBytes; unit < (address + count) / kUnitBytes; ++unit) {
    if (!found)
      found = whyUnseen(units[unit], access, /*reading=*/true);
    Readers &read = readers[unit * warps + access.warp];
    uint32_t epoch = access.clock[access.warp];
    if (read.lanes && read.epoch == epoch)
      read.lanes |= 1u << access.lane;
    else
      read = {epoch, 1u << access.lane};
  }
  return found;
}

Race SharedMemory::write(uint32_t address, uint32_t count, const Access &access) {
  if (Race race = whyNoAccess(address, count))
    return race;
  Race found;
  for (uint32_t unit = address / kUnitBytes; unit < (address + count) / kUnitBytes; ++unit) {
    if (!found)
      found = whyOverwritten(unit, access);
    forget(unit);
    units[unit] = {State::written, uint8_t(access.warp), uint8_t(access.lane), access.clock[access.warp], 0};
  }
  return found;
}

Race SharedMemory::startCopy(uint32_t address, uint32_t count, const Access &access) {
  Race found = write(address, count, access);
  if (whyNoAccess(address, count))
    return found;
  for (uint32_t unit = address / kUnitBytes; unit < (address + count) / kUnitBytes; ++unit)
    units[unit].state = State::inFlight;
  std::memset(data(address), kPoison, count);
  return found;
}

void SharedMemory::endCopy(uint32_t address, uint32_t count, const Access &access) {
  for (uint32_t unit = address / kUnitBytes; unit < (address + count) / kUnitBytes; ++unit)
    units[unit] = {State::written, uint8_t(access.warp), uint8_t(access.lane), access.clock[access.warp], 0};
}

void SharedMemory::handToEngine(uint32_t address, uint32_t count, uint32_t barrier, uint32_t phase) {
  for (uint32_t unit = address / kUnitBytes; unit < (address + count) / kUnitBytes; ++unit) {
    units[unit].state = State::byEngine;
    units[unit].epoch = phase;
    units[unit].barrier = barrier;
  }
}

void SharedMemory::makeBarrier(uint32_t address, uint32_t count) {
  for (uint32_t unit = address / kUnitBytes; unit < (address + count) / kUnitBytes; ++unit) {
    forget(unit);
    units[unit].state = State::barrier;
  }
}
