// Converts JSON to Value and back.
//
// Reading is strict (RFC 8259; duplicate keys are refused), limited in depth, and builds no intermediate tree. Integers
// within 64 bits stay integers; larger ones and fractions become doubles. Writing loses types that JSON does not have.

#include <cairn/json.hpp>

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

namespace cairn {
namespace {

using Json = nlohmann::json;
constexpr std::size_t max_depth = 136;

/// Builds a Value directly from the parser's events. A function returns false to stop the parser; `problem_` has the
/// reason.
class ValueBuilder : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return put(Value()); }
  bool boolean(bool value) override { return put(Value(value)); }
  bool number_integer(number_integer_t value) override { return put(Value(std::int64_t{value})); }
  /// A larger integer becomes the nearest double; parse_exact_json() refuses it instead.
  bool number_unsigned(number_unsigned_t value) override {
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (value > largest) return put(Value(static_cast<double>(value)));
    return put(Value(static_cast<std::int64_t>(value)));
  }
  bool number_float(number_float_t value, const string_t& text) override {
    static_cast<void>(text);
    return put(Value(value));
  }
  bool string(string_t& value) override { return put(Value(std::move(value))); }
  bool binary(binary_t& value) override {
    static_cast<void>(value);
    return fail(0, "binary data");
  }

  bool start_object(std::size_t size) override {
    static_cast<void>(size);
    return open(false);
  }
  bool start_array(std::size_t size) override {
    static_cast<void>(size);
    return open(true);
  }
  // With a duplicate key, one of the values would be lost silently.
  bool key(string_t& name) override {
    if (open_.back().map.contains(name)) return fail(0, "duplicate key \"" + name + "\"");
    open_.back().key = std::move(name);
    return true;
  }
  bool end_object() override {
    Level level = close();
    return put(Value(std::move(level.map)));
  }
  bool end_array() override {
    Level level = close();
    return put(Value(std::move(level.list)));
  }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& problem) override {
    static_cast<void>(token);
    // 1e400 is valid JSON, but larger than any double.
    constexpr int number_overflow = 406;
    if (problem.id == number_overflow) return fail(position, "a number is too large for a float");
    return fail(position, "invalid JSON");
  }

  [[nodiscard]] Value take() { return std::move(result_); }
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 private:
  /// A list or map that is not complete yet.
  struct Level {
    bool is_list = false;
    List list;
    Map map;
    std::string key;
  };

  bool open(bool is_list) {
    if (open_.size() >= max_depth) return fail(0, "nested deeper than 136 levels");
    open_.push_back({});
    open_.back().is_list = is_list;
    return true;
  }
  Level close() {
    Level level = std::move(open_.back());
    open_.pop_back();
    return level;
  }
  /// Adds a value to the open list or map, or makes it the result.
  bool put(Value value) {
    if (open_.empty()) {
      result_ = std::move(value);
    } else if (open_.back().is_list) {
      open_.back().list.push_back(std::move(value));
    } else {
      open_.back().map.insert_or_assign(std::move(open_.back().key), std::move(value));
    }
    return true;
  }
  /// The parser reports a position for malformed JSON only; 0: unknown.
  bool fail(std::size_t position, std::string_view what) {
    problem_ = std::string(what);
    if (position != 0) problem_ += " at byte " + std::to_string(position);
    return false;
  }

  std::vector<Level> open_;
  Value result_;
  std::string problem_;
};

Json json_of(const Value& value);

Json json_of(const Properties& properties) {
  Json object = Json::object();
  for (const auto& [name, value] : properties) object[name] = json_of(value);
  return object;
}

/// JSON has neither NaN nor infinity. Such numbers are written as texts, because null would look like a missing value.
Json json_of(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "Infinity" : "-Infinity";
  return number;
}

// Vectors among the properties are written as lists of numbers.
Json json_of(const Node& node) {
  return {{"id", node.id().value},
          {"labels", node.labels()},
          {"properties", json_of(node.properties())}};
}

Json json_of(const Relationship& relationship) {
  return {{"id", relationship.id().value},
          {"type", relationship.type()},
          {"start", relationship.source().value},
          {"end", relationship.target().value},
          {"properties", json_of(relationship.properties())}};
}

