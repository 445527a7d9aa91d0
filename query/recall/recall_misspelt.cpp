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
#include "query/recall/recall_run.hpp"

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

bool is_capital_word(const NamedText& text) {
  return text.count == 1 && engine::begins_with_capital(text.text);
}

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

}  // namespace

// A stop word is never a name. Each other word costs a search.
Result<bool> RecallRun::is_unknown_name(const NamedText& text) const {
  CAIRN_ASSIGN(const auto forms, asked_forms(text.text));
  if (forms.empty()) return false;
  CAIRN_ASSIGN(const auto found, search(text.text, 1, visible_));
  return found.hits.empty();
}

// Does nothing if the question names an author correctly: another word with a capital is a place or a thing then. The
// meant name is looked up in all properties, like a name that is spelt correctly, because other records may mention it.
Status RecallRun::find_misspelt_authors(const std::vector<std::uint32_t>& paths,
                                        const std::vector<NamedText>& texts) {
  const RecallFeatures& features = options_.features;
  const bool may_correct = features.corrects_spelling && features.author_weight > 0;
  if (!may_correct || !authors_.empty() || view_.index_reader() == nullptr) return {};
  std::vector<std::uint32_t> of_authors;
  for (const std::uint32_t path : paths)
    if (is_of_author(path)) of_authors.push_back(path);
  if (of_authors.empty()) return {};
  std::vector<MeantAuthors> meant;
  std::set<std::string> letters;
  std::size_t searched = 0;
  for (const NamedText& text : texts) {
    const bool may_be = is_capital_word(text) && !named_words_.contains(text.first);
    if (!may_be || searched++ >= most_searched_words) continue;
    CAIRN_ASSIGN(const bool is_unknown, is_unknown_name(text));
    if (!is_unknown || meant.size() >= most_compared_words) continue;
    meant.push_back({&text, engine::fold_word(text.text)});
    letters.emplace(engine::first_letter(text.text));
    // A letter and its accent may be two characters in the question and one in the value.
    const std::string_view folded = engine::first_letter(meant.back().word);
    letters.emplace(folded);
    letters.insert(engine::with_capital(folded));
  }
  const auto offer = [&](std::string_view value, const codec::Bitmap& with_value) -> Status {
    CAIRN_TRY(context_.budget.step(1));
    for (const std::string& name : names_in(value)) {
      const std::string folded = engine::fold_word(name);
      for (MeantAuthors& one : meant)
        if (const NameError found = error_of(one.word, folded); found != NameError::other)
          one.offer(name, found, codec::intersect(with_value, members_));
    }
    return {};
  };
  for (const std::uint32_t path : of_authors)
    if (!meant.empty()) CAIRN_TRY(visit_authors(view_, path, letters, offer));
  std::vector<NamedText> names;
  for (const MeantAuthors& one : meant)
    if (std::string name = one.name(); !name.empty())
      names.push_back({std::move(name), one.text->first, 1});
  if (names.empty()) return {};
  for (const std::uint32_t path : paths) CAIRN_TRY(find_mentions(path, names));
  return {};
}

}  // namespace cairn::query
