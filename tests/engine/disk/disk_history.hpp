#pragma once
// The standard history of a database whose disk fails, and what must be left of it.

#include "tests/engine/crash_history.hpp"

#include <cairn/database.hpp>
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

  /// Opens the database, makes `operations` and some checkpoints, and closes it; then does all this once more. `note`
  /// is called at each progress. Errors: the first one of the database.
  Status run(const std::filesystem::path& database, std::size_t operations,
             const std::function<void(const Progress&)>& note);
  /// Does the same, but continues like a program when a call fails: it tries again, reads, and finally gives up.
  /// Returns what was acknowledged, or an error for a wrong read.
  [[nodiscard]] Result<Progress> run_on(const std::filesystem::path& database,
                                        std::size_t operations);

  /// Make operations until there is an index of each kind, and close it. Returns how many.
  [[nodiscard]] Result<std::uint64_t> grow(const std::filesystem::path& database) const;
  /// Applies grow() to `live` and makes `more` operations without a checkpoint after them. `copy` becomes the state
  /// that a process would leave if it died then. Returns the number of operations in `copy`.
  [[nodiscard]] Result<std::uint64_t> grow_and_die(const std::filesystem::path& live,
                                                   const std::filesystem::path& copy,
                                                   std::size_t more) const;
  /// Opens a copy of what grow() made with `operations` and continues with it, in turn on a disk that becomes full soon
  /// and on one with room; `leave_room` is told which. `seed` determines when checkpoints are made.
  /// Errors: a wrong state. On a full disk, an operation either is stored or was refused with resource_limit, and
  /// everything can be read. On a disk with room, every operation succeeds without reopening. At the end, another open
  /// finds the same.
  /// Returns how many operations were refused.
  [[nodiscard]] Result<std::uint64_t> fill(const std::filesystem::path& database,
                                           std::uint64_t operations,
                                           const std::function<void(bool)>& leave_room,
                                           std::uint64_t seed) const;

  /// Opens the database and compares all of it; then makes one more operation and compares again.
  /// Errors: a wrong state. The database must have at least `progress.durable` operations and at most one more than
  /// were acknowledged, each completely, and the indexes must agree with the records.
  /// `note` is called at each progress.
  [[nodiscard]] Status check(
      const std::filesystem::path& database, const Progress& progress,
      const std::function<void(const Progress&)>& note = [](const Progress&) {}) const;

  [[nodiscard]] Options options() const;

 private:
  [[nodiscard]] Status work(const std::filesystem::path& database, std::size_t operations,
                            CrashHistory& history, Progress& progress,
                            const std::function<void(const Progress&)>& note) const;

  [[nodiscard]] static Result<std::uint64_t> fill_once(Database& database, CrashHistory& history,
                                                       Random& random,
                                                       const std::function<void(bool)>& leave_room);

  const std::uint64_t seed_;
  const Durability durability_;
};

}  // namespace cairn::test
