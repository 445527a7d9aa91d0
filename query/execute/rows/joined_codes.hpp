#pragma once
// JoinedCodes: turns codes of several dictionaries into codes of one, so that keys of several threads can be compared as words.

#include "query/execute/batch_column.hpp"
#include "query/execute/holding.hpp"
#include "query/functions/value_semantics.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace cairn::query {

class JoinedCodes {
 public:
  explicit JoinedCodes(Budget& budget) : held_(budget) {}

  /// Returns the same values with codes of the joined dictionary. Precondition: a column of codes.
  /// Errors: resource_limit, cancelled.
  [[nodiscard]] Result<BatchColumn> join(const BatchColumn& column);

 private:
  using Codes = std::vector<std::uint32_t>;
  struct Hash {
    std::size_t operator()(const Value& value) const { return hash_value(value); }
  };
  struct Equivalence {
    bool operator()(const Value& a, const Value& b) const { return equivalent(a, b); }
  };

  [[nodiscard]] Result<Codes*> codes_of(const BatchColumn::Dictionary& dictionary);
  [[nodiscard]] Status learn(const Value& value, std::uint32_t& code);

  std::map<const void*, Codes> known_;  // by dictionary: for each code, the joined one + 1, or 0
  std::unordered_map<Value, std::uint32_t, Hash, Equivalence> code_of_value_;
  std::shared_ptr<std::vector<Value>> values_ = std::make_shared<std::vector<Value>>();
  Holding held_;
};

}  // namespace cairn::query
