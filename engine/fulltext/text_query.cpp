// A hand-written recursive-descent parser, as the grammar is small. A query is never refused: texts
// of users and agents are full of colons, brackets and dashes. A text that cannot be read as syntax
// is searched for as plain words, with a warning that says why. Groups may be nested 32 deep.
#include "engine/fulltext/text_query.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

namespace cairn::engine {
namespace {

using Kind = TextNode::Kind;
using Occur = TextNode::Occur;
/// Clauses joined by AND.
using Chain = std::vector<TextNode>;

// Nesting of groups.
constexpr int max_depth = 32;

bool is_query_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_one_of(char c, std::string_view signs) { return signs.find(c) != signs.npos; }
bool ends_word(char c) { return is_query_blank(c) || is_one_of(c, "()\"*~^"); }
bool is_query_digit(char c) { return c >= '0' && c <= '9'; }
/// True for letters of any script.
bool is_query_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}

bool is_joint(std::string_view word) {
  return word == "AND" || word == "OR" || word == "NOT" || word == "&&" || word == "||";
}

bool must_not_occur(const TextNode& clause) { return clause.occur == Occur::must_not; }

bool is_bare_star(const TextNode& clause) {
  return clause.kind == Kind::every && clause.field.empty() && clause.occur == Occur::should;
}

// Quoted names joined by commas and "and", for a warning.
std::string listed(std::span<const std::string> names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i)
    list += (i == 0 ? "\"" : i + 1 < names.size() ? ", \"" : " and \"") + names[i] + "\"";
  return list;
}

/// Makes the clauses of an AND required, except clauses with an operator of their own: "a AND -b"
/// means "+a -b".
void require(Chain& chain) {
  for (TextNode& clause : chain)
    if (clause.occur == Occur::should) clause.occur = Occur::must;
}

/// Reads a query from front to back. The first problem ends it.
class Parser {
 public:
  Parser(std::string_view text, std::span<const std::string> fields, TextWork& work)
      : rest_(text), fields_(fields), work_(work) {}

  TextNode parse() {
    TextNode root = group(0);
    if (!rest_.empty()) fail("a ')' without its '('");
    return root;
  }
  /// What is wrong with the syntax; empty if everything was read.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  /// The error of a limit, after which there is a problem as well.
  [[nodiscard]] const Status& status() const noexcept { return status_; }
  /// What was read differently from what was written; empty if nothing was.
  [[nodiscard]] const std::string& remark() const noexcept { return remark_; }

 private:
  void fail(const std::string& problem) {
    if (problem_.empty()) problem_ = problem;
  }
  void remark(const std::string& text) { remark_ += (remark_.empty() ? "" : "; ") + text; }

