// One rule a line: name ::= alternatives of sequences of texts, sets, names and groups with ? * +.
#include "tests/query/syntax/grammar/gbnf_reader.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

namespace cairn::test {
namespace {

using namespace query::ebnf;

bool is_gbnf_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

class GbnfReader {
 public:
  explicit GbnfReader(std::string_view text) : text_(text) {}

  Result<Grammar> read() {
    while (at_ < text_.size()) {
      CAIRN_ASSIGN(Rule rule, read_rule());
      if (grammar_.find(rule.name)) return problem("the rule " + rule.name + " is there twice");
      grammar_.rules.push_back(std::move(rule));
    }
    if (grammar_.rules.empty() || grammar_.rules[0].name != "root") return problem("no root");
    for (Rule& rule : grammar_.rules) CAIRN_TRY(resolve(rule.part));
    for (std::size_t i = 0; i < grammar_.rules.size(); ++i) {
      std::set<std::size_t> above;
      CAIRN_TRY(refuse_left_recursion(i, above));
    }
    return std::move(grammar_);
  }

 private:
  Error problem(const std::string& what) const {
    return {ErrorCode::parse_error, what + " near " + std::string(text_.substr(at_, 40)),
            std::nullopt};
  }

  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char sign) {
    skip();
    if (at_ == text_.size() || text_[at_] != sign) return false;
    ++at_;
    return true;
  }
  bool ends_here() {
    skip();
    return at_ == text_.size() || text_[at_] == '\n' || text_[at_] == '|' || text_[at_] == ')';
  }

  std::string take_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_gbnf_name(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  Result<Rule> read_rule() {
    Rule rule;
    rule.is_token = true;
    rule.name = take_name();
    if (rule.name.empty() || !text_.substr(at_).starts_with(" ::= ")) return problem("no rule");
    at_ += 5;
    CAIRN_ASSIGN(rule.part, read_choice());
    if (!take('\n')) return problem("the rule does not end");
    return rule;
  }

  Result<Part> read_choice() {
    Part result;
    result.kind = PartKind::choice;
    do {
      Part sequence;
      while (!ends_here()) {
        CAIRN_ASSIGN(Part part, read_repeat());
        sequence.parts.push_back(std::move(part));
      }
      result.parts.push_back(std::move(sequence));
    } while (take('|'));
    return result;
  }

  Result<Part> read_repeat() {
    CAIRN_ASSIGN(Part part, read_primary());
    const char sign = at_ < text_.size() ? text_[at_] : ' ';
    if (sign != '?' && sign != '*' && sign != '+') return part;
    ++at_;
    Part result;
    result.kind = PartKind::repeat;
    result.may_be_absent = sign != '+';
    result.may_be_repeated = sign != '?';
    result.parts.push_back(std::move(part));
    return result;
  }

  Result<Part> read_primary() {
    Part part;
    if (take('(')) {
      CAIRN_ASSIGN(part, read_choice());
      if (!take(')')) return problem("a ) is missing");
      return part;
    }
    if (take('"')) return read_text();
    if (take('[')) return read_set();
    part.kind = PartKind::rule;
    part.text = take_name();
    if (part.text.empty()) return problem("something that means nothing");
    return part;
  }

  // Each character is a set of one, so that the text may be empty.
  Result<Part> read_text() {
    Part part;
    while (!text_.substr(at_).starts_with('"')) {
      CAIRN_ASSIGN(const char32_t c, read_character());
      Part one;
      one.kind = PartKind::set;
      one.ranges.push_back({c, c});
      part.parts.push_back(std::move(one));
    }
    ++at_;
    return part;
  }

  Result<Part> read_set() {
    Part part;
    part.kind = PartKind::set;
    part.is_negated = take('^');
    while (!text_.substr(at_).starts_with(']')) {
      CAIRN_ASSIGN(const char32_t first, read_character());
      char32_t last = first;
      if (text_.substr(at_).starts_with('-')) {
        ++at_;
        CAIRN_ASSIGN(last, read_character());
      }
      if (last < first) return problem("a range that ends before it begins");
      part.ranges.push_back({first, last});
    }
    ++at_;
    return part;
  }

  Result<char32_t> read_character() {
    if (at_ >= text_.size() || text_[at_] == '\n') return problem("a text does not end");
    if (text_[at_] != '\\') return take_character(text_, at_);
    const char kind = text_[at_ + 1];
    const std::size_t count = kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
    if (count == 0) return problem("an unknown escape");
    std::uint32_t value = 0;
    const char* first = text_.data() + at_ + 2;
    if (std::from_chars(first, first + count, value, 16).ptr != first + count)
      return problem("an escape with too few digits");
    at_ += 2 + count;
    return value;
  }

  Status resolve(Part& part) {
    if (part.kind == PartKind::rule) {
      const auto found = grammar_.find(part.text);
      if (!found) return problem("there is no rule " + part.text);
      part.rule = *found;
    }
    for (Part& inner : part.parts) CAIRN_TRY(resolve(inner));
    return {};
  }

  bool may_be_empty(const Part& part) {
    if (part.kind == PartKind::repeat && part.may_be_absent) return true;
    if (part.kind == PartKind::set) return false;
    if (part.kind == PartKind::rule) {
      const auto known = empty_.find(part.rule);
      if (known != empty_.end()) return known->second;
      empty_[part.rule] = false;  // within itself it adds nothing
      return empty_[part.rule] = may_be_empty(grammar_.rules[part.rule].part);
    }
    const auto is_empty = [this](const Part& one) { return may_be_empty(one); };
    return part.kind == PartKind::choice ? std::ranges::any_of(part.parts, is_empty)
                                         : std::ranges::all_of(part.parts, is_empty);
  }

  Status refuse_left_recursion(std::size_t rule, std::set<std::size_t>& above) {
    if (done_.contains(rule)) return {};
    if (!above.insert(rule).second)
      return problem("the rule " + grammar_.rules[rule].name + " begins with itself");
    CAIRN_TRY(follow_left(grammar_.rules[rule].part, above));
    above.erase(rule);
    done_.insert(rule);
    return {};
  }

  Status follow_left(const Part& part, std::set<std::size_t>& above) {
    if (part.kind == PartKind::rule) return refuse_left_recursion(part.rule, above);
    for (const Part& inner : part.parts) {
      CAIRN_TRY(follow_left(inner, above));
      if (part.kind == PartKind::sequence && !may_be_empty(inner)) break;
    }
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Grammar grammar_;
  std::map<std::size_t, bool> empty_;
  std::set<std::size_t> done_;
};

}  // namespace

Result<Grammar> read_gbnf(std::string_view text) { return GbnfReader(text).read(); }

}  // namespace cairn::test
