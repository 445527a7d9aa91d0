#include "tests/engine/disk/disk_history.hpp"

#include "tests/engine/crash_database.hpp"
#include "tests/engine/store/fault_file_system.hpp"
#include "tests/model/random.hpp"

#include <cairn/database.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <iterator>
#include <set>
#include <vector>

namespace cairn::test {
namespace {

Error wrong(const std::string& what) { return Error{ErrorCode::corruption, "WRONG: " + what, {}}; }

Status commit(Database& database, const CrashOperation& operation) {
  CAIRN_ASSIGN(Transaction transaction, database.begin());
  CAIRN_TRY(apply(transaction, operation, 0));
  return transaction.commit();
}

/// Makes segments, and a checkpoint that saves them.
Status read_and_save(Database& database) {
  CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
  pack(snapshot);
  return database.checkpoint();
}

/// Checks that the database has the content of the history, or returns an error of reading.
Status compare(const Snapshot& snapshot, const CrashHistory& history) {
  std::set<std::string> expected, found;
  if (history.count() > 0) history.describe(expected);
  try {
    found = describe(snapshot);
  } catch (const std::exception& problem) {
    return Error{ErrorCode::io_error, problem.what(), {}};
  }
  std::vector<std::string> differences;
  std::ranges::set_symmetric_difference(expected, found, std::back_inserter(differences));
  if (differences.empty()) return {};
  const std::string& first = differences.front();
  return wrong((found.contains(first) ? "there should not be " : "there is no ") + first);
}

/// A history brought to so many operations.
CrashHistory history_of(std::uint64_t seed, std::uint64_t operations) {
  CrashHistory history(seed, 0);
  while (history.count() < operations) history.next();
  return history;
}

bool has_each_index(const CrashHistory& history) {
  std::set<std::string> lines;
  if (history.count() > 0) history.describe(lines);
  return std::ranges::all_of(std::to_array({"index range0", "index vector0", "index text0"}),
                             [&](const char* line) { return lines.contains(line); });
}

/// All of it is there, and indexes agree with records.
Status expect(const Database& database, const CrashHistory& history) {
  CAIRN_ASSIGN(const auto findings, database.check());
  if (!findings.empty()) return wrong(findings[0].place + ": " + findings[0].problem);
  CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
  return compare(snapshot, history);
}

}  // namespace

Options DiskHistory::options() const {
  Options options;
  options.durability = durability_;
  options.memory_bytes = std::size_t{32} << 20;
  options.segments = Segments::always;
  return options;
}

Status DiskHistory::work(const std::filesystem::path& path, std::size_t operations,
                         CrashHistory& history, Progress& progress,
                         const std::function<void(const Progress&)>& note) const {
  Random random(seed_ + history.count());
  CAIRN_ASSIGN(Database database, Database::open(path, options()));
  for (std::size_t i = 0; i < operations; ++i) {
    CAIRN_TRY(commit(database, history.next()));
    progress.acknowledged = history.count();
    if (durability_ == Durability::sync) progress.durable = progress.acknowledged;
    note(progress);
    if (!random.one_in(8)) continue;
    CAIRN_TRY(read_and_save(database));
    progress.durable = progress.acknowledged;
    note(progress);
  }
  return database.close();
}

Status DiskHistory::run(const std::filesystem::path& database, std::size_t operations,
                        const std::function<void(const Progress&)>& note) {
  CrashHistory history(seed_, 0);
  Progress progress;
  CAIRN_TRY(work(database, operations / 2, history, progress, note));
  progress.durable = progress.acknowledged;
  note(progress);
  return work(database, operations - operations / 2, history, progress, note);
}

Result<Progress> DiskHistory::run_on(const std::filesystem::path& path, std::size_t operations) {
  CrashHistory history(seed_, 0);
  Progress progress;
  std::size_t tries = 5;
  while (history.count() < operations && tries-- > 0) {
    auto database = Database::open(path, options());
    if (!database) continue;
    const auto snapshot = database->snapshot();
    if (snapshot) {
      const auto done = count_done(*snapshot, 0);
      if (!done) continue;
      if (*done < progress.acknowledged || *done > history.count() + 1)
        return wrong(std::to_string(*done) + " operations of " +
                     std::to_string(progress.acknowledged));
      progress.acknowledged = *done;
      history = history_of(seed_, *done);
    }
    bool is_going = snapshot.has_value();
    while (is_going && history.count() < operations) {
      CrashHistory next = history;
      is_going = commit(*database, next.next()).has_value();
      if (is_going) history = next;
      progress.acknowledged = history.count();
      if (is_going && progress.acknowledged % 8 == 0)
        is_going = read_and_save(*database).has_value();
    }
    // What is acknowledged is read, or it is an error; what failed may be there.
    if (const auto now = database->snapshot()) {
      const auto done = count_done(*now, 0);
      if (done && (*done < progress.acknowledged || *done > progress.acknowledged + 1))
        return wrong("read " + std::to_string(*done) + " operations of " +
                     std::to_string(progress.acknowledged));
      if (done) {
        const Status same = compare(*now, history_of(seed_, *done));
        if (!same && same.error().message.starts_with("WRONG")) return same.error();
      }
    }
    static_cast<void>(database->close().has_value());
  }
  progress.durable = progress.acknowledged;
  return progress;
}

Result<std::uint64_t> DiskHistory::grow(const std::filesystem::path& path) const {
  CrashHistory history(seed_, 0);
  CAIRN_ASSIGN(Database database, Database::open(path, options()));
  while (!has_each_index(history)) CAIRN_TRY(commit(database, history.next()));
  CAIRN_TRY(database.close());
  return history.count();
}

Result<std::uint64_t> DiskHistory::grow_and_die(const std::filesystem::path& live,
                                                const std::filesystem::path& copy,
                                                std::size_t more) const {
  CAIRN_ASSIGN(const std::uint64_t operations, grow(live));
  CrashHistory history = history_of(seed_, operations);
  CAIRN_ASSIGN(Database database, Database::open(live, options()));
  for (std::size_t i = 0; i < more; ++i) CAIRN_TRY(commit(database, history.next()));
  FaultFileSystem::copy_at_rest(live, copy);
  return history.count();
}

Result<std::uint64_t> DiskHistory::fill(const std::filesystem::path& path, std::uint64_t operations,
                                        const std::function<void(bool)>& leave_room,
                                        std::uint64_t seed) const {
  Random random(seed);
  CrashHistory history = history_of(seed_, operations);
  std::uint64_t refused = 0;
  constexpr int times = 3;
  {
    CAIRN_ASSIGN(Database database, Database::open(path, options()));
    for (int i = 0; i < times; ++i) {
      CAIRN_ASSIGN(const std::uint64_t now, fill_once(database, history, random, leave_room));
      refused += now;
    }
    if (random.one_in(2)) CAIRN_TRY(database.close());
  }
  {
    CAIRN_ASSIGN(Database database, Database::open(path, options()));
    CAIRN_TRY(expect(database, history));
  }
  CAIRN_TRY(check(path, {history.count(), history.count()}));
  return refused;
}

Result<std::uint64_t> DiskHistory::fill_once(Database& database, CrashHistory& history,
                                             Random& random,
                                             const std::function<void(bool)>& leave_room) {
  leave_room(false);
  std::uint64_t refused = 0;
  for (int i = 0; i < 60 && refused < 3; ++i) {
    CrashHistory next = history;
    const Status committed = commit(database, next.next());
    if (committed) history = std::move(next);
    if (!committed && committed.error().code != ErrorCode::resource_limit)
      return wrong("without room: " + committed.error().message);
    if (!committed) ++refused;
    // The call may fail: with io_error for a file outside of the store.
    if (random.one_in(8)) static_cast<void>(read_and_save(database).has_value());
  }
  {
    CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
    CAIRN_TRY(compare(snapshot, history));
  }
  leave_room(true);
  for (int i = 0; i < 6; ++i) {
    const Status committed = commit(database, history.next());
    if (!committed) return wrong("with room again: " + committed.error().message);
  }
  if (random.one_in(2)) CAIRN_TRY(read_and_save(database));
  CAIRN_TRY(expect(database, history));
  return refused;
}

Status DiskHistory::check(const std::filesystem::path& path, const Progress& progress,
                          const std::function<void(const Progress&)>& note) const {
  CrashHistory history(seed_, 0);
  for (int i = 0; i < 2; ++i) {
    CAIRN_ASSIGN(Database database, Database::open(path, options()));
    CAIRN_ASSIGN(const auto findings, database.check());
    if (!findings.empty()) return wrong(findings[0].place + ": " + findings[0].problem);
    {
      CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
      CAIRN_ASSIGN(const std::uint64_t done, count_done(snapshot, 0));
      const bool is_again = i > 0;
      const std::uint64_t least = is_again ? history.count() : progress.durable;
      const std::uint64_t most = is_again ? history.count() : progress.acknowledged + 1;
      if (done < least || done > most)
        return wrong(std::to_string(done) + " operations are left of " +
                     std::to_string(progress.acknowledged) + ", " + std::to_string(least) +
                     " of them durable");
      if (!is_again) history = history_of(seed_, done);
      CAIRN_TRY(compare(snapshot, history));
    }
    CAIRN_TRY(commit(database, history.next()));
    const std::uint64_t count = history.count();
    note({count, durability_ == Durability::sync ? count : std::min(progress.durable, count)});
    CAIRN_TRY(database.close());
    note({count, count});
  }
  return {};
}

}  // namespace cairn::test
