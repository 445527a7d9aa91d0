#pragma once
// Memory that is read all over: in huge pages where the system gives them, or the places of pages are
// looked up more often than the memory itself. Searches of codes gained a tenth.

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
/// From malloc, because hnswlib frees it.
using Memory = std::unique_ptr<char, FreeMemory>;
/// Beginning with a line of memory, much of it in huge pages where the system gives them: from 4 MiB
/// on, and up to 2 MiB more than asked for. Null if absent; not for no bytes.
[[nodiscard]] Memory allocate_memory(std::size_t bytes) noexcept;

template <class T>
struct HugeAllocator {
  using value_type = T;

  HugeAllocator() = default;
  template <class U>
  HugeAllocator(const HugeAllocator<U>&) noexcept {}

  // A vector asks for no more than fits in memory, so that the product does not overflow.
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
