#pragma once
// QueryGenerator: random statements that the grammar takes, whatever they mean.

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::test {

class QueryGenerator {
 public:
  explicit QueryGenerator(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] std::string statement();
  [[nodiscard]] std::string expression(int levels);

 private:
  using Make = std::string (QueryGenerator::*)(int levels);

  [[nodiscard]] std::size_t below(std::size_t bound) { return random_() % bound; }
  [[nodiscard]] bool maybe() { return below(2) == 0; }
  [[nodiscard]] std::string_view one_of(const std::vector<std::string_view>& texts) {
    return texts[below(texts.size())];
  }
  /// Zero to `most` of what `make` makes, with commas.
  std::string list(Make make, int levels, std::size_t least, std::size_t most);
  std::string optional(std::string_view keyword, Make make, int levels);

  std::string name();
  std::string leaf();
  std::string operand(int levels);
  std::string any_expression(int levels) { return expression(levels); }
  std::string collection(int levels);
  std::string local(int levels);
  std::string suffixed(int levels);
  std::string case_expression(int levels);
  std::string case_branch(int levels);
  std::string call(int levels);
  std::string map_entry(int levels);
  std::string projection_entry(int levels);
  std::string subquery(int levels);
  std::string label_expression(int levels);

  std::string node(int levels);
  std::string relationship(int levels);
  std::string path(int levels);
  std::string named_path(int levels);

  std::string in_transactions();
  std::string call_subquery(int levels);
  std::string clause(int levels);
  std::string update(int levels);
  std::string search_strategy();
  std::string search_cut(int levels);
  std::string search_retriever(int levels);
  std::string search(int levels);
  std::string match(int levels);
  std::string projection(int levels);
  std::string projection_item(int levels);
  std::string sort_item(int levels);
  std::string set_item(int levels);
  std::string query(int levels);
  std::string schema_command();

  std::mt19937_64 random_;
};

}  // namespace cairn::test