  void skip_blanks() {
    while (!rest_.empty() && is_query_blank(rest_.front())) rest_.remove_prefix(1);
  }
  bool take(char sign) {
    if (rest_.empty() || rest_.front() != sign) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Reads `word` if it comes next and is not the beginning of a longer word.
  bool take_word(std::string_view word) {
    const bool is_there =
        rest_.starts_with(word) && (rest_.size() == word.size() || ends_word(rest_[word.size()]));
    if (is_there) rest_.remove_prefix(word.size());
    return is_there;
  }
  /// Reads an operator between two clauses, if there is one.
  bool take_joint(std::string_view word, std::string_view signs) {
    skip_blanks();
    const bool is_there = problem_.empty() && (take_word(word) || take_word(signs));
    if (is_there) skip_blanks();
    return is_there;
  }
  // Every loop ends after a problem.
  [[nodiscard]] bool is_in_group() const {
    return problem_.empty() && !rest_.empty() && rest_.front() != ')';
  }

  /// Reads up to a ')' or the end. Each iteration reads at least one clause or reports a problem,
  /// so the loop ends.
  TextNode group(int depth) {
    TextNode node;
    if (depth > max_depth) fail("more nested brackets than can be read");
    bool has_or = false;
    for (skip_blanks(); is_in_group(); skip_blanks()) {
      std::vector<Chain> all = alternatives(depth);
      has_or = has_or || all.size() > 1;
      append(std::move(all), node.children);
    }
    const auto& clauses = node.children;
    if (!has_or) check_stars(clauses);
    if (!clauses.empty() && std::all_of(clauses.begin(), clauses.end(), must_not_occur))
      remark("the text only excludes words, which finds nothing; add a word to search for");
    return node;
  }

  /// Rejects a '*' among words without any operator, as in "2 * 3": it is a part of a text.
  void check_stars(const std::vector<TextNode>& clauses) {
    const auto is_optional = [](const TextNode& one) { return one.occur == Occur::should; };
    if (clauses.size() > 1 && std::all_of(clauses.begin(), clauses.end(), is_optional) &&
        std::any_of(clauses.begin(), clauses.end(), is_bare_star))
      fail("a '*' between words");
  }

  // Reads chains joined by OR.
  std::vector<Chain> alternatives(int depth) {
    std::vector<Chain> all;
    do {
      all.push_back(chain(depth));
    } while (take_joint("OR", "||"));
    return all;
  }

  // Reads clauses joined by AND.
  Chain chain(int depth) {
    Chain clauses;
    do {
      clauses.push_back(clause(depth));
    } while (take_joint("AND", "&&"));
    return clauses;
  }

  // Adds chains to a group. A chain that is a side of an OR becomes a group of its own; the clauses
  // of any other are added directly.
  void append(std::vector<Chain> alternatives, std::vector<TextNode>& clauses) {
    for (Chain& chain : alternatives) {
      const bool is_side = alternatives.size() > 1;
      if (is_side) check_side(chain);
      if (chain.size() > 1) require(chain);
      if (is_side && chain.size() > 1) {
        TextNode side;
        side.children = std::move(chain);
        clauses.push_back(std::move(side));
      } else {
        std::move(chain.begin(), chain.end(), std::back_inserter(clauses));
      }
    }
  }

  // Rejects an operator within a side of an OR, because it is unclear whether it applies to the
  // side or to the whole.
  void check_side(const Chain& chain) {
    const auto is_required = [](const TextNode& clause) { return clause.occur == Occur::must; };
    if (std::any_of(chain.begin(), chain.end(), is_required) ||
        std::all_of(chain.begin(), chain.end(), must_not_occur))
      fail("an OR next to a '+', '-' or NOT, which is ambiguous without brackets");
  }

  // Reads an operator, a field, a word or phrase or group, and a boost.
  TextNode clause(int depth) {
    const Occur occur = take_sign();
    const std::string field = take_field();
    TextNode node = primary(depth);
    node.occur = occur;
    if (!field.empty()) set_field(node, field);
    if (take('^')) node.boost = read_boost();
    note_work();
    return node;
  }

  /// A clause takes about half a microsecond. A full list of clauses moves to one of twice the size.
  void note_work() {
    constexpr std::uint64_t of_clause = 512;
    ++clauses_;
    if (const Status done = work_.add(of_clause, 3 * clauses_ * sizeof(TextNode)); !done) {
      status_ = done;
      fail("more clauses than the limits allow");
    }
  }

  Occur take_sign() {
    if (take('+')) return Occur::must;
    if (take('-') || take('!')) return Occur::must_not;
    if (!take_word("NOT")) return Occur::should;
    skip_blanks();
    return Occur::must_not;
  }

  /// The field of a group applies to all clauses in it without a field of their own.
  static void set_field(TextNode& node, const std::string& field) {
    if (node.field.empty()) node.field = field;
    for (TextNode& child : node.children) set_field(child, field);
  }

  std::string take_field() {
    // Tries the names of the index first, because they may contain characters that other names may
    // not.
    for (const std::string& field : fields_) {
      const bool is_there = rest_.size() > field.size() + 1 && rest_.starts_with(field) &&
                            rest_[field.size()] == ':' && !is_query_blank(rest_[field.size() + 1]);
      if (is_there) return take_name(field.size());
    }
    const std::size_t length = length_of_name();
    if (length == 0) return {};
    std::string field = take_name(length);
    if (!fields_.empty())
      fail("the unknown field \"" + field + "\" (the index has " + listed(fields_) + ")");
    return field;
  }
  std::string take_name(std::size_t length) {
    std::string name(rest_.substr(0, length));
    rest_.remove_prefix(length + 1);
    return name;
  }
  /// The length of something that looks like a field name, known or not. 0 for "10:30", "note: x",
  /// "http://" and "std::move".
  [[nodiscard]] std::size_t length_of_name() const {
    std::size_t length = 0;
    while (length < rest_.size() &&
           (is_query_letter(rest_[length]) ||
            (length > 0 && (is_query_digit(rest_[length]) || is_one_of(rest_[length], ".-")))))
      ++length;
    if (length + 1 >= rest_.size() || rest_[length] != ':') return 0;
    const char next = rest_[length + 1];
    return is_query_letter(next) || is_query_digit(next) || is_one_of(next, "(\"*") ? length : 0;
  }

  // Reads a group, a phrase, every document, or a word.
  TextNode primary(int depth) {
    if (take('(')) {
      TextNode node = group(depth + 1);
      if (!take(')')) fail("a '(' without its ')'");
      return node;
    }
    if (rest_.starts_with('*')) return every();
    return take('"') ? phrase() : word();
  }

  // Reads "*" or "*:*".
  TextNode every() {
    TextNode node;
    node.kind = Kind::every;
    rest_.remove_prefix(rest_.starts_with("*:*") ? 3 : 1);
    end_suffix('*');
    return node;
  }

  // Reads the rest of a phrase, after its first quotation mark.
  TextNode phrase() {
    TextNode node;
    node.kind = Kind::phrase;
    const std::size_t end = rest_.find('"');
    if (end == rest_.npos) {
      fail("a quotation mark that is not closed");
      return node;
    }
    node.text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    if (take('~')) {
      node.distance = read_number().value_or(0);
      end_suffix('~');
    }
    return node;
  }

  // Reads a word. An operator character inside a word is a part of it.
  TextNode word() {
    TextNode node;
    node.kind = Kind::words;
    std::size_t end = 0;
    while (end < rest_.size() && !ends_word(rest_[end])) ++end;
    node.text = rest_.substr(0, end);
    rest_.remove_prefix(end);
    check_forms(node.text);
    // AND, OR, NOT and operators have a meaning only between clauses. At this place a clause must
    // follow.
    if (node.text.empty() || is_joint(node.text) || is_one_of(node.text.front(), "+-!"))
      fail("an operator without a word");
    if (take('*')) {
      node.kind = Kind::prefix;
      end_suffix('*');
    } else if (take('~')) {
      node.kind = Kind::fuzzy;
      node.distance = read_edits();
      end_suffix('~');
    }
    return node;
  }

  /// Remarks forms of other engines that are read as plain words: te?t and [a TO z]. A '?' at the end of a word belongs to
  /// a question.
  void check_forms(std::string_view word) {
    const std::size_t mark = word.find('?');
    if (mark != word.npos && word.find_first_not_of('?', mark) != word.npos)
      remark_once(
          "the text has a '?' inside of a word, which stands for no letter; use te* or te~");
    const std::size_t bracket = word.find_first_of("[{");
    const bool is_begin =
        bracket != word.npos && (bracket == 0 || word[bracket - 1] == ':') && takes_range();
    if (is_begin)
      remark_once("the text has a range, which is searched for as words; use WHERE for a range");
  }
  /// True if " TO word]" comes next.
  [[nodiscard]] bool takes_range() const {
    constexpr std::string_view to = "TO ";
    const std::size_t begin = rest_.find_first_not_of(' ');
    return begin != 0 && begin != rest_.npos && rest_.substr(begin).starts_with(to) &&
           rest_.find_first_of("]}", begin) != rest_.npos;
  }
  void remark_once(const std::string& text) {
    if (remark_.find(text) == remark_.npos) remark(text);
  }

  // Reads the number of edits of a fuzzy word. The default is 1.
  std::uint32_t read_edits() {
    const std::uint32_t edits = read_number().value_or(1);
    if (edits > max_edits)
      remark("the text has a '~" + std::to_string(edits) + "'; words that differ by at most " +
             std::to_string(max_edits) + " letters were searched for");
    return std::min(edits, max_edits);
  }

  /// Checks that a word ends after its '*', '~' or '^' and the number after it.
  void end_suffix(char sign) {
    if (!rest_.empty() && !is_query_blank(rest_.front()) && !is_one_of(rest_.front(), ")^"))
      fail(std::string("a '") + sign + "' that is not at the end of a word");
  }

  std::optional<std::uint32_t> read_number() {
    std::uint32_t number = 0;
    const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (read.ec != std::errc()) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(read.ptr - rest_.data()));
    return number;
  }

