#pragma once
// Compares the tokens of texts with those that they must have.

#include "tests/support/graph_builder.hpp"
#include "tools/embedders/tokenizer/tokenizer.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace cairn::test {

using Ids = std::vector<std::uint32_t>;

[[nodiscard]] inline Ids ids_of(const tools::Tokenizer& tokenizer, std::string_view text) {
  Ids ids;
  for (const tools::Token& token : must(tokenizer.encode(text))) ids.push_back(token.id);
  return ids;
}

struct Golden {
  std::string_view text;
  Ids ids;
};

inline void check(const tools::Tokenizer& tokenizer, const std::vector<Golden>& golden) {
  for (const auto& [text, ids] : golden) {
    const Ids found = ids_of(tokenizer, text);
    BOOST_TEST_CONTEXT(text) { BOOST_TEST(found == ids, boost::test_tools::per_element()); }
  }
}

}  // namespace cairn::test
