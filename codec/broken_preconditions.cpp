// Ends the program with a message if it reads a result or a value as something that it is not. The
// library throws no exceptions, and continuing with a wrong value would be worse.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace cairn::detail {

void fail_value(const Error& error) noexcept {
  const std::string code(to_string(error.code));
  std::fprintf(stderr, "cairn: the value of a result was read, but it is an error (%s): %s\n",
               code.c_str(), error.message.c_str());
  std::abort();
}

void fail_error() noexcept {
  std::fputs("cairn: the error of a result was read, but it is a success\n", stderr);
  std::abort();
}

void fail_type(const char* call, ValueType type) noexcept {
  const std::string name(to_string(type));
  std::fprintf(
      stderr, "cairn: %s() was called on a value of type %s; check type() first, or use get_if()\n",
      call, name.c_str());
  std::abort();
}

void fail_range(std::uint64_t integer) noexcept {
  std::fprintf(stderr,
               "cairn: %" PRIu64
               " does not fit in a signed 64-bit integer; make a value of its text instead\n",
               integer);
  std::abort();
}

}  // namespace cairn::detail
