#include "tests/query/syntax/measured_stack.hpp"

#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

namespace cairn::test {
namespace {

constexpr unsigned char untouched = 0xA5;
constexpr std::size_t page_bytes = 4096;

void* run_function(void* function) {
  (*static_cast<const std::function<void()>*>(function))();
  return nullptr;
}

struct Free {
  void operator()(unsigned char* memory) const { std::free(memory); }
};

}  // namespace

std::size_t measured_stack(std::size_t stack_bytes, const std::function<void()>& run) {
  const std::unique_ptr<unsigned char, Free> stack(
      static_cast<unsigned char*>(std::aligned_alloc(page_bytes, stack_bytes)));
  if (stack == nullptr) throw std::bad_alloc();
  std::fill_n(stack.get(), stack_bytes, untouched);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack.get(), stack_bytes);
  pthread_t thread{};
  const bool is_started = pthread_create(&thread, &attributes, run_function,
                                         const_cast<std::function<void()>*>(&run)) == 0;
  if (is_started) pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  if (!is_started) throw std::bad_alloc();
  // It grows downwards.
  const unsigned char* end = stack.get() + stack_bytes;
  const unsigned char* deepest = std::find_if(static_cast<const unsigned char*>(stack.get()), end,
                                              [](unsigned char byte) { return byte != untouched; });
  return static_cast<std::size_t>(end - deepest);
}

}  // namespace cairn::test
