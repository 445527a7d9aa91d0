// Which properties and relationships a recall uses and which it lacks.

#include "query/recall/recall_parts.hpp"

#include "engine/catalog/catalog.hpp"
#include "engine/fulltext/stop_words.hpp"
#include "engine/fulltext/word_breaker.hpp"
#include "query/recall/recall_roles.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {
namespace {

constexpr const char* no_groups =
    "records of one conversation or document do not support each other; store e.g. `conversation` "
    "with each, or name your property in `group_properties`";
constexpr const char* no_order =
    "records follow each other in the order of their creation; store e.g. `turn` or `time`, or "
    "name "
    "your property in `order_properties`";
constexpr const char* no_authors =
    "questions about what somebody said find less; store e.g. `speaker` with each record, or name "
    "your property in `author_properties`";
constexpr const char* no_relationships =
    "the neighbours of a record are the records next to it in its group; without groups, a record "
    "has no neighbours";
constexpr const char* no_values =
    "names in a question are only searched in the texts; store them in properties, such as tags";

/// A part is missing if it has no properties, or if no visible node has a property of the caller's list.
Result<RecallPart> part_of(std::string_view name, const RecallRole& role, const char* missing,
                           const engine::View& view, const codec::Bitmap& visible) {
  RecallPart part{name, role.properties, role.found, missing};
  for (const std::string& property : role.properties) {
    CAIRN_ASSIGN(const bool is_there, has_property(view, visible, property));
    if (is_there) part.missing.clear();
  }
  return part;
}

/// True for words with a capital and then small letters, that are neither months nor days of the week.
bool is_like_a_name(std::string_view word) {
  constexpr std::array<std::string_view, 19> of_time = {
      "january",   "february",  "march",   "april",    "may",      "june",   "july",
      "august",    "september", "october", "november", "december", "monday", "tuesday",
      "wednesday", "thursday",  "friday",  "saturday", "sunday"};
  const auto is_small = [](char c) { return c < 'A' || c > 'Z'; };
  return word.size() > 1 && !is_small(word.front()) &&
         std::ranges::all_of(word.substr(1), is_small) &&
         std::ranges::find(of_time, engine::fold_word(word)) == of_time.end();
}

/// True if a word besides the first one is like a name and not a stop word.
Result<bool> has_name(std::string_view question, std::string_view language,
                      engine::TextWork& work) {
  bool is_first = true;
  CAIRN_ASSIGN(const auto words, engine::break_words(question, work));
  for (const engine::WordRange& range : words) {
    const std::string_view word = question.substr(range.begin, range.end - range.begin);
    if (!is_first && is_like_a_name(word) &&
        !engine::is_stop_word(language, engine::fold_word(word)))
      return true;
    is_first = false;
  }
  return false;
}

}  // namespace

RecallPart texts_part(const engine::View& view, const codec::IndexEntry& index) {
  RecallPart texts{"texts", {}, "index"};
  for (const std::uint32_t property : index.properties)
    texts.properties.push_back(view.catalog().name(codec::CatalogKind::property, property));
  return texts;
}

Result<std::vector<RecallPart>> role_parts(const engine::View& view, const codec::Bitmap& visible,
                                           const RecallRoles& roles) {
  std::vector<RecallPart> parts(3);
  CAIRN_ASSIGN(parts[0], part_of("groups", roles.groups, no_groups, view, visible));
  CAIRN_ASSIGN(parts[1], part_of("order", roles.order, no_order, view, visible));
  CAIRN_ASSIGN(parts[2], part_of("authors", roles.authors, no_authors, view, visible));
  return parts;
}

Result<RecallPart> values_part(const engine::View& view, const codec::Bitmap& visible,
                               const std::vector<std::uint32_t>& paths) {
  RecallRole values;
  for (const std::uint32_t path : paths) {
    CAIRN_ASSIGN(const bool is_there, has_path(view, visible, path));
    if (is_there) values.properties.push_back(view.catalog().paths().at(path).text);
  }
  if (!values.properties.empty()) values.found = "index";
  return part_of("values", values, no_values, view, visible);
}

// Looks for relationships only at the first records.
Result<RecallPart> relationships_part(const std::vector<std::string>& types,
                                      const codec::Bitmap& members, RecallNeighbours& neighbours) {
  constexpr std::size_t tried = 64;
  RecallPart steps{"relationships", types, "missing"};
  const auto ids = members.to_vector();
  for (std::size_t i = 0; i < std::min(tried, ids.size()) && steps.found == "missing"; ++i) {
    CAIRN_ASSIGN(const auto others, neighbours.of(ids[i]));
    if (!others.empty()) steps.found = neighbours.follows_all() ? "index" : "options";
  }
  if (steps.found == "missing") steps.missing = no_relationships;
  return steps;
}

Result<std::vector<std::string>> recall_warnings(const RecallEvidence& evidence,
                                                 std::string_view question,
                                                 std::string_view language,
                                                 engine::TextWork& work) {
  const auto& [features, roles, names, candidates] = evidence;
  std::vector<std::string> all;
  if (candidates.hits.empty()) return all;
  const bool is_alone = roles.groups.properties.empty() && !candidates.has_neighbours &&
                        names.mentioned.empty() && names.dated.empty() && candidates.nearest == 0;
  if (is_alone && features.group_weight > 0)
    all.emplace_back(
        "recall used only texts, because the records have neither relationships nor groups; "
        "CALL db.recall.describe() shows what to store");
  const bool has_no_author =
      roles.authors.properties.empty() && features.author_weight > 0 && names.mentioned.empty();
  if (!has_no_author) return all;
  CAIRN_ASSIGN(const bool is_named, has_name(question, language, work));
  if (is_named)
    all.emplace_back("the question has a name, but no property names the author of a record: " +
                     std::string(no_authors));
  return all;
}

}  // namespace cairn::query
