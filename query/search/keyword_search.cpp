// Keyword search without an index. The words and the texts are converted by the functions of the language, so that a
// search by keywords and a condition of a statement agree.

#include "codec/bitmap.hpp"
#include "codec/utf8.hpp"
#include "query/builtins/registry.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/functions/paced_text.hpp"
#include "query/search/index_search.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::query {
namespace {

constexpr std::int64_t least_characters = 3;  // of a word that counts

/// toLower(toStringOrNull(value)).
Result<Value> lower_text(ExecutionContext& context, const Value& value) {
  static const FunctionEntry& to_text = *find_function("toStringOrNull");
  static const FunctionEntry& to_lower = *find_function("toLower");
  const FunctionContext call{&context.graph.view(), context.now, 0, &context.budget};
  CAIRN_ASSIGN(const Value text, to_text.call({&value, 1}, call));
  return to_lower.call({&text, 1}, call);
}

/// The distinct words of a text between blanks.
std::vector<std::string> words_of(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  std::vector<std::string> words;
  for (auto begin = text.find_first_not_of(blanks); begin != text.npos;) {
    const auto end = std::min(text.find_first_of(blanks, begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    if (codec::utf8_length(word) >= least_characters) words.emplace_back(word);
    begin = text.find_first_not_of(blanks, end);
  }
  std::ranges::sort(words);
  words.erase(std::ranges::unique(words).begin(), words.end());
  return words;
}

/// The share of the words that a value contains.
Result<double> share_of(ExecutionContext& context, const std::vector<std::string>& words,
                        const Value& value) {
  CAIRN_TRY(context.budget.step());
  CAIRN_ASSIGN(const Value lower, lower_text(context, value));
  if (lower.is_null()) return 0.0;
  const std::string_view text = *lower.string();
  std::size_t found = 0;
  for (const std::string& word : words) {
    CAIRN_TRY(context.budget.step());
    CAIRN_ASSIGN(const std::size_t at, paced_find(&context.budget, text, word, 0));
    if (at != text.npos) ++found;
  }
  return static_cast<double>(found) / static_cast<double>(words.size());
}

/// Adds the nodes of one part of the ids whose texts contain a word.
Status score_nodes(ExecutionContext& context, const std::string& property,
                   const std::vector<std::string>& words, std::span<const std::uint64_t> ids,
                   std::vector<RankedId>& hits) {
  while (!ids.empty()) {
    CAIRN_ASSIGN(const auto values,
                 context.graph.some_properties(codec::EntityKind::node, ids, property));
    for (std::size_t i = 0; i < values.size(); ++i) {
      CAIRN_ASSIGN(const double score, share_of(context, words, values[i]));
      if (score > 0) hits.push_back({ids[i], score});
    }
    ids = ids.subspan(values.size());
  }
  return {};
}

}  // namespace

Result<std::vector<RankedId>> search_keywords(ExecutionContext& context,
                                              const IndexQuestion& question, std::size_t k,
                                              const codec::Bitmap& allowed) {
  std::vector<RankedId> hits;
  CAIRN_ASSIGN(const Value lower, lower_text(context, question.text));
  const std::vector<std::string> words = words_of(*lower.string());
  if (words.empty()) return hits;
  Holding held(context.budget);
  CAIRN_TRY(held.add_bytes(words.size() * sizeof(std::string) + lower.string()->size()));
  std::array<std::uint64_t, 1'024> ids;
  codec::IdCursor cursor(allowed);
  while (const std::size_t some = cursor.next(ids)) {
    const std::size_t before = hits.capacity();
    CAIRN_TRY(score_nodes(context, question.property, words, std::span(ids).first(some), hits));
    CAIRN_TRY(held.add_bytes((hits.capacity() - before) * sizeof(RankedId)));
  }
  std::ranges::sort(hits, is_better);
  if (hits.size() > k) hits.resize(k);
  hits.shrink_to_fit();
  return hits;
}

}  // namespace cairn::query
