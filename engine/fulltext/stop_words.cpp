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

/// True if terms remain after stop words are dropped. Excluded nodes do not count, as they find
/// nothing.
bool has_content(const TextNode& node, const Analyzer& analyzer) {
  if (node.occur == Occur::must_not) return false;
  if (node.occur == Occur::must || node.kind == NodeKind::phrase)
    return !asks_nothing(node, analyzer);
  if (node.kind == NodeKind::group)
    return std::any_of(node.children.begin(), node.children.end(),
                       [&](const TextNode& child) { return has_content(child, analyzer); });
  if (node.kind != NodeKind::words) return true;
  const std::vector<Token> tokens = analyzer.query_tokens(node.text);
  return !std::all_of(tokens.begin(), tokens.end(),
                      [](const Token& token) { return token.is_stop_word; });
}

/// `is_asked` is true if an operator requires the node: an operator of the node itself, or of an
/// enclosing group that has nothing but stop words.
void mark(TextNode& node, bool is_asked, const Analyzer& analyzer) {
  const bool keeps =
      is_asked && std::none_of(node.children.begin(), node.children.end(),
                               [&](const TextNode& child) { return has_content(child, analyzer); });
  for (TextNode& child : node.children) {
    const bool is_child_asked = keeps || child.occur != Occur::should;
    child.keeps_stop_words = is_child_asked;
    if (child.kind == NodeKind::group) mark(child, is_child_asked, analyzer);
  }
}

}  // namespace

// Prefixes and fuzzy words always search for something.
bool asks_nothing(const TextNode& node, const Analyzer& analyzer) {
  if (node.kind == NodeKind::group)
    return std::all_of(node.children.begin(), node.children.end(),
                       [&](const TextNode& child) { return asks_nothing(child, analyzer); });
  const bool reads_text = node.kind == NodeKind::words || node.kind == NodeKind::phrase;
  return reads_text && analyzer.query_tokens(node.text).empty();
}

// The query as a whole is required.
void keep_meant_stop_words(TextNode& question, const Analyzer& analyzer) {
  mark(question, true, analyzer);
}

}  // namespace cairn::engine