  // Reads the number after '^'.
  double read_boost() {
    double boost = 1;
    const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), boost);
    // The comparison is false for NaN, so NaN is rejected as well.
    if (read.ec != std::errc() || !(boost > 0 && boost < 1e6)) {
      fail("a '^' without a number above 0");
      return 1;
    }
    rest_.remove_prefix(static_cast<std::size_t>(read.ptr - rest_.data()));
    end_suffix('^');
    return boost;
  }

  std::string_view rest_;
  std::span<const std::string> fields_;
  TextWork& work_;
  std::size_t clauses_ = 0;
  Status status_;
  std::string problem_;
  std::string remark_;
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

// A problem discards everything that was parsed, so that a query is never half syntax and half
// text.
Result<ParsedText> parse_text_query(std::string_view text, std::span<const std::string> fields,
                                    TextWork& work) {
  Parser parser(text, fields, work);
  TextNode root = parser.parse();
  CAIRN_TRY(parser.status());
  if (parser.problem().empty()) return ParsedText{std::move(root), parser.remark()};
  return ParsedText{plain_words(text),
                    "the text has " + parser.problem() + "; it was searched for as plain words"};
}

ParsedText parse_text_query(std::string_view text, std::span<const std::string> fields) {
  TextWork unlimited(nullptr);
  return *parse_text_query(text, fields, unlimited);
}

}  // namespace cairn::engine
