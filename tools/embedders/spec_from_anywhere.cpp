#include "tools/embedders/spec_from_anywhere.hpp"

#include "tools/arguments/words.hpp"

#include <cairn/value.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace cairn::tools {
namespace {

std::string absolute_path(const std::string& path) {
  std::error_code problem;
  const auto absolute = std::filesystem::absolute(path, problem);
  return problem ? path : absolute.lexically_normal().string();
}

/// A word of `command:` or `http:` with an absolute path in place of a relative one. A program
/// without a slash is searched in PATH.
std::string word_from_anywhere(const std::string& word, bool is_program) {
  constexpr std::string_view key_file = "key_file=";
  if (word.starts_with(key_file))
    return std::string(key_file) + absolute_path(word.substr(key_file.size()));
  const bool is_relative = word.starts_with("./") || word.starts_with("../") ||
                           (is_program && word.find('/') != std::string::npos);
  return is_relative ? absolute_path(word) : word;
}

std::string quoted_if_needed(const std::string& word) {
  const bool is_plain = !word.empty() && word.find_first_of(" \t\r'\"") == std::string::npos;
  return is_plain ? word : Value(word).to_text();
}

}  // namespace

std::string spec_from_anywhere(const std::string& spec) {
  const std::size_t colon = std::min(spec.find(':'), spec.size());
  const std::string kind = spec.substr(0, colon);
  const std::string rest = spec.substr(std::min(colon + 1, spec.size()));
  if (kind == "words" || kind == "static") return kind + ":" + absolute_path(rest);
  const auto words = split_words(rest);
  if (!words || (kind != "command" && kind != "http" && kind != "https")) return spec;
  std::string line = kind + ":";
  for (const CommandWord& word : *words) {
    const bool is_first = &word == &words->front();
    const bool is_program = is_first && kind == "command";
    line += (is_first ? "" : " ") + quoted_if_needed(word_from_anywhere(word.text, is_program));
  }
  return line;
}

}  // namespace cairn::tools
