// Reads the options of a recall from a map. One table has the name, the type and the setter of each option. RecallRun
// checks the ranges of weights again, because C++ callers do not use this file.

#include "query/recall/recall_options.hpp"

#include "query/functions/call.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/vector_components.hpp"
#include "query/syntax/nearest_name.hpp"

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

/// One option. `set` stores the value, and returns false if the value is not a `what`.
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

bool set_vector_model(RecallOptions& options, const Value& value) {
  if (value.string() == nullptr) return false;
  options.vector_model = *value.string();
  return true;
}

bool set_count(std::size_t& member, const Value& value) {
  const auto count = whole_number(value);
  if (!count || *count < 0) return false;
  member = static_cast<std::size_t>(*count);
  return true;
}

bool set_limit(RecallOptions& options, const Value& value) {
  return set_count(options.limit, value);
}
bool set_context(RecallOptions& options, const Value& value) {
  return set_count(options.context, value);
}
bool set_max_tokens(RecallOptions& options, const Value& value) {
  return set_count(options.max_tokens, value);
}
bool set_hops(RecallOptions& options, const Value& value) {
  return set_count(options.features.hops, value);
}

bool set_expand(RecallOptions& options, const Value& value) {
  if (value != Value("session") && value != Value("context")) return false;
  options.expand = value == Value("session") ? PassageExtent::session : PassageExtent::context;
  return true;
}

/// Stores a weight. An invalid number is stored too, which is harmless: the whole map is refused then.
template <double RecallFeatures::* member>
bool set_weight(RecallOptions& options, const Value& value) {
  if (!value.is_number()) return false;
  const auto* integer = value.get_if<std::int64_t>();
  const double number = integer != nullptr ? static_cast<double>(*integer) : value.as_float();
  options.features.*member = number;
  return std::isfinite(number) && number >= 0;
}

template <bool RecallFeatures::* member>
bool set_flag(RecallOptions& options, const Value& value) {
  const bool* const is_on = value.get_if<bool>();
  if (is_on != nullptr) options.features.*member = *is_on;
  return is_on != nullptr;
}

/// Replaces the default list. An empty list is valid.
template <std::vector<std::string> RecallFeatures::* member>
bool set_strings(RecallOptions& options, const Value& value) {
  if (value.list() == nullptr) return false;
  (options.features.*member).clear();
  for (const Value& one : *value.list()) {
    if (one.string() == nullptr) return false;
    (options.features.*member).push_back(*one.string());
  }
  return true;
}

/// Reads the map from words to their shares.
bool set_expansion(RecallOptions& options, const Value& value) {
  if (value.map() == nullptr) return false;
  options.expansion.clear();
  for (const auto& [word, share] : *value.map()) {
    if (!share.is_number()) return false;
    const auto* integer = share.get_if<std::int64_t>();
    options.expansion.push_back(
        {word, integer != nullptr ? static_cast<double>(*integer) : share.as_float()});
  }
  return true;
}

constexpr Option known_options[] = {
    {"index", a_string, set_index},
    {"limit", a_count, set_limit},
    {"context", a_count, set_context},
    {"expand", "'session' or 'context' ('session' is the whole group of a hit)", set_expand},
    {"max_tokens", a_count, set_max_tokens},
    {"vector_index", a_string, set_vector_index},
    {"vector", "a vector or a list of numbers", set_vector},
    {"vector_model", a_string, set_vector_model},
    {"propagation_weight", a_weight, set_weight<&RecallFeatures::propagation_weight>},
    {"hops", a_count, set_hops},
    {"relationship_types", strings, set_strings<&RecallFeatures::relationship_types>},
    {"group_weight", a_weight, set_weight<&RecallFeatures::group_weight>},
    {"group_properties", strings, set_strings<&RecallFeatures::group_properties>},
    {"order_properties", strings, set_strings<&RecallFeatures::order_properties>},
    {"corrects_spelling", "true or false", set_flag<&RecallFeatures::corrects_spelling>},
    {"joins_forms", "true or false", set_flag<&RecallFeatures::joins_forms>},
    {"entity_weight", a_weight, set_weight<&RecallFeatures::entity_weight>},
    {"author_weight", a_weight, set_weight<&RecallFeatures::author_weight>},
    {"author_properties", strings, set_strings<&RecallFeatures::author_properties>},
    {"date_weight", a_weight, set_weight<&RecallFeatures::date_weight>},
    {"feedback_weight", a_weight, set_weight<&RecallFeatures::feedback_weight>},
    {"feedback_length", a_weight, set_weight<&RecallFeatures::feedback_length>},
    {"feedback_clarity", a_weight, set_weight<&RecallFeatures::feedback_clarity>},
    {"dense_weight", a_weight, set_weight<&RecallFeatures::dense_weight>},
    {"expansion", "a map of words and their shares, 0 to 1", set_expansion},
    {"expansion_weight", a_weight, set_weight<&RecallFeatures::expansion_weight>},
    {"feature_weight", a_weight, set_weight<&RecallFeatures::feature_weight>},
    {"diversity", a_weight, set_weight<&RecallFeatures::diversity>},
};

