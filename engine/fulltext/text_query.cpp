#include "engine/fulltext/text_query.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace cairn::engine {
namespace {

using Kind = TextNode::Kind;
using Occur = TextNode::Occur;

constexpr int max_depth = 32;
constexpr std::uint32_t max_edits = 2;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool ends_word(char c) { return std::string_view("()\"*~^").find(c) != std::string_view::npos; }

/// Reads from front to back; the first problem ends it.
class Parser {
 public:
  Parser(std::string_view text, std::span<const std::string> fields)
      : rest_(text), fields_(fields) {}

  TextNode parse() {
    TextNode root = group(0);
    if (problem_.empty() && !rest_.empty()) problem_ = "a ')' without its '('";
    return root;
  }
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 private:
  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }
  bool take(char sign) {
    if (rest_.empty() || rest_.front() != sign) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view word) {
    const bool is_there =
        rest_.starts_with(word) && (rest_.size() == word.size() || is_blank(rest_[word.size()]));
    if (is_there) rest_.remove_prefix(word.size());
    return is_there;
  }

  /// Up to a ')' or the end.
  TextNode group(int depth) {
    TextNode node;
    bool joined = false;  // an AND stands before the next clause
    if (depth > max_depth) problem_ = "more brackets than can be read";
    for (skip_blanks(); problem_.empty() && !rest_.empty() && rest_.front() != ')'; skip_blanks()) {
      if (take_word("OR")) continue;
      if (take_word("AND")) {
        if (node.children.empty())
          problem_ = "an AND with nothing before it";
        else if (node.children.back().occur == Occur::should)
          node.children.back().occur = Occur::must;
        joined = true;
        continue;
      }
      TextNode next = clause(depth);
      if (joined && next.occur == Occur::should) next.occur = Occur::must;
      joined = false;
      node.children.push_back(std::move(next));
    }
    if (joined) problem_ = "an AND with nothing behind it";
    return node;
  }

  TextNode clause(int depth) {
    Occur occur = Occur::should;
    if (take('+'))
      occur = Occur::must;
    else if (take('-'))
      occur = Occur::must_not;
    else if (take_word("NOT"))
      occur = Occur::must_not;
    skip_blanks();
    if (rest_.empty()) problem_ = "a sign with nothing behind it";
    std::string field = take_field();
    TextNode node = primary(depth);
    node.occur = occur;
    if (!field.empty()) set_field(node, field);
    if (take('^')) node.boost = read_boost();
    return node;
  }

  /// A group's field is that of its clauses which name none.
  static void set_field(TextNode& node, const std::string& field) {
    if (node.field.empty()) node.field = field;
    for (TextNode& child : node.children) set_field(child, field);
  }

  std::string take_field() {
    for (const std::string& field : fields_) {
      const bool is_there = rest_.size() > field.size() + 1 && rest_.starts_with(field) &&
                            rest_[field.size()] == ':' && !is_blank(rest_[field.size() + 1]);
      if (!is_there) continue;
      rest_.remove_prefix(field.size() + 1);
      return field;
    }
    return {};
  }

  TextNode primary(int depth) {
    if (take('(')) {
      TextNode node = group(depth + 1);
      if (problem_.empty() && !take(')')) problem_ = "a '(' without its ')'";
      return node;
    }
    return take('"') ? phrase() : word();
  }

  TextNode phrase() {
    TextNode node;
    node.kind = Kind::phrase;
    const std::size_t end = rest_.find('"');
    if (end == rest_.npos) {
      problem_ = "a quotation mark without its other one";
      return node;
    }
    node.text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    if (take('~')) node.distance = read_number().value_or(0);
    return node;
  }

  // A sign within a word belongs to it.
  TextNode word() {
    TextNode node;
    node.kind = Kind::words;
    std::size_t end = 0;
    while (end < rest_.size() && !is_blank(rest_[end]) && !ends_word(rest_[end])) ++end;
    node.text = rest_.substr(0, end);
    rest_.remove_prefix(end);
    if (take('*')) {
      node.kind = Kind::prefix;
    } else if (take('~')) {
      node.kind = Kind::fuzzy;
      node.distance = std::min(read_number().value_or(1), max_edits);
    }
    if (node.text.empty() && problem_.empty()) problem_ = "a sign without a word";
    return node;
  }

  std::optional<std::uint32_t> read_number() {
    std::uint32_t number = 0;
    const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (read.ec != std::errc()) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(read.ptr - rest_.data()));
    return number;
  }

  double read_boost() {
    double boost = 1;
    const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), boost);
    if (read.ec != std::errc() || !(boost > 0 && boost < 1e6)) {
      problem_ = "a '^' without a number above 0";
      return 1;
    }
    rest_.remove_prefix(static_cast<std::size_t>(read.ptr - rest_.data()));
    return boost;
  }

  std::string_view rest_;
  std::span<const std::string> fields_;
  std::string problem_;
};

}  // namespace

TextNode plain_words(std::string_view text) {
  TextNode words;
  words.kind = Kind::words;
  words.text = text;
  TextNode root;
  root.children.push_back(std::move(words));
  return root;
}

ParsedText parse_text_query(std::string_view text, std::span<const std::string> fields) {
  Parser parser(text, fields);
  ParsedText parsed{parser.parse(), {}};
  if (parser.problem().empty()) return parsed;
  return {plain_words(text),
          "the text has " + parser.problem() + "; it was searched for as plain words"};
}

}  // namespace cairn::engine
