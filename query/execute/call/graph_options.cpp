// Reads and checks the map of options that every graph procedure takes as its last argument.
#include "query/execute/call/graph_options.hpp"

#include "query/execute/call/procedure_arguments.hpp"
#include "query/functions/call.hpp"
#include "query/functions/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

// Quotes the name of an option in messages.
std::string in_backquotes(std::string_view name) { return "`" + std::string(name) + "`"; }

// Prints a number without trailing zeros: 0.5, 1, 1e-15.
std::string as_text(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

bool is_number(const Value& value) {
  return value.type() == ValueType::integer || value.type() == ValueType::floating;
}

}  // namespace

// Only the names are checked here. Types and ranges are checked when an option is read.
Result<GraphOptions> GraphOptions::read(std::string_view procedure,
                                        std::span<const Value> arguments, std::size_t place,
                                        std::initializer_list<std::string_view> own) {
  if (arguments.size() <= place) return GraphOptions(procedure, {});
  CAIRN_ASSIGN(Map options,
               properties_of("the options of " + std::string(procedure) + "()", arguments[place]));
  std::vector<std::string_view> names = {"labels", "types", "filter", "relationship_filter"};
  names.insert(names.end(), own);
  for (const auto& [name, value] : options) {
    if (std::ranges::find(names, name) != names.end()) continue;
    std::string known;
    for (const std::string_view one : names)
      known += (known.empty() ? "" : ", ") + in_backquotes(one);
    return Error{
        ErrorCode::invalid_argument,
        std::string(procedure) + "() has no option " + shown(Value(name)) + "; it has " + known,
        std::nullopt};
  }
  return GraphOptions(procedure, std::move(options));
}

// Returns null for an absent option.
const Value& GraphOptions::value(std::string_view name) const {
  static const Value nothing;
  const auto found = options_.find(std::string(name));
  return found == options_.end() ? nothing : found->second;
}

// The code is invalid_argument if the value has an acceptable type, otherwise type_error.
Error GraphOptions::wrong(std::string_view name, std::string_view expected) const {
  const bool is_of_type = expected.find(is_number(value(name)) ? "number"
                                        : value(name).string() ? "'"
                                                               : "\n") != expected.npos;
  return {is_of_type ? ErrorCode::invalid_argument : ErrorCode::type_error,
          "the option " + in_backquotes(name) + " of " + procedure_ + "() must be " +
              std::string(expected) + ", got " + shown(value(name)),
          std::nullopt};
}

// NaN fails the comparison, so any value that is not a number is an error.
Result<double> GraphOptions::number(std::string_view name, double usual, NumberRange range) const {
  if (!has(name)) return usual;
  const double given = is_number(value(name)) ? float_of(value(name)) : NAN;
  if (given >= range.least && given <= range.most) return given;
  return wrong(name, "a number from " + as_text(range.least) + " to " + as_text(range.most));
}

// A float with a whole value is accepted, because JavaScript sends such numbers.
Result<std::size_t> GraphOptions::count(std::string_view name, std::size_t usual,
                                        std::size_t least) const {
  if (!has(name)) return usual;
  const auto given = whole_number(value(name));
  if (given && *given >= static_cast<std::int64_t>(least)) return static_cast<std::size_t>(*given);
  return wrong(name, "a whole number of " + std::to_string(least) + " or more");
}

// With the same seed, an algorithm returns the same result for the same graph.
Result<std::uint64_t> GraphOptions::seed() const {
  if (!has("seed")) return std::uint64_t{0};
  if (const auto given = whole_number(value("seed"))) return static_cast<std::uint64_t>(*given);
  return wrong("seed", "an integer");
}

Result<bool> GraphOptions::flag(std::string_view name) const {
  if (!has(name)) return false;
  if (const bool* given = value(name).get_if<bool>()) return *given;
  return wrong(name, "true or false");
}

Result<std::string> GraphOptions::text(std::string_view name) const {
  if (!has(name)) return std::string();
  if (value(name).string() != nullptr) return value(name).as_string();
  return wrong(name, "a string");
}

// Reads the options that all graph procedures share. They select the part of the graph to use.
Result<GraphRequest> GraphOptions::request(engine::Direction usual) const {
  GraphRequest request;
  request.direction = usual;
  if (has("labels")) {
    auto labels = texts_of("labels", value("labels"));
    if (!labels) return wrong("labels", "a label or a list of labels");
    request.labels = *std::move(labels);
  }
  if (has("types")) {
    auto types = texts_of("types", value("types"));
    if (!types) return wrong("types", "a type or a list of types");
    request.types = *std::move(types);
  }
  CAIRN_ASSIGN(const std::string direction, text("direction"));
  if (direction == "outgoing" || direction == "incoming")
    request.direction =
        direction == "outgoing" ? engine::Direction::outgoing : engine::Direction::incoming;
  else if (direction == "both")
    request.direction = engine::Direction::both;
  else if (!direction.empty())
    return wrong("direction", "'outgoing', 'incoming' or 'both'");
  CAIRN_ASSIGN(request.weight, text("weight"));
  if (has("filter")) {
    CAIRN_ASSIGN(request.filter, filter_from(value("filter")));
  }
  if (has("relationship_filter")) {
    CAIRN_ASSIGN(request.relationship_filter, filter_from(value("relationship_filter")));
  }
  return request;
}

}  // namespace cairn::query
