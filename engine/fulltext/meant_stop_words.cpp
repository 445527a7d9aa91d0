// Two questions about each group, from the top: is it asked for separately, as the whole question or
// with a sign, and has it anything but stop words? Without the first it may be dropped as a stop word
// is; without the second its words are all that it asks.
#include "engine/fulltext/meant_stop_words.hpp"

#include <algorithm>

namespace cairn::engine {
namespace {

using Kind = TextNode::Kind;
using Occur = TextNode::Occur;

/// Something is left of it where stop words are dropped; what must not occur finds nothing.
bool has_content(const TextNode& node, const Analyzer& analyzer) {
  if (node.occur == Occur::must_not) return false;
  if (node.occur == Occur::must || node.kind == Kind::phrase) return !asks_nothing(node, analyzer);
  if (node.kind == Kind::group)
    return std::any_of(node.children.begin(), node.children.end(),
                       [&](const TextNode& child) { return has_content(child, analyzer); });
  if (node.kind != Kind::words) return true;
  const std::vector<Token> tokens = analyzer.query_tokens(node.text);
  return !std::all_of(tokens.begin(), tokens.end(),
                      [](const Token& token) { return token.is_stop_word; });
}

/// `is_asked`: by a sign of its own or of a group around it that has nothing else.
void mark(TextNode& node, bool is_asked, const Analyzer& analyzer) {
  const bool keeps =
      is_asked && std::none_of(node.children.begin(), node.children.end(),
                               [&](const TextNode& child) { return has_content(child, analyzer); });
  for (TextNode& child : node.children) {
    const bool is_child_asked = keeps || child.occur != Occur::should;
    child.keeps_stop_words = is_child_asked;
    if (child.kind == Kind::group) mark(child, is_child_asked, analyzer);
  }
}

}  // namespace

bool asks_nothing(const TextNode& node, const Analyzer& analyzer) {
  if (node.kind == Kind::group)
    return std::all_of(node.children.begin(), node.children.end(),
                       [&](const TextNode& child) { return asks_nothing(child, analyzer); });
  const bool reads_text = node.kind == Kind::words || node.kind == Kind::phrase;
  return reads_text && analyzer.query_tokens(node.text).empty();
}

void keep_meant_stop_words(TextNode& question, const Analyzer& analyzer) {
  mark(question, true, analyzer);
}

}  // namespace cairn::engine
