// token_printer TOKENIZER.json < LINES: for each line, a text as JSON, prints the numbers of its
// tokens, and of those with the special tokens around it; or the error.
#include "tools/embedders/tokenizer/tokenizer.hpp"

#include <cairn/json.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

using namespace cairn;

namespace {

List numbers(const std::vector<std::uint32_t>& ids) {
  List list;
  for (const std::uint32_t id : ids) list.emplace_back(static_cast<std::int64_t>(id));
  return list;
}

Value tokens_of(const tools::Tokenizer& tokenizer, const std::string& text) {
  const auto tokens = tokenizer.encode(text);
  if (!tokens) return tokens.error().message;
  List ids = numbers(tokenizer.frame().before);
  for (const tools::Token& token : *tokens) ids.emplace_back(static_cast<std::int64_t>(token.id));
  const List after = numbers(tokenizer.frame().after);
  ids.insert(ids.end(), after.begin(), after.end());
  return ids;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return 2;
  std::ifstream file(words[1]);
  const auto tokenizer =
      tools::Tokenizer::read(std::string(std::istreambuf_iterator<char>(file), {}));
  if (!tokenizer) {
    std::cerr << tokenizer.error().message << "\n";
    return 1;
  }
  for (std::string line; std::getline(std::cin, line);) {
    const auto text = parse_json(line);
    std::cout << to_json(tokens_of(*tokenizer, text.value().as_string())) << "\n";
  }
  return 0;
}
