#include "query/execute/rows/joined_codes.hpp"

#include <utility>

namespace cairn::query {

Result<BatchColumn> JoinedCodes::join(const BatchColumn& column) {
  CAIRN_ASSIGN(Codes * codes, codes_of(column.dictionary()));
  std::vector<std::uint64_t> words;
  std::vector<std::uint8_t> missing;
  const std::size_t rows = column.words().size();
  if (column.has_missing()) missing.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    if (column.is_missing(row)) {
      missing[row] = 1;
      words.push_back(0);
      continue;
    }
    const std::uint64_t word = column.words()[row];
    std::uint32_t& code = (*codes)[word];
    if (code == 0) CAIRN_TRY(learn((*column.dictionary())[word], code));
    words.push_back(code - 1);
  }
  return BatchColumn::words(BatchColumn::Form::codes, std::move(words), std::move(missing),
                            values_);
}

// The dictionaries do not grow meanwhile: the threads that made them have ended.
Result<JoinedCodes::Codes*> JoinedCodes::codes_of(const BatchColumn::Dictionary& dictionary) {
  const auto [known, is_new] = known_.try_emplace(dictionary.get());
  if (is_new) {
    CAIRN_TRY(held_.add_bytes(dictionary->size() * sizeof(std::uint32_t)));
    known->second.resize(dictionary->size());
  }
  return &known->second;
}

// Charges the value twice: in the table and in the dictionary.
Status JoinedCodes::learn(const Value& value, std::uint32_t& code) {
  constexpr std::size_t learnt_bytes = 72;  // estimated bytes of a hash table entry
  const auto next = static_cast<std::uint32_t>(values_->size() + 1);
  const auto [known, is_new] = code_of_value_.try_emplace(value, next);
  if (is_new) {
    CAIRN_TRY(held_.add_bytes(learnt_bytes + 2 * memory_bytes(value)));
    values_->push_back(value);
  }
  code = known->second;
  return {};
}

}  // namespace cairn::query
