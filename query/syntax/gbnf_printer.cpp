// Prints the rules of a grammar as GBNF.
//
// A token needs a blank before it if it begins with a word character and the previous token ends with a word character.
// Directly after a slash, no comment may begin. The previous token may come from another rule. So the printer computes
// the product of the grammar and an automaton with three states (Edge): each rule is printed once for each state in
// which it may begin and each state in which it may end. Unreachable states are omitted.
#include "query/syntax/gbnf.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace cairn::query::ebnf {
namespace {

constexpr std::array edges{Edge::apart, Edge::word, Edge::slash};

/// A set of Edge values, one bit for each.
using Edges = std::uint8_t;
constexpr Edges none = 0;
constexpr Edges only(Edge edge) { return static_cast<Edges>(1U << static_cast<unsigned>(edge)); }
constexpr bool has(Edges set, Edge edge) { return (set & only(edge)) != 0; }

/// The states in which a part begins and ends.
struct Span {
  Edge from = Edge::apart;
  Edge to = Edge::apart;
  auto operator<=>(const Span&) const = default;
};

constexpr std::string_view nothing = "\"\"";

/// Concatenates two parts; an empty part is left out.
std::string joined(const std::string& first, const std::string& second) {
  if (first == nothing) return second;
  return second == nothing ? first : first + " " + second;
}

class GbnfPrinter {
 public:
  explicit GbnfPrinter(const Grammar& grammar)
      : grammar_(grammar), ends_(grammar.rules.size(), {none, none, none}) {}

  /// Prints the root, then all rules that are reachable from it, then keywords and tokens.
  Result<std::string> print() {
    for (const Rule& rule : grammar_.rules)
      if (!rule.is_token) CAIRN_TRY(note_edges(rule.part));
    find_ends();
    std::string root;
    for (const Edge edge : edges)
      if (has(ends_[0][0], edge))
        root += (root.empty() ? "" : " | ") + rule_name(0, {Edge::apart, edge});
    gbnf_ = "root ::= " + root + "\n";
    while (!asked_.empty()) print_next();
    gbnf_ += "skip ::= blank*\ngap ::= blank+\nskip-behind-slash ::= (space blank*)?\n";
    for (const std::string& word : words_) append_keyword(word, gbnf_);
    CAIRN_TRY(append_tokens(grammar_, gbnf_));
    return std::move(gbnf_);
  }

 private:
  /// A rule that was referenced but is not printed yet: a sequence from part `first` on, or a repeat.
  struct Asked {
    std::string name;
    std::string base;  ///< name of the source rule that contains the part
    const Part* part = nullptr;
    std::size_t first = 0;  ///< of a sequence: its first part to print
    bool is_tail = false;   ///< of a repeat: at least one repetition precedes
    Span span;
  };
  using Key = std::tuple<const Part*, std::size_t, bool, Span>;

  [[nodiscard]] bool is_token(const Part& part) const {
    return part.kind == PartKind::text ||
           (part.kind == PartKind::rule && grammar_.rules[part.rule].is_token);
  }

  /// Determines the edges of all tokens in advance. Only this step can fail.
  Status note_edges(const Part& part) {
    if (is_token(part)) {
      CAIRN_ASSIGN(token_edges_[&part], edges_of(grammar_, part));
      if (part.kind == PartKind::text && is_word(part.text)) words_.insert(gbnf_name(part.text));
    }
    for (const Part& inner : part.parts) CAIRN_TRY(note_edges(inner));
    return {};
  }

  // Computes the end states of all rules. Rules are recursive, so the computation repeats until nothing changes.
  void find_ends() {
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (std::size_t i = 0; i < grammar_.rules.size(); ++i) {
        if (grammar_.rules[i].is_token) continue;
        for (const Edge from : edges) {
          Edges& known = ends_[i][static_cast<std::size_t>(from)];
          const Edges now = ends(grammar_.rules[i].part, from);
          is_changed = is_changed || now != known;
          known = now;
        }
      }
    }
  }

  /// Returns the states in which a part may end if it begins in `from`.
  Edges ends(const Part& part, Edge from) const {
    if (is_token(part)) return only(token_edges_.at(&part).behind);
    Edges result = none;
    switch (part.kind) {
      case PartKind::rule:
        return ends_[part.rule][static_cast<std::size_t>(from)];
      case PartKind::sequence:
        return ends_of_row(part.parts, 0, from);
      case PartKind::repeat:
        result = ends_behind(part, ends(part.parts[0], from));
        return part.may_be_absent ? result | only(from) : result;
      default:
        for (const Part& one : part.parts) result |= ends(one, from);
        return result;
    }
  }

  // Returns the states in which a sequence may end, if its part `first` begins in `from`.
  Edges ends_of_row(const std::vector<Part>& parts, std::size_t first, Edge from) const {
    Edges states = only(from);
    for (std::size_t i = first; i < parts.size(); ++i) states = ends_from(parts[i], states);
    return states;
  }

  // Returns the states in which a part may end if it begins in one of `states`.
  Edges ends_from(const Part& part, Edges states) const {
    Edges result = none;
    for (const Edge edge : edges)
      if (has(states, edge)) result |= ends(part, edge);
    return result;
  }

  /// Returns the states in which a repeat may end if its first round has ended in one of `states`.
  Edges ends_behind(const Part& repeat, Edges states) const {
    for (Edges before = none; repeat.may_be_repeated && before != states;) {
      before = states;
      states |= ends_from(repeat.parts[0], states);
    }
    return states;
  }

