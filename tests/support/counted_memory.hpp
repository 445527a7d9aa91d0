#pragma once
// The memory of a test program, counted at operator new, and an end of it that a test may set.

#include <cstddef>

namespace cairn::test {

/// The most memory that was taken at once since this object was made, beyond what was taken then. One
/// at a time.
class MemoryPeak {
 public:
  MemoryPeak();
  [[nodiscard]] std::size_t bytes() const;

 private:
  std::size_t before_;
};

/// While it lives, allocations of this thread fail that would take more than so many bytes beyond what is
/// taken now.
class MemoryEnd {
 public:
  explicit MemoryEnd(std::size_t bytes);
  ~MemoryEnd();
  MemoryEnd(const MemoryEnd&) = delete;
  MemoryEnd& operator=(const MemoryEnd&) = delete;
};

/// While it lives, one allocation of this thread fails: the one behind `count` others. Those that RocksDB makes do not
/// count: it is not made for exceptions, and what it leaves behind one ends the process.
class FailingAllocation {
 public:
  explicit FailingAllocation(std::size_t count);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;
  /// Whether it has come to that.
  [[nodiscard]] static bool has_failed();
};

}  // namespace cairn::test
