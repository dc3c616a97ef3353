// One writer for each element of a launch; whoever reads it is of the writer's warp.
#include "lib/Lanes/GlobalMemory.h"
#include "lib/Lanes/Faults.h"

using namespace mlir::sdm::lanes;

static std::string name(uint32_t warp) { return "warp " + std::to_string(warp) + " of the launch"; }
static std::string name(Thread thread) { return "lane " + std::to_string(thread.lane) + " of " + name(thread.warp); }

Race GlobalMemory::read(uint64_t address, Thread thread, bool synchronised) {
  Element &element = elements[address];
  element.manyReaders |= element.hasReader && element.reader != thread.warp;
  element.hasReader = true;
  element.reader = thread.warp;
  if (!element.hasWriter || (element.writer.warp == thread.warp && element.writer.lane == thread.lane))
    return {};
  if (element.writer.warp != thread.warp)
    return {kind::globalRace.data(), "expected memory that no other warp writes in this launch, got an element that " +
                                         name(element.writer) + " wrote"};
  if (synchronised || thread.epoch > element.writer.epoch)
    return {};
  return {kind::globalRace.data(), "expected a warp barrier since the write, got an element that lane " +
                                       std::to_string(element.writer.lane) + " wrote"};
}

Race GlobalMemory::write(uint64_t address, Thread thread) {
  Element &element = elements[address];
  Race race;
  if (element.hasWriter && (element.writer.warp != thread.warp || element.writer.lane != thread.lane))
    race = {kind::twoWriters.data(),
            "expected one writer for each place in a launch, got " + name(element.writer) + " and " + name(thread)};
  else if (element.hasReader && (element.manyReaders || element.reader != thread.warp))
    race = {kind::globalRace.data(), "expected memory that no other warp reads in this launch, got an element that " +
                                         name(element.reader) + " read"};
  element.hasWriter = true;
  element.writer = thread;
  element.serial = ++serial;
  return race;
}