  /// Returns the name of an additional rule for a part, and schedules the rule for printing.
  std::string ask(const std::string& base, const Part& part, Span span, std::size_t first = 0,
                  bool is_tail = false) {
    std::string& name = names_[Key{&part, first, is_tail, span}];
    if (!name.empty()) return name;
    name = base + "-" + std::to_string(++parts_of_[base]);
    asked_.push_back({name, base, &part, first, is_tail, span});
    return name;
  }

  // Returns the name of a source rule for the given states, and schedules it for printing.
  std::string rule_name(std::size_t rule, Span span) {
    const Part& part = grammar_.rules[rule].part;
    std::string& name = names_[Key{&part, 0, false, span}];
    if (!name.empty()) return name;
    constexpr std::string_view letters = "aws";
    const std::string base = gbnf_name(grammar_.rules[rule].name);
    name = base + "-" + letters[static_cast<std::size_t>(span.from)] +
           letters[static_cast<std::size_t>(span.to)];
    asked_.push_back({name, base, &part, 0, false, span});
    return name;
  }

  // Prints the oldest scheduled rule.
  void print_next() {
    const Asked asked = std::move(asked_.front());
    asked_.pop_front();
    base_ = asked.base;
    const Part& part = *asked.part;
    gbnf_ += asked.name + " ::= ";
    if (part.kind == PartKind::sequence)
      gbnf_ += row(part, asked.first, asked.span);
    else if (part.kind == PartKind::repeat && part.may_be_repeated)
      gbnf_ += rounds(part, asked.span, asked.is_tail);
    else
      gbnf_ += text(part, asked.span);
    gbnf_ += "\n";
  }

  /// Prints a part, which must be able to end in `span.to`.
  std::string text(const Part& part, Span span) {
    if (is_token(part)) return token(part, span.from);
    switch (part.kind) {
      case PartKind::rule:
        return rule_name(part.rule, span);
      case PartKind::sequence:
        return row(part, 0, span);
      case PartKind::repeat:
        return repeat(part, span);
      default:
        return choice(part, span);
    }
  }

  // Prints a token with the blanks that may or must precede it.
  std::string token(const Part& part, Edge from) {
    const bool needs_gap = from == Edge::word && token_edges_.at(&part).before == Edge::word;
    const std::string blank = needs_gap             ? "gap "
                              : from == Edge::slash ? "skip-behind-slash "
                                                    : "skip ";
    if (part.kind == PartKind::rule) return blank + gbnf_name(grammar_.rules[part.rule].name);
    return blank + (is_word(part.text) ? keyword_name(part.text) : gbnf_text(part.text));
  }

  // Prints the alternatives that can end in `span.to`, each once.
  std::string choice(const Part& part, Span span) {
    std::set<std::string> seen;
    std::string result;
    for (const Part& one : part.parts) {
      if (!has(ends(one, span.from), span.to)) continue;
      std::string next = text(one, span);
      if (seen.insert(next).second) result += (result.empty() ? "" : " | ") + next;
    }
    return "(" + result + ")";
  }

  // Prints a sequence. If its first part may end in several states, the rest becomes a separate rule for each of
  // them.
  std::string row(const Part& part, std::size_t first, Span span) {
    const Part& one = part.parts[first];
    if (first + 1 == part.parts.size()) return text(one, span);
    std::vector<Edge> between;
    for (const Edge edge : edges)
      if (has(ends(one, span.from), edge) && has(ends_of_row(part.parts, first + 1, edge), span.to))
        between.push_back(edge);
    if (between.size() == 1)
      return joined(text(one, {span.from, between[0]}),
                    row(part, first + 1, {between[0], span.to}));
    std::string result;
    for (const Edge edge : between)
      result += (result.empty() ? "" : " | ") +
                joined(text(one, {span.from, edge}), ask(base_, part, {edge, span.to}, first + 1));
    return "(" + result + ")";
  }

  // Prints a repeat with GBNF's operators if it ends in the state in which it began; otherwise as a recursive rule.
  std::string repeat(const Part& part, Span span) {
    const Part& body = part.parts[0];
    const bool is_here = has(ends(body, span.from), span.to);
    if (!part.may_be_repeated) {
      const std::string once = is_here ? "(" + text(body, span) + ")" : "";
      return span.from == span.to ? (is_here ? once + "?" : std::string(nothing)) : once;
    }
    if (ends(body, span.from) == only(span.from) && span.from == span.to)
      return "(" + text(body, span) + (part.may_be_absent ? ")*" : ")+");
    return ask(base_, part, span);
  }

  /// Prints a repeat as a rule that refers to itself after each round.
  std::string rounds(const Part& part, Span span, bool is_tail) {
    const Part& body = part.parts[0];
    std::string result;
    for (const Edge edge : edges) {
      if (!has(ends(body, span.from), edge) || !has(ends_behind(part, only(edge)), span.to))
        continue;
      result += (result.empty() ? "" : " | ") + text(body, {span.from, edge}) + " " +
                ask(base_, part, {edge, span.to}, 0, true);
    }
    const bool may_end = span.from == span.to && (is_tail || part.may_be_absent);
    if (result.empty()) return std::string(nothing);
    return "(" + result + ")" + (may_end ? "?" : "");
  }

  const Grammar& grammar_;
  std::vector<std::array<Edges, 3>> ends_;         // of each rule, by the state in which it begins
  std::map<const Part*, TokenEdges> token_edges_;  // of the tokens in rules
  std::set<std::string> words_;
  std::map<Key, std::string> names_;
  std::map<std::string, std::size_t> parts_of_;  // number of additional rules by source rule
  std::deque<Asked> asked_;                      // rules to print
  std::string base_;                             // source rule that is being printed
  std::string gbnf_;
};

}  // namespace

Result<std::string> print_gbnf(const Grammar& grammar) { return GbnfPrinter(grammar).print(); }

}  // namespace cairn::query::ebnf
