#pragma once
// What the tests of homes share: nodes with directories of their own over one home.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/database.hpp>
#include <cairn/options.hpp>
#include <cairn/transfer.hpp>

#include <chrono>
#include <filesystem>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>

namespace cairn::test {

struct HomeFixture {
  TemporaryDirectory root;
  std::string home = "dir:" + (root.path() / "home").string();
  std::optional<std::chrono::seconds> keep_for = {};  // how long the home keeps older states

  [[nodiscard]] std::filesystem::path path(const std::string& node) const {
    return root.path() / node;
  }
  [[nodiscard]] Options options() const {
    Options options;
    options.home = home;
    options.home_history = keep_for;

    return options;
  }
  [[nodiscard]] Result<Database> try_open(const std::string& node) const {
    return Database::open(path(node), options());
  }
  [[nodiscard]] Database open(const std::string& node) const { return must(try_open(node)); }
  /// Where the objects of the home are, once it has a head.
  [[nodiscard]] std::filesystem::path home_directory() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root.path() / "home"))
      if (entry.path().filename() == "head") return entry.path().parent_path();
    throw std::runtime_error("the home has no head");
  }
  /// Objects of the home whose names have this in them.
  [[nodiscard]] std::size_t objects(const std::string& part) const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root.path() / "home"))
      if (entry.is_regular_file() && entry.path().string().find(part) != std::string::npos) ++count;
    return count;
  }
};

inline std::string export_of(Database& database) {
  std::ostringstream out;
  must(export_jsonl(database, out));
  return out.str();
}

inline void require_sound(Database& database) {
  for (const Finding& finding : must(database.check()))
    throw std::runtime_error(finding.place + ": " + finding.problem);
}

}  // namespace cairn::test
