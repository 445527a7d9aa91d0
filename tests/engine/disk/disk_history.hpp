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

  /// Open the database, make `operations` and some checkpoints, close it, and once more; `note` is told each progress.
  /// Errors: the first one of the database.
  Status run(const std::filesystem::path& database, std::size_t operations,
             const std::function<void(const Progress&)>& note);
  /// Likewise, going on as a program would when a call fails: it tries again, reads, and gives up in the end.
  /// Returns what was acknowledged, or what it read wrongly.
  [[nodiscard]] Result<Progress> run_on(const std::filesystem::path& database,
                                        std::size_t operations);

  /// Make operations until there is an index of each kind, and close it. Returns how many.
  [[nodiscard]] Result<std::uint64_t> grow(const std::filesystem::path& database) const;
  /// grow() `live` and go on with `more` operations that no checkpoint follows; `copy` has what a process leaves that
  /// dies there. Returns how many operations it has.
  [[nodiscard]] Result<std::uint64_t> grow_and_die(const std::filesystem::path& live,
                                                   const std::filesystem::path& copy,
                                                   std::size_t more) const;
  /// Open a copy of what grow() made with so many `operations` and go on with it, in turn on a disk that is full soon and on one with room, as
  /// `leave_room` is told. `seed`: of when checkpoints are made.
  /// Errors: what is not as it must be. Without room an operation is there or it was refused with resource_limit, and
  /// all is read; with room all of it goes on, without an opening; at the end one more opening finds the same.
  /// Returns how many operations were refused.
  [[nodiscard]] Result<std::uint64_t> fill(const std::filesystem::path& database,
                                           std::uint64_t operations,
                                           const std::function<void(bool)>& leave_room,
                                           std::uint64_t seed) const;

  /// Open the database and compare all of it; then go on with one operation and look again.
  /// Errors: what is not as it must be: at least `progress.durable` operations and at most one more than were
  /// acknowledged, each whole, and the indexes agree with the records.
  /// `note` is told each progress that this makes.
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
