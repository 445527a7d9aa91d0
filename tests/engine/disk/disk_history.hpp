#pragma once
// The standard history of a database whose disk fails, and what must be left of it.

#include "tests/engine/crash_history.hpp"

#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace cairn::test {

/// How far a history came. Operations are those of CrashHistory(seed, 0).
struct Progress {
  std::uint64_t acknowledged = 0;  ///< operations whose commit returned
  std::uint64_t durable = 0;       ///< of these, what a power cut may not take
};

class DiskHistory {
 public:
  DiskHistory(std::uint64_t seed, Durability durability) : seed_(seed), durability_(durability) {}

  /// Open the database, make `operations` and some checkpoints, close it, and once more; `note` is told each progress.
  /// Errors: the first one of the database.
  Status run(const std::filesystem::path& database, std::size_t operations,
             const std::function<void(const Progress&)>& note);
  /// Likewise, going on as a program would when a call fails: it tries again, reads, and gives up in the end.
  /// Returns what was acknowledged, or what it read wrongly.
  [[nodiscard]] Result<Progress> run_on(const std::filesystem::path& database,
                                        std::size_t operations);

  /// Open the database and compare all of it; then go on with one operation and look again.
  /// Errors: what is not as it must be: at least `progress.durable` operations and at most one more than were
  /// acknowledged, each whole, and the indexes agree with the records.
  [[nodiscard]] Status check(const std::filesystem::path& database, const Progress& progress) const;

 private:
  [[nodiscard]] Options options() const;
  [[nodiscard]] Status work(const std::filesystem::path& database, std::size_t operations,
                            CrashHistory& history, Progress& progress,
                            const std::function<void(const Progress&)>& note) const;

  const std::uint64_t seed_;
  const Durability durability_;
};

}  // namespace cairn::test