Error refusal(ErrorCode code, std::string message) { return {code, std::move(message), {}}; }

/// The error for an unknown option, with the nearest known name or the list of all names.
Error unknown_option(const std::string& name) {
  std::vector<std::string_view> names = {"filter", "boosts"};
  for (const Option& option : known_options) names.push_back(option.name);
  const std::string_view nearest = nearest_name(name, names);
  std::string advice;
  if (!nearest.empty()) advice = "did you mean `" + std::string(nearest) + "`?";
  if (name == "group" || name == "groups")
    advice =
        "`group_properties` names the properties whose values make groups, and a `filter` selects "
        "groups";
  for (const std::string_view one : names)
    if (advice.empty() || advice.starts_with("the options are "))
      advice += (advice.empty() ? "the options are " : ", ") + std::string(one);
  return refusal(ErrorCode::invalid_argument,
                 "there is no option `" + name + "` of a recall; " + advice);
}

/// Reads {filter, weight}. Other keys are an error, since a misspelt key would be ignored silently.
Result<RecallBoost> read_boost(const Value& value) {
  const Error error = refusal(
      ErrorCode::type_error,
      "a boost of a recall must be a map with a `filter` and a `weight`, got " + shown(value));
  const Map* map = value.map();
  if (map == nullptr || map->size() != 2 || !map->contains("filter") || !map->contains("weight"))
    return error;
  const Value& weight = map->at("weight");
  if (!weight.is_number()) return error;
  const auto* integer = weight.get_if<std::int64_t>();
  RecallBoost boost;
  boost.weight = integer != nullptr ? static_cast<double>(*integer) : weight.as_float();
  CAIRN_ASSIGN(boost.filter, filter_from(map->at("filter")));
  return boost;
}

/// Reads the list of boosts.
Status set_boosts(RecallOptions& options, const Value& value) {
  if (value.list() == nullptr)
    return refusal(ErrorCode::type_error,
                   "the option `boosts` of a recall must be a list, got " + shown(value));
  for (const Value& one : *value.list()) {
    CAIRN_ASSIGN(RecallBoost boost, read_boost(one));
    options.boosts.push_back(std::move(boost));
  }
  return {};
}

/// Sets one option. `filter` and `boosts` have a structure of their own; the table has all others.
Status set_option(RecallOptions& options, const std::string& name, const Value& value) {
  if (name == "filter") {
    CAIRN_ASSIGN(options.filter, filter_from(value));
    return {};
  }
  if (name == "boosts") return set_boosts(options, value);
  for (const Option& option : known_options) {
    if (option.name != name) continue;
    if (option.set(options, value)) return {};
    return refusal(ErrorCode::type_error, "the option `" + name + "` of a recall must be " +
                                              option.what + ", got " + shown(value));
  }
  return unknown_option(name);
}

}  // namespace

// Returns the error of the first invalid option.
Result<RecallOptions> recall_options_from(const Map& given) {
  RecallOptions options;
  for (const auto& [name, value] : given) CAIRN_TRY(set_option(options, name, value));
  return options;
}

}  // namespace cairn::query
