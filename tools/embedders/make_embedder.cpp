// Makes an embedder of a spec: its kind is before the colon, and its arguments are after the colon.
#include "tools/arguments/words.hpp"
#include "tools/embedders/http_embedder.hpp"
#include "tools/embedders/local_embedders.hpp"
#include "tools/text/shown_text.hpp"

#include <cairn/make_embedder.hpp>
#include <cairn/word_vectors.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

namespace cairn {
namespace {

using Made = Result<std::unique_ptr<Embedder>>;

Error invalid(std::string message) { return {ErrorCode::invalid_argument, std::move(message), {}}; }

Made make_words(const std::string& file) {
  CAIRN_ASSIGN(auto vectors, WordVectors::open(file));
  return std::unique_ptr<Embedder>(std::move(vectors));
}

Result<std::vector<std::string>> words_of(const std::string& text) {
  CAIRN_ASSIGN(const auto split, tools::split_words(text));
  std::vector<std::string> words;
  for (const tools::CommandWord& word : split) words.push_back(word.text);
  return words;
}

Made make_command(const std::string& line, const EmbedderOptions& options) {
  CAIRN_ASSIGN(auto words, words_of(line));
  if (words.empty() || words.front().empty())
    return invalid("command: names no program; write command:PROGRAM and its arguments");
  return tools::make_command_embedder(std::move(words), options.timeout);
}

/// Takes http:URL, and an address without the prefix http:.
Made make_service(std::string_view spec, const std::string& rest, const EmbedderOptions& options) {
  CAIRN_ASSIGN(const auto words, words_of(rest.starts_with("//") ? std::string(spec) : rest));
  return tools::make_http_embedder(words, options);
}

}  // namespace

Made make_embedder(std::string_view spec, const EmbedderOptions& options) {
  const std::size_t colon = std::min(spec.find(':'), spec.size());
  const std::string kind(spec.substr(0, colon));
  const std::string rest(spec.substr(std::min(colon + 1, spec.size())));
  if (spec == "hash") return make_hashing_embedder();
  if (!rest.empty() && kind == "words") return make_words(rest);
  if (!rest.empty() && kind == "static") return tools::open_static_embedder(rest);
  if (!rest.empty() && kind == "command") return make_command(rest, options);
  if (!rest.empty() && (kind == "http" || kind == "https"))
    return make_service(spec, rest, options);
  return invalid("there is no embedder " + tools::shown_text(kind) + (rest.empty() ? "" : ":...") +
                 "; name hash, words:FILE, static:DIRECTORY, command:PROGRAM or http:URL");
}

}  // namespace cairn
