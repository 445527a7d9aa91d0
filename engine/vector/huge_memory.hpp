#pragma once
// Memory for random reads, in huge pages if the system grants them. With small pages, address
// translation causes more cache misses than the data. Huge pages made searches of codes about 10 %
// faster.

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace cairn::engine {

inline constexpr std::size_t cache_line_bytes = 64;

struct FreeMemory {
  void operator()(char* memory) const noexcept { std::free(memory); }
};
/// Allocated by malloc or aligned_alloc, because hnswlib frees it by free().
using Memory = std::unique_ptr<char, FreeMemory>;
/// Allocates memory aligned to a cache line. From 4 MiB on it is aligned to 2 MiB, rounded up to a
/// multiple of that, and huge pages are requested. Returns null if there is not enough memory, but
/// never null for 0 bytes.
[[nodiscard]] Memory allocate_memory(std::size_t bytes) noexcept;

/// Allocator for std::vector on top of allocate_memory().
template <class T>
struct HugeAllocator {
  using value_type = T;

  HugeAllocator() = default;
  template <class U>
  HugeAllocator(const HugeAllocator<U>&) noexcept {}

  // std::vector limits `count`, so the product does not overflow.
  [[nodiscard]] T* allocate(std::size_t count) {
    Memory memory = allocate_memory(count * sizeof(T));
    if (!memory) throw std::bad_alloc();
    return reinterpret_cast<T*>(memory.release());
  }
  void deallocate(T* memory, std::size_t) noexcept { std::free(memory); }
  friend bool operator==(const HugeAllocator&, const HugeAllocator&) noexcept { return true; }
};

template <class T>
using HugeVector = std::vector<T, HugeAllocator<T>>;

}  // namespace cairn::engine
