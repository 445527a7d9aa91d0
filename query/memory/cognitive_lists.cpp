// list_episodes and list_insights of source document 4, with its limits and error texts.
// Both are read_page() with conditions, newest first. The error texts are the document's, word for
// word, because its clients compare them.

#include "query/memory/field_check.hpp"
#include "query/memory/memory_impl.hpp"

#include <cairn/value_as.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace cairn::memory {
namespace {

constexpr std::array<std::string_view, 4> io_categories = {"self", "ethr", "shared",
                                                           "relationship"};
constexpr std::array<std::string_view, 5> memory_sectors = {"emotional", "episodic", "semantic",
                                                            "procedural", "reflective"};

Error refuse(std::string message) { return {ErrorCode::invalid_argument, std::move(message), {}}; }

/// The bounds and words of the tools that these lists stand for.
Status check_paging(std::int64_t limit, std::int64_t offset) {
  if (limit < 1 || limit > 100) return refuse("limit must be between 1 and 100");
  if (offset < 0) return refuse("offset must be >= 0");
  return {};
}

/// A word that no record can have would give an empty page, which looks like "none yet".
Status check_word(std::string_view name, const std::optional<std::string>& word,
                  std::span<const std::string_view> known) {
  if (!word || std::ranges::count(known, *word) > 0) return {};
  std::string text = "Invalid " + std::string(name) + ": " + *word + "; must be one of";
  for (const std::string_view one : known)
    text += (one == known[0] ? " " : ", ") + std::string(one);
  return refuse(text);
}

/// An empty option is not a bound; a text that is not an instant is refused.
Result<std::optional<std::int64_t>> instant_of(const std::optional<std::string>& text) {
  if (!text) return std::optional<std::int64_t>();
  const auto instant = to_instant(Value(*text));
  if (!instant) return refuse("Invalid ISO 8601 timestamp: " + *text);
  return instant;
}

/// created_at is stored as text in one form (time_text), in which order of texts is order of times.
Status add_dates(query::Conditions& conditions, const std::optional<std::string>& from_text,
                 const std::optional<std::string>& to_text,
                 const std::optional<std::string>& since_text) {
  CAIRN_ASSIGN(auto from, instant_of(from_text));
  CAIRN_ASSIGN(const auto to, instant_of(to_text));
  CAIRN_ASSIGN(const auto since, instant_of(since_text));
  if (since) from = std::max(from.value_or(*since), *since);
  if (from && to && *from > *to) return refuse("date_from must not be after date_to");
  if (from) conditions.compare("created_at", ">=", time_text(*from));
  if (to) conditions.compare("created_at", "<=", time_text(*to));
  return {};
}

void add_tags(query::Conditions& conditions, const std::vector<std::string>& tags) {
  // In the form in which they were stored, however they are typed here.
  for (const Value& tag : tag_set(List(tags.begin(), tags.end())))
    conditions.has_element("tags", tag);
}

SearchRequest request_of(std::string_view kind, std::int64_t limit, std::int64_t offset) {
  SearchRequest request;
  request.kinds = {std::string(kind)};
  request.limit = static_cast<std::uint64_t>(limit);
  request.offset = static_cast<std::uint64_t>(offset);
  return request;
}

}  // namespace

// A category is how the query begins: "[category] ...".
Result<Page> Memory::list_episodes(const EpisodeList& request) const {
  CAIRN_TRY(check_paging(request.limit, request.offset));
  query::Conditions conditions;
  add_tags(conditions, request.tags);
  if (request.category) conditions.compare("query", "STARTS WITH", "[" + *request.category + "]");
  CAIRN_TRY(add_dates(conditions, request.date_from, request.date_to, request.since));
  return read_page(*impl_, request_of("episode", request.limit, request.offset),
                   std::move(conditions));
}

// Criteria that are not given are no conditions; those given are all to hold. Newest first, a page
// of them.
Result<Page> Memory::list_insights(const InsightList& request) const {
  CAIRN_TRY(check_paging(request.limit, request.offset));
  CAIRN_TRY(check_word("io_category", request.io_category, io_categories));
  CAIRN_TRY(check_word("memory_sector", request.memory_sector, memory_sectors));
  query::Conditions conditions;
  add_tags(conditions, request.tags);
  CAIRN_TRY(add_dates(conditions, request.date_from, request.date_to, {}));
  if (request.io_category) conditions.equals("io_category", *request.io_category);
  if (request.is_identity) conditions.equals("is_identity", *request.is_identity);
  if (request.memory_sector) conditions.equals("memory_sector", *request.memory_sector);
  return read_page(*impl_, request_of("insight", request.limit, request.offset),
                   std::move(conditions));
}

}  // namespace cairn::memory
