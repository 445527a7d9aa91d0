// Stop words stay in the index, so that phrases can contain them. Only queries drop them, and only
// if the query has other words.
#include "engine/fulltext/stop_words.hpp"

#include "engine/fulltext/stop_word_lists.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <sstream>
#include <string>
#include <unordered_set>

namespace cairn::engine {
namespace {

using Words = std::unordered_set<std::string>;

Words words_of(std::string_view text) {
  Words words;
  std::istringstream stream{std::string(text)};
  for (std::string word; stream >> word;) words.insert(word);
  return words;
}

// The list of a language, made at the first call; nullptr if it has no list.
const Words* list_of(std::string_view language) {
  static const auto lists = [] {
    std::map<std::string_view, Words> all;
    for (const StopWordList& list : stop_word_lists())
      all.emplace(list.language, words_of(list.words));
    return all;
  }();
  const auto found = lists.find(language);
  return found == lists.end() ? nullptr : &found->second;
}

}  // namespace

bool is_stop_word(std::string_view language, std::string_view word) {
  const std::size_t comma = language.find(',');
  const Words* words = list_of(language.substr(0, comma));
  if (words != nullptr && words->contains(std::string(word))) return true;
  return comma != language.npos && is_stop_word(language.substr(comma + 1), word);
}

// Decides which groups retain their stop words, from the top. A group retains them if it is
// required on its own (as the whole query, or by an operator) and contains nothing but stop words.

namespace {

using NodeKind = TextNode::Kind;
using Occur = TextNode::Occur;

/// What a visit of a node costs, as TextWork counts.
constexpr std::uint64_t bytes_of_visit = 64;

Result<bool> has_content(const TextNode& node, const Analyzer& analyzer, TextWork& work);

Result<bool> any_has_content(const std::vector<TextNode>& nodes, const Analyzer& analyzer,
                             TextWork& work) {
  for (const TextNode& node : nodes) {
    CAIRN_TRY(work.add(bytes_of_visit, 0));
    CAIRN_ASSIGN(const bool has, has_content(node, analyzer, work));
    if (has) return true;
  }
  return false;
}

/// True if terms remain after stop words are dropped. Excluded nodes do not count, as they find
/// nothing.
Result<bool> has_content(const TextNode& node, const Analyzer& analyzer, TextWork& work) {
  if (node.occur == Occur::must_not) return false;
  if (node.occur == Occur::must || node.kind == NodeKind::phrase) {
    CAIRN_ASSIGN(const bool is_nothing, asks_nothing(node, analyzer, work));
    return !is_nothing;
  }
  if (node.kind == NodeKind::group) return any_has_content(node.children, analyzer, work);
  if (node.kind != NodeKind::words) return true;
  CAIRN_ASSIGN(const std::vector<Token> tokens, analyzer.query_tokens(node.text, work));
  return !std::all_of(tokens.begin(), tokens.end(),
                      [](const Token& token) { return token.is_stop_word; });
}

/// `is_asked` is true if an operator requires the node: an operator of the node itself, or of an
/// enclosing group that has nothing but stop words.
Status mark(TextNode& node, bool is_asked, const Analyzer& analyzer, TextWork& work) {
  bool keeps = is_asked;
  if (is_asked) {
    CAIRN_ASSIGN(const bool has, any_has_content(node.children, analyzer, work));
    keeps = !has;
  }
  for (TextNode& child : node.children) {
    CAIRN_TRY(work.add(bytes_of_visit, 0));
    const bool is_child_asked = keeps || child.occur != Occur::should;
    child.keeps_stop_words = is_child_asked;
    if (child.kind == NodeKind::group) CAIRN_TRY(mark(child, is_child_asked, analyzer, work));
  }
  return {};
}

}  // namespace

// Prefixes and fuzzy words always search for something.
Result<bool> asks_nothing(const TextNode& node, const Analyzer& analyzer, TextWork& work) {
  if (node.kind == NodeKind::group) {
    for (const TextNode& child : node.children) {
      CAIRN_TRY(work.add(bytes_of_visit, 0));
      CAIRN_ASSIGN(const bool is_nothing, asks_nothing(child, analyzer, work));
      if (!is_nothing) return false;
    }
    return true;
  }
  const bool reads_text = node.kind == NodeKind::words || node.kind == NodeKind::phrase;
  if (!reads_text) return false;
  CAIRN_ASSIGN(const std::vector<Token> tokens, analyzer.query_tokens(node.text, work));
  return tokens.empty();
}

// The query as a whole is required.
Status keep_meant_stop_words(TextNode& question, const Analyzer& analyzer, TextWork& work) {
  return mark(question, true, analyzer, work);
}

}  // namespace cairn::engine
