#include "tests/tck/canonical_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

namespace cairn::tck {
namespace {

std::string number_text(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "Infinity" : "-Infinity";
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.17gf", number == 0 ? 0.0 : number);
  return text.data();
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string list_text(std::vector<std::string> items, ListOrder order) {
  if (order == ListOrder::ignored) std::sort(items.begin(), items.end());
  return "[" + joined(items) + "]";
}

std::string map_text(const std::map<std::string, std::string>& entries) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : entries) parts.push_back(key + ": " + value);
  return "{" + joined(parts) + "}";
}

std::string node_text(std::vector<std::string> labels,
                      const std::map<std::string, std::string>& properties) {
  std::sort(labels.begin(), labels.end());
  std::string text = "(";
  for (const std::string& label : labels) text += ":" + label;
  return text + map_text(properties) + ")";
}

std::string relationship_text(const std::string& type,
                              const std::map<std::string, std::string>& properties) {
  return "[:" + type + map_text(properties) + "]";
}

std::map<std::string, std::string> texts_of(const Properties& properties, ListOrder order) {
  std::map<std::string, std::string> texts;
  for (const auto& [name, value] : properties) texts[name] = canonical_text(value, order);
  return texts;
}

std::string path_text(const Path& path, ListOrder order) {
  std::string text = "<" + canonical_text(Value(path.nodes[0]), order);
  for (std::size_t i = 0; i < path.relationships.size(); ++i) {
    const Relationship& r = path.relationships[i];
    const bool is_forward = r.source() == path.nodes[i].id();
    text += is_forward ? "-" : "<-";
    text += canonical_text(Value(r), order);
    text += is_forward ? "->" : "-";
    text += canonical_text(Value(path.nodes[i + 1]), order);
  }
  return text + ">";
}

/// Temporal values come back from the kit's files as strings.
std::string temporal_text(const Value& value) {
  const std::string text = value.to_text();
  const std::size_t from = text.find('\'');
  const std::size_t to = text.rfind('\'');
  return from == std::string::npos ? text : "'" + text.substr(from + 1, to - from - 1) + "'";
}

struct Canonical {
  const Value& value;
  ListOrder order;

  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return number_text(number); }
  std::string operator()(const std::string& text) const { return "'" + text + "'"; }
  std::string operator()(const Value::ListPtr& list) const {
    std::vector<std::string> items;
    for (const Value& item : *list) items.push_back(canonical_text(item, order));
    return list_text(std::move(items), order);
  }
  std::string operator()(const Value::MapPtr& map) const { return map_text(texts_of(*map, order)); }
  std::string operator()(const Node& node) const {
    return node_text(node.labels(), texts_of(node.properties(), order));
  }
  std::string operator()(const Relationship& r) const {
    return relationship_text(r.type(), texts_of(r.properties(), order));
  }
  std::string operator()(const Value::PathPtr& path) const { return path_text(*path, order); }
  std::string operator()(const Vector&) const { return "vector"; }
  template <class Temporal>
  std::string operator()(const Temporal&) const {
    return temporal_text(value);
  }
};

/// Reads the kit's notation straight to canonical text.
class ExpectedReader {
 public:
  ExpectedReader(std::string_view text, ListOrder order) : text_(text), order_(order) {}

  std::optional<std::string> run() {
    std::string value = read();
    skip();
    if (failed_ || at_ != text_.size()) return std::nullopt;
    return value;
  }

 private:
  std::string read() {
    skip();
    switch (peek()) {
      case '\'':
        return read_string();
      case '[':
        return take_if("[:") ? read_relationship() : read_list();
      case '{':
        return map_text(read_map());
      case '(':
        return read_node();
      case '<':
        return read_path();
      default:
        return read_word();
    }
  }

  std::string read_string() {
    std::string out = "'";
    for (++at_; at_ < text_.size() && text_[at_] != '\''; ++at_) {
      const bool is_escaped = text_[at_] == '\\' && at_ + 1 < text_.size();
      if (is_escaped) ++at_;
      out += is_escaped && text_[at_] == 'n' ? '\n' : text_[at_];
    }
    failed_ = failed_ || at_ >= text_.size();
    ++at_;
    return out + "'";
  }

  std::string read_list() {
    ++at_;
    std::vector<std::string> items;
    for (skip(); peek() != ']' && !failed_; skip()) {
      items.push_back(read());
      skip();
      if (!take_if(",")) break;
    }
    expect("]");
    return list_text(std::move(items), order_);
  }

  std::map<std::string, std::string> read_map() {
    std::map<std::string, std::string> entries;
    expect("{");
    for (skip(); peek() != '}' && !failed_; skip()) {
      const std::string key = read_name();
      skip();
      expect(":");
      entries[key] = read();
      skip();
      if (!take_if(",")) break;
    }
    expect("}");
    return entries;
  }

  std::map<std::string, std::string> read_optional_map() {
    skip();
    return peek() == '{' ? read_map() : std::map<std::string, std::string>();
  }

  std::string read_node() {
    expect("(");
    std::vector<std::string> labels;
    for (skip(); take_if(":"); skip()) labels.push_back(read_name());
    const auto properties = read_optional_map();
    skip();
    expect(")");
    return node_text(std::move(labels), properties);
  }

  /// Behind "[:".
  std::string read_relationship() {
    const std::string type = read_name();
    const auto properties = read_optional_map();
    skip();
    expect("]");
    return relationship_text(type, properties);
  }

  std::string read_path() {
    expect("<");
    std::string out = "<" + read_node();
    while (!failed_ && peek() != '>') {
      const bool is_backward = take_if("<-");
      if (!is_backward) expect("-");
      expect("[:");
      out += (is_backward ? "<-" : "-") + read_relationship();
      expect(is_backward ? "-" : "->");
      out += (is_backward ? "-" : "->") + read_node();
    }
    expect(">");
    return out + ">";
  }

  std::string read_name() {
    skip();
    std::string name;
    const bool is_quoted = take_if("`");
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool is_end =
          is_quoted ? c == '`' : std::string_view(":{}[]()<>, ").find(c) != std::string_view::npos;
      if (is_end) break;
      name += text_[at_++];
    }
    if (is_quoted) expect("`");
    return name;
  }

  std::string read_word() {
    const std::string word = read_name();
    if (word == "null" || word == "true" || word == "false" || word == "NaN") return word;
    if (word == "Inf" || word == "Infinity") return "Infinity";
    if (word == "-Inf" || word == "-Infinity") return "-Infinity";
    char* end = nullptr;
    const double number = std::strtod(word.c_str(), &end);
    failed_ = failed_ || word.empty() || *end != '\0';
    return word.find_first_of(".eE") == std::string::npos ? word : number_text(number);
  }

  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take_if(std::string_view token) {
    if (text_.substr(std::min(at_, text_.size()), token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) { failed_ = !take_if(token) || failed_; }

  std::string_view text_;
  ListOrder order_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace

std::string canonical_text(const Value& value, ListOrder order) {
  return std::visit(Canonical{value, order}, value.content());
}

std::optional<std::string> expected_text(std::string_view expected, ListOrder order) {
  return ExpectedReader(expected, order).run();
}

}  // namespace cairn::tck
