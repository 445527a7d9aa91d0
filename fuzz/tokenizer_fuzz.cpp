// Reads a file tokenizer.json and divides a text with it: it is refused, or the tokens are among
// those that it has, and stand for ascending bytes of the text; equal texts have equal tokens.
//
// input := tokenizer.json NUL text

#include "fuzz/support/expect.hpp"
#include "tools/embedders/tokenizer/tokenizer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace cairn;
using namespace cairn::fuzz;

constexpr std::size_t most_bytes = 2'048;

void check_tokens(const tools::Tokenizer& tokenizer, std::string_view text) {
  const auto tokens = tokenizer.encode(text);
  if (!tokens) {
    expect(tokens.error().code == ErrorCode::resource_limit);
    return;
  }
  std::uint32_t begin = 0;
  for (const tools::Token& token : *tokens) {
    expect(token.id <= tokenizer.largest_id());
    expect(token.origin.begin <= token.origin.end && token.origin.end <= text.size());
    expect(token.origin.begin >= begin);
    begin = token.origin.begin;
  }
  expect(*tokenizer.encode(text) == *tokens);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > most_bytes) return -1;
  const std::string_view input = text_of(data, size);
  const std::size_t end = std::min(input.find('\0'), input.size());
  const auto tokenizer = tools::Tokenizer::read(input.substr(0, end));
  if (tokenizer) check_tokens(*tokenizer, input.substr(std::min(end + 1, input.size())));
  return 0;
}
