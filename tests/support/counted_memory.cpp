// Replaces operator new and delete of the program that this file is linked into. Memory that
// libraries allocate with malloc is not counted.
#include "tests/support/counted_memory.hpp"

#include <execinfo.h>
#include <link.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <string_view>
#include <utility>

namespace {

std::atomic<std::size_t> taken = 0;
std::atomic<std::size_t> peak = 0;
thread_local std::size_t end_of_memory = std::numeric_limits<std::size_t>::max();
std::atomic<std::size_t> shared_end_of_memory = std::numeric_limits<std::size_t>::max();

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
thread_local std::size_t allocations_left = never;  // before one fails

/// Where the code of RocksDB's library lies.
struct CodeRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

int note_rocksdb(dl_phdr_info* library, std::size_t, void* out) {
  if (std::string_view(library->dlpi_name).find("librocksdb") == std::string_view::npos) return 0;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const auto& part = library->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    const std::uintptr_t begin = library->dlpi_addr + part.p_vaddr;
    *static_cast<CodeRange*>(out) = {begin, begin + part.p_memsz};
  }
  return 1;
}

CodeRange find_rocksdb() {
  CodeRange range;
  dl_iterate_phdr(note_rocksdb, &range);
  return range;
}

CodeRange rocksdb_code;

bool is_of_rocksdb() noexcept {
  constexpr int most_frames = 48;
  void* frames[most_frames];
  const std::size_t left = std::exchange(allocations_left, never);  // the walk may allocate
  const int count = backtrace(frames, most_frames);
  allocations_left = left;
  return std::any_of(frames, frames + count, [](void* frame) {
    const auto place = reinterpret_cast<std::uintptr_t>(frame);
    return place >= rocksdb_code.begin && place < rocksdb_code.end;
  });
}

void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  if (allocations_left != never && !is_of_rocksdb() && allocations_left-- == 0) return nullptr;
  const std::size_t end =
      std::min(end_of_memory, shared_end_of_memory.load(std::memory_order_relaxed));
  if (taken.load(std::memory_order_relaxed) + bytes > end) return nullptr;
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

SharedMemoryEnd::SharedMemoryEnd(std::size_t bytes) { shared_end_of_memory = taken + bytes; }

SharedMemoryEnd::~SharedMemoryEnd() {
  shared_end_of_memory = std::numeric_limits<std::size_t>::max();
}

FailingAllocation::FailingAllocation(std::size_t count) {
  rocksdb_code = find_rocksdb();
  allocations_left = count;
}

FailingAllocation::~FailingAllocation() { allocations_left = never; }

// The counter wraps past zero to the largest number, `never`, which is not counted down.
bool FailingAllocation::has_failed() { return allocations_left == never; }

MemoryEnd::~MemoryEnd() { end_of_memory = std::numeric_limits<std::size_t>::max(); }

}  // namespace cairn::test
