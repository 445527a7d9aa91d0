#pragma once
// RandomStatements: random statements, most of which have endless work or rows on the hostile graph.

#include "tests/model/random.hpp"
#include "tests/query/execute/hostile/hostile_graph.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cairn::test {

/// Makes the same statements for the same seed. Each statement is a sequence of clauses: some produce rows, some keep,
/// sort, group or drop rows, and the last returns or writes. The types of expressions match, so that most can be
/// evaluated.
class RandomStatements {
 public:
  explicit RandomStatements(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] HostileStatement next();

 private:
  enum class Type : std::uint8_t { number, text, list, node, path, any };
  struct Name {
    Type type;
    std::string text;
  };

  // Expressions. `depth`: how deep they may nest.
  std::string expression(Type type, int depth);
  std::string number(int depth);
  std::string text(int depth);
  std::string list(int depth);
  std::string property(const char* name);
  std::string aggregate(Type& type);
  std::string condition();

  // Clauses, which add the names that they bind.
  std::string rows();
  std::string numbers();
  std::string match();
  std::string match_path();
  std::string match_shortest();
  std::string procedure();
  std::string search();
  std::string list_of_names();
  std::string subquery();
  std::string project();
  std::string group();
  std::string optional();
  std::string last();
  std::string returns();
  std::string write();

  const std::string& bind(Type type);
  [[nodiscard]] std::vector<std::string> names(Type type) const;
  /// A name of the type, or nothing.
  std::string name(Type type);
  template <class Choice, std::size_t size>
  std::string pick(const std::array<Choice, size>& choices) {
    return std::string(choices[random_.below(size)]);
  }

  Random random_;
  std::vector<Name> names_;
  int last_name_ = 0;
};

}  // namespace cairn::test
