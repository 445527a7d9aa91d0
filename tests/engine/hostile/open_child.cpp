// open_child DIRECTORY MODE: uses a database like a program, and prints the largest number of bytes that it allocated
// at once. An error is not a failure. Only a crash is a failure, or a hang, which the parent process ends.
//
// Allocations are counted at the C library, so that those of RocksDB are included.

#include "tests/engine/hostile/sample_database.hpp"

#include <cairn/check_files.hpp>
#include <cairn/database.hpp>
#include <cairn/statement.hpp>
#include <cairn/vector_search.hpp>

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

// Can be negative: memory that the dynamic loader itself allocated is counted only when freed.
std::atomic<std::ptrdiff_t> held = 0;
std::atomic<std::ptrdiff_t> most_held = 0;

std::ptrdiff_t size_of(void* memory) {
  return static_cast<std::ptrdiff_t>(::malloc_usable_size(memory));
}

void* counted(void* memory) {
  if (memory == nullptr) return memory;
  const std::ptrdiff_t size = size_of(memory);
  const std::ptrdiff_t now = held.fetch_add(size, std::memory_order_relaxed) + size;
  std::ptrdiff_t most = most_held.load(std::memory_order_relaxed);
  while (now > most && !most_held.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
  }
  return memory;
}

void forget(void* memory) {
  if (memory != nullptr) held.fetch_sub(size_of(memory), std::memory_order_relaxed);
}

}  // namespace

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* memory);

void* malloc(std::size_t size) { return counted(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) { return counted(__libc_calloc(count, size)); }
void* realloc(void* memory, std::size_t size) {
  forget(memory);
  return counted(__libc_realloc(memory, size));
}
void* memalign(std::size_t alignment, std::size_t size) {
  return counted(__libc_memalign(alignment, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  *memory = memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
void free(void* memory) {
  forget(memory);
  __libc_free(memory);
}
}

namespace {

using namespace cairn;

void ask(Database& database) {
  for (const std::string& question : test::sample_questions()) {
    auto rows = execute(database, question);
    if (rows) static_cast<void>(rows->all().has_value());
  }
  const auto snapshot = database.snapshot();
  if (!snapshot) return;
  const float query[] = {1, 2, 3, 4};
  static_cast<void>(search_vectors(*snapshot, "meanings", query).has_value());
  static_cast<void>(snapshot->find_node("id7").has_value());
}

void use(const char* directory, const Options& options) {
  auto database = Database::open(directory, options);
  if (!database) {
    std::printf("refused: %s\n", database.error().message.c_str());
    return;
  }
  static_cast<void>(database->check().has_value());
  ask(*database);
  std::printf("%s\n", database->close() ? "opened" : "opened, and not closed");
}

}  // namespace

int main(int, char** arguments) {
  // Protects the machine: a process that needs this much memory has failed already.
  const rlimit most{std::size_t{8} << 30, std::size_t{8} << 30}, no_core{0, 0};
  ::setrlimit(RLIMIT_AS, &most);
  ::setrlimit(RLIMIT_CORE, &no_core);
  const std::string_view mode = arguments[2];
  cairn::Options options = cairn::test::sample_options();
  options.create_if_missing = mode != "repair";
  options.repair = mode == "repair";
  if (mode == "files") {
    static_cast<void>(cairn::check_files(arguments[1]).has_value());
    options.mode = cairn::OpenMode::read_only;
  }
  use(arguments[1], options);
  std::printf("%td\n", most_held.load());
  return 0;
}
