#include "query/execute/call/recall_procedure.hpp"

#include "query/execute/read/search_arguments.hpp"
#include "query/execute/warn_once.hpp"
#include "query/plan/name_warnings.hpp"
#include "query/recall/recall_within.hpp"
#include "query/syntax/nearest_name.hpp"

#include <cairn/recall.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

constexpr const char* a_string = "a string";
constexpr const char* a_count = "an integer of 0 or more";
constexpr const char* a_weight = "a number of 0 or more";
constexpr const char* strings = "a list of strings";

/// One option: `set` is false where the value is no `what`.
struct Option {
  std::string_view name;
  const char* what;
  bool (*set)(RecallOptions& options, const Value& value);
};

bool set_index(RecallOptions& options, const Value& value) {
  if (value.string() == nullptr) return false;
  options.index = *value.string();
  return true;
}

bool set_vector_index(RecallOptions& options, const Value& value) {
  if (value.string() == nullptr) return false;
  options.vector_index = *value.string();
  return true;
}

bool set_vector(RecallOptions& options, const Value& value) {
  auto components = vector_components(value, {});
  if (components) options.vector = std::move(*components);
  return components.has_value();
}

bool set_count(std::size_t& member, const Value& value) {
  const auto* count = value.get_if<std::int64_t>();
  if (count == nullptr || *count < 0) return false;
  member = static_cast<std::size_t>(*count);
  return true;
}

bool set_limit(RecallOptions& options, const Value& value) {
  return set_count(options.limit, value);
}
bool set_hops(RecallOptions& options, const Value& value) {
  return set_count(options.levers.hops, value);
}

template <double RecallLevers::* member>
bool set_weight(RecallOptions& options, const Value& value) {
  if (!value.is_number()) return false;
  const auto* integer = value.get_if<std::int64_t>();
  const double number = integer != nullptr ? static_cast<double>(*integer) : value.as_float();
  options.levers.*member = number;
  return std::isfinite(number) && number >= 0;
}

template <std::vector<std::string> RecallLevers::* member>
bool set_strings(RecallOptions& options, const Value& value) {
  if (value.list() == nullptr) return false;
  (options.levers.*member).clear();
  for (const Value& one : *value.list()) {
    if (one.string() == nullptr) return false;
    (options.levers.*member).push_back(*one.string());
  }
  return true;
}

constexpr Option known_options[] = {
    {"index", a_string, set_index},
    {"limit", a_count, set_limit},
    {"vector_index", a_string, set_vector_index},
    {"vector", "a vector or a list of numbers", set_vector},
    {"neighbour_weight", a_weight, set_weight<&RecallLevers::neighbour_weight>},
    {"hops", a_count, set_hops},
    {"relationship_types", strings, set_strings<&RecallLevers::relationship_types>},
    {"group_weight", a_weight, set_weight<&RecallLevers::group_weight>},
    {"group_properties", strings, set_strings<&RecallLevers::group_properties>},
    {"mention_weight", a_weight, set_weight<&RecallLevers::mention_weight>},
    {"author_weight", a_weight, set_weight<&RecallLevers::author_weight>},
    {"author_properties", strings, set_strings<&RecallLevers::author_properties>},
    {"date_weight", a_weight, set_weight<&RecallLevers::date_weight>},
    {"feedback_weight", a_weight, set_weight<&RecallLevers::feedback_weight>},
    {"feedback_length", a_weight, set_weight<&RecallLevers::feedback_length>},
    {"meaning_weight", a_weight, set_weight<&RecallLevers::meaning_weight>},
    {"diversity", a_weight, set_weight<&RecallLevers::diversity>},
};

Error refusal(ErrorCode code, std::string message) { return {code, std::move(message), {}}; }

Error unknown_option(const std::string& name) {
  std::vector<std::string_view> names = {"filter"};
  for (const Option& option : known_options) names.push_back(option.name);
  const std::string_view nearest = nearest_name(name, names);
  std::string advice;
  if (!nearest.empty()) advice = "did you mean `" + std::string(nearest) + "`?";
  for (const std::string_view one : names)
    if (nearest.empty()) advice += (advice.empty() ? "there are " : ", ") + std::string(one);
  return refusal(ErrorCode::invalid_argument,
                 "there is no option `" + name + "` of db.recall(); " + advice);
}

Status set_option(RecallOptions& options, const std::string& name, const Value& value) {
  if (name == "filter") {
    CAIRN_ASSIGN(options.filter, filter_from(value));
    return {};
  }
  for (const Option& option : known_options) {
    if (option.name != name) continue;
    if (option.set(options, value)) return {};
    return refusal(ErrorCode::type_error, "the option `" + name + "` of db.recall() is " +
                                              option.what + ", got " + value.to_text());
  }
  return unknown_option(name);
}

Result<RecallOptions> read_options(std::span<const Value> arguments) {
  RecallOptions options;
  if (arguments.size() < 2 || arguments[1].is_null()) return options;
  const Map* given = arguments[1].map();
  if (given == nullptr)
    return refusal(ErrorCode::type_error,
                   "the options of db.recall() are a map, got " + arguments[1].to_text());
  for (const auto& [name, value] : *given) CAIRN_TRY(set_option(options, name, value));
  return options;
}

Value parts_of(const RecallHit& hit) {
  return map_of({{"text", hit.text},
                 {"neighbours", hit.neighbours},
                 {"group", hit.group},
                 {"meaning", hit.meaning},
                 {"named", hit.named}});
}

}  // namespace

// A null question finds nothing, as in SEARCH.
Result<Procedure::Rows> recall_nodes(ExecutionContext& context, std::span<const Value> arguments) {
  CAIRN_ASSIGN(const RecallOptions options, read_options(arguments));
  if (arguments[0].is_null()) return Procedure::Rows();
  if (arguments[0].string() == nullptr)
    return refusal(ErrorCode::type_error,
                   "the question of db.recall() is a string, got " + arguments[0].to_text());
  for (std::string& warning : unknown_names(options.filter, context.graph.catalog()))
    warn_once(context, std::move(warning));
  CAIRN_ASSIGN(const auto hits, recall_within(context, arguments[0].as_string(), options));
  Procedure::Rows rows;
  for (const RecallHit& hit : hits)
    rows.push_back(
        {entity_value(codec::EntityKind::node, hit.id), Value(hit.score), parts_of(hit)});
  return rows;
}

}  // namespace cairn::query
