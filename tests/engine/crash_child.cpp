// The process that a crash test kills:
//
//   crash_child PATH SEED MODE      MODE: work | sync | open | repair | scrub | restore
//
// It opens the database; with `work` and `sync` (the durability) four writers go on with their
// histories and two readers look at what they left. What a commit returned from is told on standard
// output, each as two numbers of 32 bits: the writer and the operation. An error ends the process with a
// message and a status other than 0. With `scrub` it scrubs, and tells of the receipt as of operation 1 of writer 0;
// with `restore` it makes the database of the backup PATH.backup, and tells likewise.
#include "tests/engine/crash_database.hpp"
#include "tests/engine/crash_protocol.hpp"

#include <cairn/backup.hpp>
#include <cairn/database.hpp>
#include <cairn/scrub.hpp>
#include <cairn/vector_search.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
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

class WorkingWriter {
 public:
  WorkingWriter(Database& database, std::uint64_t seed, std::size_t number)
      : database_(database),
        number_(number),
        history_(seed, number),
        random_(seed + static_cast<std::uint64_t>(::getpid())) {}

  [[noreturn]] void run() {
    const std::uint64_t done = need(count_done(need(database_.snapshot()), number_));
    while (history_.count() < done) history_.next();
    while (true) {
      const CrashOperation operation = history_.next();
      Transaction transaction = need(database_.begin());
      need(apply(transaction, operation, number_));
      need(transaction.commit());
      tell({static_cast<std::uint32_t>(number_), static_cast<std::uint32_t>(history_.count())});
      if (!random_.one_in(40)) continue;
      pack(need(database_.snapshot()));
      need(database_.checkpoint());
    }
  }

 private:
  Database& database_;
  const std::size_t number_;
  CrashHistory history_;
  Random random_;  // of what leaves no trace
};

/// A snapshot holds whole operations: as many nodes of each writer as it says itself.
void read_for_ever(Database& database) {
  const std::vector<float> query(8, 1);
  while (true) {
    const Snapshot snapshot = need(database.snapshot());
    const auto labels = need(snapshot.labels());
    std::int64_t told = 0;
    for (std::size_t writer = 0; writer < crash_writers; ++writer)
      if (const auto node = need(snapshot.find_node(CrashHistory::counter_of(writer))))
        told += node->property("nodes").as_integer();
    for (const NameCount& label : labels)
      if (label.name == "N" && label.count != static_cast<std::uint64_t>(told))
        fail("a snapshot has " + std::to_string(label.count) + " nodes instead of " +
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