/// Writes nodes and relationships as separate lists in the order of the path: n + 1 nodes and n relationships.
Json json_of(const Path& path) {
  Json nodes = Json::array();
  Json relationships = Json::array();
  for (const Node& node : path.nodes) nodes.push_back(json_of(node));
  for (const Relationship& r : path.relationships) relationships.push_back(json_of(r));
  return {{"nodes", std::move(nodes)}, {"relationships", std::move(relationships)}};
}

Json json_of(const List& list) {
  Json array = Json::array();
  for (const Value& item : list) array.push_back(json_of(item));
  return array;
}

Json json_of(const Vector& vector) {
  Json array = Json::array();
  for (float component : vector.components()) array.push_back(component);
  return array;
}

/// The text of a temporal value without the function call around it.
Json json_of_temporal(const Value& value) {
  std::string text = value.to_text();
  const std::size_t from = text.find('\'');
  const std::size_t to = text.rfind('\'');
  if (from == std::string::npos || to <= from) return text;
  return text.substr(from + 1, to - from - 1);
}

/// Converts each type of value; `value` is the value whose content is visited.
struct JsonVisitor {
  const Value& value;
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(bool flag) const { return flag; }
  Json operator()(std::int64_t number) const { return number; }
  Json operator()(double number) const { return json_of(number); }
  Json operator()(const std::string& text) const { return text; }
  Json operator()(const Value::ListPtr& list) const { return json_of(*list); }
  Json operator()(const Value::MapPtr& map) const { return json_of(*map); }
  Json operator()(const Value::PathPtr& path) const { return json_of(*path); }
  Json operator()(const Node& node) const { return json_of(node); }
  Json operator()(const Relationship& relationship) const { return json_of(relationship); }
  Json operator()(const Vector& vector) const { return json_of(vector); }
  template <class Temporal>
  Json operator()(const Temporal&) const {
    return json_of_temporal(value);
  }
};

Json json_of(const Value& value) { return std::visit(JsonVisitor{value}, value.content()); }

}  // namespace

Result<Value> parse_json(std::string_view text) {
  ValueBuilder builder;
  if (!Json::sax_parse(text, &builder))
    return Error{ErrorCode::invalid_argument, builder.problem(), std::nullopt};
  return builder.take();
}

// Writes one line. Invalid UTF-8 is replaced with U+FFFD.
std::string to_json(const Value& value) {
  return json_of(value).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Exact reading, for parameters on a command line and lines of an import: parse_json() silently turns a large integer
// into a float.

namespace {

constexpr std::string_view digits = "0123456789";

/// The position after the string that begins at `at`.
std::size_t end_of_string(std::string_view json, std::size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at)
    if (json[at] == '\\') ++at;
  return at + 1;
}

bool is_too_large(std::string_view number) {
  if (number.find_first_of(".eE") != std::string_view::npos) return false;
  std::int64_t value = 0;
  return std::from_chars(number.data(), number.data() + number.size(), value).ec ==
         std::errc::result_out_of_range;
}

/// Returns the first integer that does not fit 64 bits; empty if all fit. The text is valid JSON, so strings and
/// numbers can be recognised by their first character.
std::string_view find_too_large(std::string_view json) {
  for (std::size_t at = 0; at < json.size();) {
    if (json[at] == '"') {
      at = end_of_string(json, at);
    } else if (json[at] == '-' || digits.find(json[at]) != std::string_view::npos) {
      const std::string_view rest = json.substr(at);
      const std::string_view number = rest.substr(0, rest.find_first_not_of("+-.0123456789eE"));
      if (is_too_large(number)) return number;
      at += number.size();
    } else {
      ++at;
    }
  }
  return {};
}

}  // namespace

// Refuses an integer beyond 64 bits, because a float would lose digits, for example of an id.
Result<Value> parse_exact_json(std::string_view text) {
  CAIRN_ASSIGN(Value value, parse_json(text));
  const std::string_view number = find_too_large(text);
  if (number.empty()) return value;
  return Error{ErrorCode::invalid_argument,
               "the whole number " + std::string(number) +
                   " does not fit 64 bits: write it as a float (with .0) or as a string",
               std::nullopt};
}

}  // namespace cairn
