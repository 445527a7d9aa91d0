// Decodes bytes of the column family `index`: they are refused, or decoded and encoded alike.

#include "codec/posting.hpp"
#include "fuzz/support/expect.hpp"

namespace {

using namespace cairn::codec;
using cairn::fuzz::expect;

void check_posting(std::string_view bytes) {
  const auto container = decode_posting(bytes);
  BitmapBuilder builder;
  expect(add_posting(bytes, 1, builder).has_value() == container.has_value());
  if (!container.has_value()) return;
  expect(builder.build().cardinality() == container->cardinality());
  expect(decode_posting(encode_posting(*container)).value() == *container);
}

void check_delta(std::string_view bytes) {
  const auto delta = decode_posting_delta(bytes);
  if (!delta.has_value()) return;
  expect(encode_posting_delta(*delta) == bytes);
  expect(combine(*delta, *delta) == *delta);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_posting(bytes);
  check_delta(bytes);
  return 0;
}
