// Reads requests of the memory calls from maps, member by member.
#include "query/memory_calls/read_requests.hpp"

#include "query/functions/numbers.hpp"
#include "query/functions/vector_components.hpp"

#include <cairn/filter.hpp>
#include <cairn/recall.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

using memory::RecallRequest;
using memory::Strategy;

// Indexed by memory::Strategy.
constexpr std::array<std::string_view, 7> strategies = {
    "automatic", "vector", "graph_neighborhood", "graph_completion", "graph_summary",
    "hybrid",    "text"};
// Indexed by PassageExtent.
constexpr std::array<std::string_view, 2> extents = {"context", "session"};
constexpr std::array<std::string_view, 4> rankings = {"similarity", "recency", "rrf",
                                                      "rrf_relational"};

/// Reads the boosts by field: the score of a record in which the field is set is multiplied by 1 + factor.
std::map<std::string, double> read_boosts(RequestReader& reader) {
  std::map<std::string, double> boosts;
  Properties given;
  reader.read("boosts", given);
  for (const auto& [field, factor] : given) {
    if (!factor.is_number())
      reader.refuse("boosts", "a map of fields and numbers", Value(Map{{field, factor}}));
    else
      boosts.emplace(field, float_of(factor));
  }
  return boosts;
}

// A ranking by name, with boosts added to it.
void read_ranking(RequestReader& reader, Ranking& ranking) {
  std::size_t chosen = 0;
  reader.read_word("ranking", rankings, chosen);
  const auto boosts = read_boosts(reader);
  if (chosen == 1) ranking = memory::recency_ranking();
  if (chosen == 2) ranking = memory::rrf_ranking();
  if (chosen == 3) ranking = memory::rrf_ranking(memory::QuestionKind::relational);
  if (chosen == 0 && !boosts.empty()) ranking = memory::similarity_ranking(boosts);
  if (chosen != 0)
    for (const auto& [field, factor] : boosts) ranking.boosts.push_back({field, factor});
}

// A vector, or a list of numbers.
void read_vector(RequestReader& reader, std::vector<float>& vector) {
  const Value* value = reader.find("vector");
  if (value == nullptr) return;
  auto components = vector_components(*value, {});
  if (components)
    vector = *std::move(components);
  else
    reader.refuse("vector", "a vector or a list of numbers", *value);
}

void read_dates(RequestReader& reader, std::optional<std::string>& from,
                std::optional<std::string>& to) {
  reader.read("date_from", from);
  reader.read("date_to", to);
}

}  // namespace

// `filter` may be a value or JSON; `where` is a condition as text with `parameters`.
void read_search(RequestReader& reader, memory::SearchRequest& request) {
  reader.read("kinds", request.kinds);
  if (const Value* value = reader.find("filter")) {
    auto filter = filter_from(*value);
    if (filter)
      request.filter = *std::move(filter);
    else
      reader.fail(std::move(filter).error());
  }
  reader.read("where", request.where);
  Properties parameters;
  reader.read("parameters", parameters);
  for (auto& [name, value] : parameters) request.parameters.emplace(name, value);
  reader.read("session", request.session);
  reader.read("query", request.query);
  reader.read("sort_by", request.sort_by);
  reader.read("descending", request.descending);
  std::size_t limit = static_cast<std::size_t>(request.limit);
  std::size_t offset = 0;
  reader.read_count("limit", limit);
  reader.read_count("offset", offset);
  request.limit = limit;
  request.offset = offset;
  reader.read("include_deleted", request.include_deleted);
  reader.read("own_only", request.own_only);
}

Result<memory::SearchRequest> search_request(std::string_view call, const Map& map) {
  memory::SearchRequest request;
  RequestReader reader(call, map);
  read_search(reader, request);
  CAIRN_TRY(reader.check());
  return request;
}

