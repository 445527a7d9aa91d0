// Articles, pronouns and conjunctions, as Lucene's analyzers of these languages drop them. English has
// none, but names that came with one: they are found by what is behind it, too.
#include "engine/fulltext/elision.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace cairn::engine {
namespace {

constexpr std::string_view curly = "\xe2\x80\x99";
/// In bytes: "quoiqu".
constexpr std::size_t longest = 6;

constexpr std::array<std::string_view, 13> french = {
    "c", "d", "j", "l", "m", "n", "s", "t", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu"};
constexpr std::array<std::string_view, 24> italian = {
    "c",    "d",    "l",    "m",    "s",    "t",     "v",     "un",
    "gl",   "agl",  "all",  "coll", "dagl", "dall",  "degl",  "dell",
    "negl", "nell", "pell", "sugl", "sull", "quell", "quest", "dov"};
constexpr std::array<std::string_view, 6> catalan = {"d", "l", "m", "n", "s", "t"};
constexpr std::array<std::string_view, 3> english = {"d", "l", "o"};

std::span<const std::string_view> list_of(std::string_view language) {
  if (language == "english") return english;
  if (language == "french") return french;
  if (language == "italian") return italian;
  if (language == "catalan") return catalan;
  return {};
}

std::string in_small_letters(std::string_view word) {
  std::string small(word);
  for (char& c : small) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return small;
}

/// "O'Brien" and "D'Angelo", but neither "l'il" nor "o'clock".
bool is_name(std::string_view behind) {
  constexpr std::size_t shortest = 3;
  return behind.size() >= shortest && in_small_letters(behind) != "clock";
}

}  // namespace

bool has_elisions(std::string_view language) { return !list_of(language).empty(); }

bool is_name_with_elision(std::string_view language) { return language == "english"; }

std::size_t elided_bytes(std::string_view language, std::string_view word) {
  const std::size_t most = std::min(word.size(), longest + 1);
  std::size_t length = 0;
  while (length < most && word[length] != '\'' && word[length] != curly.front()) ++length;
  if (length == most || length == 0) return 0;
  const std::string_view rest = word.substr(length);
  const std::size_t apostrophe = rest.front() == '\''      ? 1
                                 : rest.starts_with(curly) ? curly.size()
                                                           : 0;
  if (apostrophe == 0 || apostrophe == rest.size()) return 0;
  const auto list = list_of(language);
  const std::string beginning = in_small_letters(word.substr(0, length));
  if (std::find(list.begin(), list.end(), beginning) == list.end()) return 0;
  if (is_name_with_elision(language) && !is_name(rest.substr(apostrophe))) return 0;
  return length + apostrophe;
}

}  // namespace cairn::engine
