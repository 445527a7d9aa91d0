#include "engine/vector/huge_memory.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace cairn::engine {
namespace {

constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

}  // namespace

// If the system refuses huge pages, the memory is usable all the same.
Memory allocate_memory(std::size_t bytes) noexcept {
  const std::size_t unit = bytes < 2 * huge_page_bytes ? cache_line_bytes : huge_page_bytes;
  const std::size_t size = (std::max<std::size_t>(bytes, 1) + unit - 1) / unit * unit;
  Memory memory(static_cast<char*>(std::aligned_alloc(unit, size)));
  if (memory && unit == huge_page_bytes) (void)::madvise(memory.get(), size, MADV_HUGEPAGE);
  return memory;
}

}  // namespace cairn::engine
