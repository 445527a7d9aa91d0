// The process that a crash test kills:
//
//   crash_child PATH SEED MODE      MODE: work | sync | open | repair | scrub | restore
//
// The process opens the database. With `work` and `sync` (the durability), four writers continue their histories: each
// operation is one transaction or one statement. A thread imports files, and two readers check what the writers have
// written. Now and then a writer makes a checkpoint, or a scrub, which rewrites the tables. Each acknowledged operation
// is reported on standard output as two numbers of 32 bits: the writer and the operation. An error ends the process
// with a message and a status other than 0. With `scrub`, the process scrubs and reports the receipt as operation 1 of
// writer 0. With `restore`, it restores the backup PATH.backup and reports that in the same way.
#include "tests/engine/crash_database.hpp"
#include "tests/engine/crash_language.hpp"
#include "tests/engine/crash_protocol.hpp"

#include <cairn/backup.hpp>
#include <cairn/database.hpp>
#include <cairn/scrub.hpp>
#include <cairn/vector_search.hpp>

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

namespace cairn::test {
namespace {

[[noreturn]] void fail(const std::string& problem) {
  std::fprintf(stderr, "crash_child: %s\n", problem.c_str());
  ::_exit(1);
}

template <class T>
T need(Result<T> result) {
  if (!result) fail(result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

void tell(const CrashMessage& message) {
  if (::write(STDOUT_FILENO, &message, sizeof(message)) != sizeof(message)) ::_exit(2);
}

/// Scrubs the database while all other threads continue. Files that a repair has set aside make the scrub fail.
void scrub(Database& database) {
  static std::mutex one_at_a_time;
  const std::unique_lock lock(one_at_a_time, std::try_to_lock);
  if (!lock) return;
  ScrubOptions options;
  options.wait_for_readers = std::chrono::minutes(5);  // longer than any process lives
  const auto receipt = database.scrub(options);
  if (!receipt && receipt.error().code != ErrorCode::conflict) fail(receipt.error().message);
  static std::uint32_t completed = 0;  // guarded by the lock
  if (receipt) tell({static_cast<std::uint32_t>(crash_scrubber), ++completed});
}

class WorkingWriter {
 public:
  WorkingWriter(Database& database, std::uint64_t seed, std::size_t number)
      : database_(database),
        number_(number),
        history_(seed, number),
        random_(seed + static_cast<std::uint64_t>(::getpid()) * crash_writers + number) {}

  [[noreturn]] void run() {
    const std::uint64_t done = need(count_done(need(database_.snapshot()), number_));
    while (history_.count() < done) history_.next();
    while (true) {
      make(history_.next());
      tell({static_cast<std::uint32_t>(number_), static_cast<std::uint32_t>(history_.count())});
      if (random_.one_in(100)) scrub(database_);
      if (!random_.one_in(40)) continue;
      pack(need(database_.snapshot()));
      need(database_.checkpoint());
    }
  }

 private:
  void make(const CrashOperation& operation) {
    if (random_.one_in(3) && need(apply_by_statement(database_, operation))) return;
    Transaction transaction = need(database_.begin());
    need(apply(transaction, operation, number_));
    need(transaction.commit());
  }

  Database& database_;
  const std::size_t number_;
  CrashHistory history_;
  Random random_;  // of what leaves no trace
};

void import_files(Database& database, std::uint64_t seed, const std::string& path) {
  const auto tell_operations = [](std::uint64_t operations) {
    tell({static_cast<std::uint32_t>(crash_importer), static_cast<std::uint32_t>(operations)});
  };
  need(import_for_ever(database, CrashImport(seed), path, tell_operations));
}

std::uint64_t count_of(const std::vector<NameCount>& labels, std::string_view name) {
  for (const NameCount& label : labels)
    if (label.name == name) return label.count;
  return 0;
}

/// Checks that a snapshot has complete operations: each writer has as many nodes as its counter says, and batches of a
/// file are complete.
void read_for_ever(Database& database) {
  const std::vector<float> query(8, 1);
  while (true) {
    const Snapshot snapshot = need(database.snapshot());
    const auto labels = need(snapshot.labels());
    std::int64_t told = 0;
    for (std::size_t writer = 0; writer < crash_writers; ++writer)
      if (const auto node = need(snapshot.find_node(CrashHistory::counter_of(writer))))
        told += node->property("nodes").as_integer();
    const std::uint64_t imported = count_of(labels, CrashImport::label);
    if (imported % CrashImport::nodes_of_batch != 0)
      fail("a snapshot has a part of a batch: " + std::to_string(imported) + " nodes of files");
    const std::uint64_t written = count_of(labels, "N") - imported;
    if (written != static_cast<std::uint64_t>(told))
      fail("a snapshot has " + std::to_string(written) + " nodes instead of " +
           std::to_string(told));
    const auto hits =
        search_vectors(snapshot, "vector0", query, {.k = 1'000, .accuracy = VectorAccuracy::exact});
    if (!hits && hits.error().code != ErrorCode::not_found) fail(hits.error().message);
    std::this_thread::yield();
  }
}

int run(const char* path, std::uint64_t seed, std::string_view mode) {
  if (mode == "restore") {
    need(restore_backup(std::string(path) + ".backup", path));
    tell({0, 1});
    return 0;
  }
  Options options;
  options.durability = mode == "sync" ? Durability::sync : Durability::async;
  options.repair = mode == "repair";
  options.segments = Segments::always;
  options.writer_timeout = std::chrono::minutes(5);  // a machine may be slow
  Database database = need(Database::open(path, options));
  if (mode == "open" || mode == "repair") {
    need(database.close());
    return 0;
  }
  if (mode == "scrub") {
    need(database.scrub());
    tell({0, 1});
    need(database.close());
    return 0;
  }
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < crash_writers; ++i)
    threads.emplace_back([&database, seed, i] { WorkingWriter(database, seed, i).run(); });
  threads.emplace_back([&] { import_files(database, seed, std::string(path) + ".import"); });
  for (int i = 0; i < 2; ++i) threads.emplace_back([&database] { read_for_ever(database); });
  for (std::thread& thread : threads) thread.join();
  return 0;
}

}  // namespace
}  // namespace cairn::test

int main(int count, char** arguments) {
  if (count != 4) cairn::test::fail("three arguments are needed: PATH SEED MODE");
  return cairn::test::run(arguments[1], std::strtoull(arguments[2], nullptr, 10), arguments[3]);
}
