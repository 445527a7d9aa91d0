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

}  // namespace cairn::test
