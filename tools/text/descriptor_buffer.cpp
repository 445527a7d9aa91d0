#include "tools/text/descriptor_buffer.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace cairn::tools {

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
    if (size == 0) failure_ = ENOSPC;  // no progress and no reason: asked again, it might never end
    if (size < 0 && errno != EINTR) failure_ = errno;
  }
  setp(held_.data(), held_.data() + held_.size());
  return failure_ == 0 ? 0 : -1;
}

}  // namespace cairn::tools
