#pragma once
// Databases that damage is done to, and what each must answer.

#include "engine/store/column_family.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/database.hpp>
#include <cairn/options.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::test {

/// What a database answers, a text a question; nothing where it gave an error.
using Answers = std::vector<std::optional<std::string>>;

/// A database that nobody has open, with commits that were all synced, and what it must answer.
struct DamageSample {
  TemporaryDirectory directory;
  std::filesystem::path path = directory.path() / "sample";
  std::function<Answers(Database&)> ask;
  Segments segments = Segments::automatic;  ///< with which it was made and is opened
  Answers expected;
  std::map<engine::Family, std::vector<std::filesystem::path>> tables{};

  /// Take the files as a process leaves them that dies now.
  void take(Database& database, const std::filesystem::path& live);
  /// Files whose names begin so, in a directory of it. None where it lacks the directory.
  [[nodiscard]] std::vector<std::filesystem::path> files(std::string_view directory_name,
                                                         std::string_view begin) const;
  /// The store's logs that are not empty.
  [[nodiscard]] std::vector<std::filesystem::path> logs() const;
};

/// The rows of a statement in the order of their texts; nothing where it gave an error.
[[nodiscard]] std::optional<std::string> answer(Database& database, const std::string& statement);
/// All hits of a vector index, likewise.
[[nodiscard]] std::optional<std::string> nearest(const Database& database, const char* index,
                                                 std::span<const float> query);

/// What became of damaged copies of a sample.
struct DamageTally {
  int refused = 0, failed = 0, warned = 0, unharmed = 0, wrong = 0;

  [[nodiscard]] std::string text() const;
};

/// Opens a damaged copy in a mode, queries it and counts the outcome: refused, answered with errors or after a warning,
/// answered as if nothing were damaged, or answered wrongly. Every commit was synced, so an open that succeeds must
/// have the last commit, whatever it warns of. Repairs are permanent.
void judge(const DamageSample& sample, const std::filesystem::path& copy, OpenMode mode,
           DamageTally& tally);

/// A little of everything, in two generations of tables and a log. Made once.
[[nodiscard]] const DamageSample& small_sample();

/// The same with segments in files, and in the log what changed since they were built. Made once.
[[nodiscard]] const DamageSample& segment_sample();

/// Returns a database with a vector index that has a file, and a log of the later changes. Made at the first call.
[[nodiscard]] const DamageSample& vector_sample();

}  // namespace cairn::test
