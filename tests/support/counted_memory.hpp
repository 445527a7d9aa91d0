#pragma once
// Counts the memory of a test program in operator new, with a limit that a test may set.

#include <cstddef>

namespace cairn::test {

/// Measures the peak of allocated memory, beyond what was allocated when the object was made. Only one object may
/// exist.
class MemoryPeak {
 public:
  MemoryPeak();
  [[nodiscard]] std::size_t bytes() const;

 private:
  std::size_t before_;
};

/// During the object's life, an allocation of this thread fails if it would take more than `bytes` beyond what was
/// allocated at its construction.
class MemoryEnd {
 public:
  explicit MemoryEnd(std::size_t bytes);
  ~MemoryEnd();
  MemoryEnd(const MemoryEnd&) = delete;
  MemoryEnd& operator=(const MemoryEnd&) = delete;
};

/// As MemoryEnd, for allocations of all threads.
class SharedMemoryEnd {
 public:
  explicit SharedMemoryEnd(std::size_t bytes);
  ~SharedMemoryEnd();
  SharedMemoryEnd(const SharedMemoryEnd&) = delete;
  SharedMemoryEnd& operator=(const SharedMemoryEnd&) = delete;
};

/// During the object's life, one allocation of this thread fails: the one after `count` others. RocksDB's allocations
/// do not count: its code is not safe against exceptions, and its state after one ends the process.
class FailingAllocation {
 public:
  explicit FailingAllocation(std::size_t count);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;
  /// Whether the allocation has failed.
  [[nodiscard]] static bool has_failed();
};

}  // namespace cairn::test
