// Finds authors whose names a question misspells: "Jhon" for "John".
//
// A misspelt name matches no author, so the question loses its author, and the name is searched for in texts. Only
// words that no text and no other property has are compared with authors: those of records that the question may find.

#include "codec/ordered_key.hpp"
#include "engine/fulltext/edit_distance.hpp"
#include "engine/fulltext/letter_case.hpp"
#include "engine/fulltext/text_search.hpp"
#include "engine/fulltext/word_breaker.hpp"
#include "engine/index/value_postings.hpp"
#include "query/recall/recall_names.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

/// The least numbers of letters for which two letters may be exchanged, and for which one may differ.
constexpr std::size_t shortest_exchanged = 4;
constexpr std::size_t shortest_changed = 6;
/// Limits of the cost.
constexpr std::size_t most_searched_words = 32;
constexpr std::size_t most_compared_words = 8;
/// Up to this number, all values are visited, because the index caches them. Of more values, only those with the same
/// first letter are visited.
constexpr double few_authors = 4'096;
constexpr std::size_t longest_author_bytes = 64;

/// The errors that a misspelt name may have, the less likely one last. The first letter is always correct.
enum class NameError : std::uint8_t { exchanged, changed, other };

/// Compares a word with a name, both in folded case.
NameError error_of(std::string_view word, std::string_view name) {
  const std::u32string a = engine::code_points(word), b = engine::code_points(name);
  const bool may_mean = a.size() >= shortest_exchanged && !b.empty() && a.front() == b.front();
  if (!may_mean || engine::edits_between(a, b, 1) != 1) return NameError::other;
  if (std::ranges::is_permutation(a, b)) return NameError::exchanged;
  return a.size() >= shortest_changed ? NameError::changed : NameError::other;
}

/// The authors that a word may mean: those for which the error is the likeliest.
struct MeantAuthors {
  const NamedText* text = nullptr;
  std::string word = {};  // folded
  NameError error = NameError::other;
  std::map<std::string, codec::Bitmap> records = {};  // by name

  void offer(const std::string& name, NameError found, const codec::Bitmap& with_name) {
    if (found > error || with_name.empty()) return;
    if (found < error) records.clear();
    error = found;
    records[name] = codec::unite(records[name], with_name);
  }
  /// The name that most records have; empty if there is none.
  [[nodiscard]] std::string name() const {
    const auto most = std::ranges::max_element(
        records, {}, [](const auto& entry) { return entry.second.cardinality(); });
    return most == records.end() ? std::string() : most->first;
  }
};

/// The names by which a value of an author property may be called: the whole value and its first word.
std::vector<std::string> names_in(std::string_view index_value) {
  const auto value = codec::read_ordered(index_value);
  if (!value || value->string() == nullptr || value->string()->size() > longest_author_bytes)
    return {};
  const std::string& whole = *value->string();
  std::vector<std::string> names = {whole};
  if (const std::size_t blank = whole.find(' '); blank != std::string::npos)
    names.push_back(whole.substr(0, blank));
  return names;
}

/// Visits the values of an author property that begin with one of `letters`. The values of all namespaces are counted,
/// but their number changes only the cost.
Status visit_authors(const engine::View& view, std::uint32_t path,
                     const std::set<std::string>& letters, const engine::VisitPosting& visit) {
  constexpr auto node = codec::EntityKind::node;
  constexpr auto scalar = codec::EntryKind::scalar;
  CAIRN_ASSIGN(const double count, engine::estimate_values(view, node, path, scalar));
  if (count > few_authors) {
    for (const std::string& letter : letters)
      CAIRN_TRY(engine::visit_texts_from(view, node, path, scalar, letter, visit));
    return {};
  }
  std::vector<std::string> beginnings;
  for (const std::string& letter : letters)
    codec::append_string_prefix(beginnings.emplace_back(), codec::OrderedTag::string, letter);
  return engine::visit_values(
      view, node, path, scalar, [&](std::string_view value, const codec::Bitmap& ids) {
        const bool is_one = std::ranges::any_of(
            beginnings, [&](const std::string& one) { return value.starts_with(one); });
        return is_one ? visit(value, ids) : Status();
      });
}

/// True for a word that no text in `visible` has. A stop word is never a name. Each other word costs a search.
Result<bool> is_unknown_name(const NamedText& word, const RecallSearch& search,
                             const codec::Bitmap& visible) {
  CAIRN_ASSIGN(const auto forms, search.forms_of(word.text));
  if (forms.empty()) return false;
  CAIRN_ASSIGN(const auto found, search.find(word.text, 1, visible));
  return found.hits.empty();
}

/// Returns the letters with which the name that `text` means may begin. A letter and its accent may be two characters
/// in the question and one in the value. `folded` is the text in folded case.
std::set<std::string> first_letters(std::string_view text, std::string_view folded) {
  const std::string_view letter = engine::first_letter(folded);
  return {std::string(engine::first_letter(text)), std::string(letter),
          engine::with_capital(letter)};
}

}  // namespace

Result<std::vector<NamedText>> meant_authors(ExecutionContext& context,
                                             const std::vector<std::uint32_t>& paths,
                                             const std::vector<NamedText>& words,
                                             const RecallSearch& search,
                                             const codec::Bitmap& visible) {
  std::vector<MeantAuthors> meant;
  std::set<std::string> letters;
  for (std::size_t i = 0; i < std::min(most_searched_words, words.size()); ++i) {
    CAIRN_ASSIGN(const bool is_unknown, is_unknown_name(words[i], search, visible));
    if (!is_unknown || meant.size() >= most_compared_words) continue;
    meant.push_back({&words[i], engine::fold_word(words[i].text)});
    letters.merge(first_letters(words[i].text, meant.back().word));
  }
  const auto offer = [&](std::string_view value, const codec::Bitmap& with_value) -> Status {
    CAIRN_TRY(context.budget.step(1));
    for (const std::string& name : names_in(value)) {
      const std::string folded = engine::fold_word(name);
      for (MeantAuthors& one : meant)
        if (const NameError found = error_of(one.word, folded); found != NameError::other)
          one.offer(name, found, codec::intersect(with_value, search.members()));
    }
    return {};
  };
  for (const std::uint32_t path : paths)
    if (!meant.empty()) CAIRN_TRY(visit_authors(context.graph.view(), path, letters, offer));
  std::vector<NamedText> names;
  for (const MeantAuthors& one : meant)
    if (std::string name = one.name(); !name.empty())
      names.push_back({std::move(name), one.text->first, 1});
  return names;
}

}  // namespace cairn::query
