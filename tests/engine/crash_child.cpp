// The process that a crash test kills:
//
//   crash_child PATH SEED MODE      MODE: work | sync | open | repair
//
// It opens the database; with `work` and `sync` (the durability) four writers go on with their
// histories and two readers look at what they left. What a commit returned from is told on standard
// output, each as two numbers of 32 bits: the writer and the operation. An error ends the process with a
// message and a status other than 0.
#include "engine/access.hpp"
#include "engine/view.hpp"
#include "engine/write/index_request.hpp"
#include "engine/write/writer.hpp"
#include "tests/engine/crash_history.hpp"
#include "tests/engine/crash_protocol.hpp"
#include "tests/support/graph_builder.hpp"

#include <cairn/database.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <thread>
#include <vector>

namespace cairn::test {
namespace {

using Kind = CrashChange::Kind;

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

engine::IndexRequest index_request(const std::string& name, std::size_t writer) {
  engine::IndexRequest request;
  request.name = name;
  // The first writer's indexes cover the nodes of all.
  request.labels_or_types = {writer == 0 ? "N" : CrashHistory::label_of(writer)};
  request.properties = {"number"};
  if (name.starts_with("vector")) {
    request.index_kind = codec::IndexKind::vector;
    request.properties = {"v"};
    request.dimension = 8;
  }
  if (name.starts_with("text")) {
    request.index_kind = codec::IndexKind::full_text;
    request.properties = {"text"};
  }
  return request;
}

class WorkingWriter {
 public:
  WorkingWriter(Database& database, std::uint64_t seed, std::size_t number)
      : database_(database), number_(number), history_(seed, number), random_(seed + ::getpid()) {}

  [[noreturn]] void run() {
    const std::uint64_t done = count_done();
    while (history_.count() < done) history_.next();
    while (true) {
      const CrashOperation operation = history_.next();
      Transaction transaction = need(database_.begin());
      for (const CrashChange& change : operation) apply(transaction, change);
      need(transaction.commit());
      tell({static_cast<std::uint32_t>(number_), static_cast<std::uint32_t>(history_.count())});
      if (random_.one_in(40)) need(database_.checkpoint());
    }
  }

 private:
  std::uint64_t count_done() {
    const auto node = need(need(database_.snapshot()).find_node(CrashHistory::counter_of(number_)));
    return node ? static_cast<std::uint64_t>(node->property("done").as_integer()) : 0;
  }

  static NodeId find(const Transaction& transaction, const std::string& name) {
    const auto node = need(transaction.find_node(name));
    if (!node) fail("there is no node " + name);
    return node->id();
  }

  static RelationshipId find_relationship(const Transaction& transaction, NodeId source,
                                          std::int64_t key) {
    std::vector<engine::Adjacent> found;
    const engine::View& view = Access::view(transaction);
    need(view.expand(source.value, engine::Direction::outgoing, {}, found));
    for (const engine::Adjacent& one : found)
      if (need(view.load_relationship(one.relationship))->property("key").as_integer() == key)
        return RelationshipId{one.relationship};
    fail("there is no relationship " + std::to_string(key));
  }

  void apply(Transaction& transaction, const CrashChange& change) const {
    const auto node = [&] { return find(transaction, change.node); };
    switch (change.kind) {
      case Kind::create_node:
        need(transaction.create_node({change.labels, change.properties, change.node}));
        break;
      case Kind::erase_node:
        need(transaction.erase_node_and_relationships(node()));
        break;
      case Kind::set_property:
        need(transaction.set_property(node(), change.name, change.value));
        break;
      case Kind::add_label:
        need(transaction.add_label(node(), change.name));
        break;
      case Kind::remove_label:
        need(transaction.remove_label(node(), change.name));
        break;
      case Kind::relate:
        need(transaction.create_relationship(
            {node(), "NEXT", find(transaction, change.other), {{"key", change.key}}}));
        break;
      case Kind::unrelate:
        need(transaction.erase_relationship(find_relationship(transaction, node(), change.key)));
        break;
      case Kind::create_index:
        need(Access::writer(transaction)->create_index(index_request(change.name, number_)));
        break;
      case Kind::drop_index:
        need(Access::writer(transaction)->drop_index(change.name));
        break;
    }
  }

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
    const auto hits = snapshot.nearest("vector0", query, {1'000, true, 0, {}});
    if (!hits && hits.error().code != ErrorCode::not_found) fail(hits.error().message);
    std::this_thread::yield();
  }
}

int run(const char* path, std::uint64_t seed, std::string_view mode) {
  Options options;
  options.durability = mode == "sync" ? Durability::sync : Durability::async;
  options.repair = mode == "repair";
  Database database = need(Database::open(path, options));
  if (mode == "open" || mode == "repair") {
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
