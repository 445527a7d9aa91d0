#pragma once
// A database that another process has open, and this one attached to it.

#include "tests/support/graph_builder.hpp"
#include "tests/support/host_process.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/cairn.hpp>

#include <optional>
#include <string>

namespace cairn::test {

struct AttachedFixture {
  explicit AttachedFixture(const Options& options = {})
      : host(std::in_place, directory.path() / "db", options), database(open(options)) {}

  [[nodiscard]] std::filesystem::path path() const { return directory.path() / "db"; }
  [[nodiscard]] Database open(Options options = {}) const {
    options.share = Share::automatic;
    return must(Database::open(path(), options));
  }
  [[nodiscard]] std::int64_t count(const std::string& pattern = "(n)") {
    Rows rows = must(execute(database, "MATCH " + pattern + " RETURN count(*) AS n"));
    return (*must(rows.next()))["n"].as_integer();
  }

  TemporaryDirectory directory;
  std::optional<HostProcess> host;
  Database database;
};

/// "CODE: message" of a failure, "success" otherwise.
template <class T>
std::string outcome_text(const Result<T>& result) {
  return result ? "success"
                : std::string(to_string(result.error().code)) + ": " + result.error().message;
}

}  // namespace cairn::test
