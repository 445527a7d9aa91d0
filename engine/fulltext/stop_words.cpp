// Lists of articles, pronouns, auxiliaries, prepositions and question words. They stay in the
// index, so that phrases can contain them. Only queries lose them, and only if something else is
// searched for.
#include "engine/fulltext/stop_words.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <unordered_set>

namespace cairn::engine {
namespace {

using Words = std::unordered_set<std::string>;

// Stop words of English, German and French, folded as fold_word() folds words.
constexpr const char* english =
    "a about am an and any are aren't as at be been being but by can can't could couldn't did "
    "didn't "
    "do does doesn't doing don't for from had hadn't has hasn't have haven't having he her here "
    "hers "
    "herself him himself his how i i'd i'll i'm i've if in into is isn't it it's its itself just "
    "me "
    "might must my myself no nor not of off on or other our ours ourselves over own shall she "
    "should so some such than that that's the their theirs them themselves then there these they "
    "this those through to too under until up upon very was wasn't we were weren't what what's "
    "when "
    "where which while who whom whose why will with would you your yours yourself yourselves";

constexpr const char* german =
    "aber als am an auch auf aus bei bin bis bist da damit dann das dass dein dem den denn der des "
    "dessen dich die dies diese diesem diesen dieser dieses dir doch du durch ein eine einem einen "
    "einer eines er es euch euer für hat hatte hatten ich ihm ihn ihnen ihr ihre im in ins ist ja "
    "kann "
    "kein keine können man mein mich mir mit nach nicht noch nun nur ob oder ohne sehr sein seine "
    "sich "
    "sie sind so über um und uns unser unter vom von vor war waren warum was weil welche welcher "
    "wem "
    "wen wenn wer werden wie wieder wird wo zu zum zur";

constexpr const char* french =
    "a au aux avec avait avez avons c'est ce ces cet cette comme dans de des du elle elles en est "
    "et "
    "était être eu il ils j'ai je l la le les leur leurs lui ma mais me mes moi mon ne nos notre "
    "nous "
    "on ont ou où par pas pour qu que quel quelle qui quoi sa sans se ses si son sont sur ta te "
    "tes "
    "toi ton tu un une vos votre vous y";

Words words_of(const char* text) {
  Words words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.insert(word);
  return words;
}

// The list of a language, made at the first call; nullptr if it has no list.
const Words* list_of(std::string_view language) {
  static const Words lists[] = {words_of(english), words_of(german), words_of(french)};
  if (language == "english") return &lists[0];
  if (language == "german") return &lists[1];
  return language == "french" ? &lists[2] : nullptr;
}

}  // namespace

bool is_stop_word(std::string_view language, std::string_view word) {
  const Words* words = list_of(language);
  return words != nullptr && words->contains(std::string(word));
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

/// `is_asked` is true if the node is required by an operator, its own or that of an enclosing group
/// without other content.
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
