// It is a statement, as no index is asked: the words are compared as the language compares texts.
#include "query/memory/keywords.hpp"

#include <cairn/value_as.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

std::vector<std::string> split_at_blanks(const std::string& text) {
  constexpr const char* blanks = " \t\r\n";
  std::vector<std::string> words;
  for (auto begin = text.find_first_not_of(blanks); begin != std::string::npos;) {
    const auto end = text.find_first_of(blanks, begin);
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(blanks, end);
  }
  return words;
}

std::ptrdiff_t count_characters(const std::string& word) {
  return std::ranges::count_if(
      word, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; });
}

// Words of three characters or more, each once.
// By the language's toLower(), as the contents are.
Result<List> keywords_of(const memory::Memory::Impl& impl, const Snapshot& snapshot,
                         const std::string& query) {
  CAIRN_ASSIGN(const Table table,
               impl.run(snapshot, "RETURN toLower($_query) AS text", {{"_query", query}}));
  CAIRN_ASSIGN(const auto lower, value_as<std::string>(table.rows.at(0).at(0)));
  std::vector<std::string> words = split_at_blanks(lower);
  std::erase_if(words, [](const std::string& word) { return count_characters(word) < 3; });
  std::ranges::sort(words);
  words.erase(std::ranges::unique(words).begin(), words.end());
  return List(words.begin(), words.end());
}

/// As many as a retriever brings.
std::int64_t most_hits(const memory::RecallRequest& request) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  const std::size_t oversample = std::max<std::size_t>(request.ranking.oversample, 1);
  if (request.limit > most / oversample) return std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::max<std::size_t>(request.limit * oversample, 1));
}

}  // namespace

Result<KeywordHits> find_keywords(const memory::Memory::Impl& impl, const Snapshot& snapshot,
                                  const memory::Selection& selection,
                                  const memory::RecallRequest& request) {
  KeywordHits found;
  CAIRN_ASSIGN(const List words, keywords_of(impl, snapshot, request.query));
  if (words.empty()) return found;
  Parameters parameters = selection.parameters;
  parameters.insert_or_assign("_words", words);
  parameters.insert_or_assign("_most", most_hits(request));
  const std::string text = selection.match() +
                           " WITH m, size([w IN $_words WHERE toLower(toStringOrNull(m.content)) "
                           "CONTAINS w]) AS found WHERE found > 0 "
                           "RETURN id(m) AS id, found ORDER BY found DESC, id LIMIT $_most";
  CAIRN_ASSIGN(Table table, impl.run(snapshot, text, parameters));
  for (const auto& row : table.rows)
    found.hits.push_back(
        {NodeId{static_cast<std::uint64_t>(row.at(0).as_integer())},
         static_cast<double>(row.at(1).as_integer()) / static_cast<double>(words.size())});
  found.warnings = std::move(table.warnings);
  return found;
}

}  // namespace cairn::query
