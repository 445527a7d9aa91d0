#include "tools/text/standard_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <iostream>

namespace cairn::tools {
namespace {

/// Opens /dev/null for closed descriptors of standard streams, because otherwise the next opened
/// file would get one of their numbers. They are opened for the wrong direction, so that reading or
/// writing them fails.
void take_closed_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0)
      ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

// Switching synchronization off later would replace the buffer of std::cout.
StandardOutput::StandardOutput() : buffer_(STDOUT_FILENO) {
  take_closed_descriptors();
  std::ios::sync_with_stdio(false);
  before_ = std::cout.rdbuf(&buffer_);
}

StandardOutput::~StandardOutput() { std::cout.rdbuf(before_); }

std::optional<std::string> StandardOutput::finish() {
  const int failure = buffer_.finish();
  return failure == 0 ? std::nullopt : std::optional<std::string>(std::strerror(failure));
}

DescriptorBuffer::DescriptorBuffer(int descriptor) : descriptor_(descriptor) {
  setp(held_.data(), held_.data() + held_.size());
}

int DescriptorBuffer::finish() {
  sync();
  return failure_;
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type c) {
  if (sync() != 0) return traits_type::eof();
  return traits_type::eq_int_type(c, traits_type::eof()) ? traits_type::not_eof(c)
                                                         : sputc(traits_type::to_char_type(c));
}

int DescriptorBuffer::sync() {
  const char* next = pbase();
  while (failure_ == 0 && next != pptr()) {
    const ssize_t size = ::write(descriptor_, next, static_cast<std::size_t>(pptr() - next));
    if (size > 0) next += size;
    if (size == 0) failure_ = ENOSPC;  // no progress and no error: avoid an endless loop
    if (size < 0 && errno != EINTR) failure_ = errno;
  }
  setp(held_.data(), held_.data() + held_.size());
  return failure_ == 0 ? 0 : -1;
}

}  // namespace cairn::tools