// The scope has a limit and a query of its own, which belong to the recall here.
Result<RecallRequest> recall_request(const Map& map) {
  RecallRequest request;
  RequestReader reader("memory.recall()", map);
  request.scope.limit = request.limit;
  read_search(reader, request.scope);
  request.query = std::exchange(request.scope.query, {});
  request.limit = static_cast<std::size_t>(request.scope.limit);
  read_vector(reader, request.vector);
  reader.read("min_score", request.min_score);
  std::size_t strategy = 0;
  reader.read_word("strategy", strategies, strategy);
  request.strategy = static_cast<Strategy>(strategy);
  read_ranking(reader, request.ranking);
  reader.read("fallback_without_minimum", request.fallback.without_minimum);
  reader.read("fallback_keywords", request.fallback.keywords);
  reader.read("relationship_types", request.relationship_types);
  reader.read("include_relationships", request.include_relationships);
  reader.read_count("context", request.context);
  if (const Value* given = reader.find("expand"); given != nullptr && *given == Value("group"))
    reader.refuse("expand", "context or session (session is the whole group of a hit)", *given);
  std::size_t expand = 0;
  reader.read_word("expand", extents, expand);
  request.expand = static_cast<PassageExtent>(expand);
  reader.read_count("max_tokens", request.max_tokens);
  CAIRN_TRY(reader.check());
  return request;
}

namespace {

/// A lifetime and an external id are not fields: an update of a field with such a name would change neither.
void refuse_system_fields(RequestReader& reader, const memory::Update& update) {
  const auto is_named = [&](std::string_view name) {
    return update.changes.contains(name) || std::ranges::count(update.unset, name) > 0;
  };
  if (is_named("expires_at"))
    reader.fail({ErrorCode::invalid_argument,
                 reader.call() +
                     " does not change `expires_at` as a field: `expires_at: 'never'` beside "
                     "`changes` removes a lifetime, and memory.forget() sets one",
                 std::nullopt});
  if (is_named("external_id"))
    reader.fail({ErrorCode::invalid_argument,
                 reader.call() + " cannot change the external id of a record, which is set when "
                                 "the record is added; to choose the "
                                 "record by it, put `external_id` beside `changes`",
                 std::nullopt});
}

}  // namespace

// Who may write but not forget must not let records expire, so an update only removes a lifetime.
void read_update(RequestReader& reader, memory::Update& update) {
  reader.read("changes", update.changes);
  reader.read("unset", update.unset);
  refuse_system_fields(reader, update);
  reader.read("merge", update.merge);
  reader.read("content", update.content);
  reader.read("keep_earlier", update.keep_earlier);
  const Value* expires_at = reader.find("expires_at");
  if (expires_at == nullptr) return;
  if (*expires_at != Value("never"))
    reader.refuse("expires_at", "'never', which removes a lifetime; memory.forget() sets one",
                  *expires_at);
  update.lifetime = memory::Lifetime();
}

void read_criteria(RequestReader& reader, memory::MessageCriteria& criteria) {
  reader.read("user", criteria.user);
  reader.read("agent", criteria.agent);
  reader.read("chat", criteria.chat);
  reader.read("role", criteria.role);
  reader.read("thread", criteria.thread);
  reader.read("message_type", criteria.message_type);
}

void read_criteria(RequestReader& reader, memory::CognitiveCriteria& criteria) {
  reader.read("agent", criteria.agent);
  reader.read("process_type", criteria.process_type);
  reader.read("context", criteria.context);
  reader.read("related_to", criteria.related_to);
}

void read_criteria(RequestReader& reader, memory::DocumentCriteria& criteria) {
  reader.read("source", criteria.source);
  reader.read("agent", criteria.agent);
  reader.read("user", criteria.user);
  reader.read("title", criteria.title);
  reader.read("content_type", criteria.content_type);
}

void read_criteria(RequestReader& reader, memory::TaskCriteria& criteria) {
  reader.read("agent", criteria.agent);
  reader.read("assigned_to", criteria.assigned_to);
  reader.read("status", criteria.status);
  reader.read("priority", criteria.priority);
  reader.read("parent_task", criteria.parent_task);
}

void read_list(RequestReader& reader, memory::EpisodeList& request) {
  reader.read("tags", request.tags);
  reader.read("category", request.category);
  read_dates(reader, request.date_from, request.date_to);
  reader.read("since", request.since);
  reader.read_integer("limit", request.limit);
  reader.read_integer("offset", request.offset);
}

void read_list(RequestReader& reader, memory::InsightList& request) {
  reader.read("tags", request.tags);
  read_dates(reader, request.date_from, request.date_to);
  reader.read("io_category", request.io_category);
  reader.read("is_identity", request.is_identity);
  reader.read("memory_sector", request.memory_sector);
  reader.read_integer("limit", request.limit);
  reader.read_integer("offset", request.offset);
}

}  // namespace cairn::query
