// Replaces operator new and delete of the program that this file is linked into. What libraries take by
// malloc is not counted.
#include "tests/query/execute/counted_memory.hpp"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

std::atomic<std::size_t> taken = 0;
std::atomic<std::size_t> peak = 0;
thread_local std::size_t end_of_memory = std::numeric_limits<std::size_t>::max();

void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  if (taken.load(std::memory_order_relaxed) + bytes > end_of_memory) return nullptr;
  void* made = alignment == 0 ? std::malloc(bytes) : std::aligned_alloc(alignment, bytes);
  if (made == nullptr) return nullptr;
  const std::size_t usable = malloc_usable_size(made);
  const std::size_t now = taken.fetch_add(usable, std::memory_order_relaxed) + usable;
  std::size_t before = peak.load(std::memory_order_relaxed);
  while (now > before && !peak.compare_exchange_weak(before, now, std::memory_order_relaxed)) {
  }
  return made;
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  void* made = allocate(bytes, alignment);
  if (made == nullptr) throw std::bad_alloc();
  return made;
}

void release(void* given) noexcept {
  if (given == nullptr) return;
  taken.fetch_sub(malloc_usable_size(given), std::memory_order_relaxed);
  std::free(given);
}

// aligned_alloc wants whole multiples.
std::size_t whole(std::size_t bytes, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate_or_throw(bytes, 0); }
void* operator new[](std::size_t bytes) { return allocate_or_throw(bytes, 0); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes, 0); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate(bytes, 0);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(whole(bytes, alignment), static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(whole(bytes, alignment), static_cast<std::size_t>(alignment));
}
void operator delete(void* given) noexcept { release(given); }
void operator delete[](void* given) noexcept { release(given); }
void operator delete(void* given, std::size_t) noexcept { release(given); }
void operator delete[](void* given, std::size_t) noexcept { release(given); }
void operator delete(void* given, const std::nothrow_t&) noexcept { release(given); }
void operator delete[](void* given, const std::nothrow_t&) noexcept { release(given); }
void operator delete(void* given, std::align_val_t) noexcept { release(given); }
void operator delete[](void* given, std::align_val_t) noexcept { release(given); }
void operator delete(void* given, std::size_t, std::align_val_t) noexcept { release(given); }
void operator delete[](void* given, std::size_t, std::align_val_t) noexcept { release(given); }

namespace cairn::test {

MemoryPeak::MemoryPeak() : before_(taken) { peak = before_; }

std::size_t MemoryPeak::bytes() const { return peak - before_; }

MemoryEnd::MemoryEnd(std::size_t bytes) { end_of_memory = taken + bytes; }

MemoryEnd::~MemoryEnd() { end_of_memory = std::numeric_limits<std::size_t>::max(); }

}  // namespace cairn::test
