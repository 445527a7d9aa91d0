// A process that has a database open and serves others, until its standard input ends. Options::share is automatic;
// other options follow the path as NAME=NUMBER. `exclusive=1` shares nothing; `prefers_to_host=1` is
// HostPreference::high; `user=N` makes it a process of that user; `embeds=N` sets the built-in embedder of N components
// as "hash"; `forks=1` leaves a child that does nothing, and says its process id; `client=N` writes and holds
// transactions for ever, and says the number of each write that was acknowledged; `searches=1` lets it search too;
// `opens_for=N` takes the lock for N milliseconds before it opens the database, and says "opening"; `dies_at=POINT`
// kills it when it reaches a point of death_points.hpp for the `dies_after=N`-th time (by default the first), if the
// program is cairn_dying_host.

#include "engine/store/lock_file.hpp"
#include "tests/support/death_points.hpp"

#include <cairn/database.hpp>
#include <cairn/embedder.hpp>
#include <cairn/host_embedder.hpp>
#include <cairn/statement.hpp>

#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

using Numbers = std::map<std::string, unsigned long long>;

cairn::Options options_of(int word_count, char** words, Numbers& numbers) {
  std::string file_root;
  std::string share_group;
  std::string point;
  for (int i = 2; i < word_count; ++i) {
    const std::string word = words[i];
    const auto place = word.find('=');
    const std::string name = word.substr(0, place);
    if (name == "file_root")
      file_root = word.substr(place + 1);
    else if (name == "share_group")
      share_group = word.substr(place + 1);
    else if (name == "dies_at")
      point = word.substr(place + 1);
    else
      numbers[name] = std::strtoull(word.c_str() + place + 1, nullptr, 10);
  }
  const auto count = numbers.contains("dies_after") ? numbers["dies_after"] : 1;
  if (!point.empty() && !cairn::test::die_at(point, count, words[1])) std::exit(5);
  const auto size = [&](const char* name, std::size_t& option) {
    if (numbers.contains(name)) option = static_cast<std::size_t>(numbers[name]);
  };
  const auto time = [&](const char* name, std::chrono::milliseconds& option) {
    if (numbers.contains(name)) option = std::chrono::milliseconds(numbers[name]);
  };
  cairn::Options options;
  options.share = numbers.contains("exclusive") ? cairn::Share::exclusive : cairn::Share::automatic;
  options.file_root = file_root;
  options.share_group = share_group;
  if (numbers.contains("prefers_to_host")) options.host_preference = cairn::HostPreference::high;
  size("memory_bytes", options.memory_bytes);
  size("vector_memory_bytes", options.vector_memory_bytes);
  size("transaction_bytes", options.transaction_bytes);
  size("max_paths", options.max_paths);
  size("max_key_bytes", options.max_key_bytes);
  size("max_value_bytes", options.max_value_bytes);
  size("max_list_items", options.max_list_items);
  time("attach_timeout", options.attach_timeout);
  time("writer_timeout", options.writer_timeout);
  time("writer_idle_limit", options.writer_idle_limit);
  time("expiry_interval", options.expiry_interval);
  if (numbers.contains("max_nesting_levels"))
    options.max_nesting_levels = static_cast<std::uint32_t>(numbers["max_nesting_levels"]);
  if (numbers.contains("async")) options.durability = cairn::Durability::async;
  return options;
}

using Text = const char*;

/// Runs a statement whose only row has the number of the parameters.
template <class Place>
cairn::Status find_number(Place& place, Text text, const cairn::Parameters& parameters) {
  CAIRN_ASSIGN(const auto statement, cairn::Statement::parse(text));
  CAIRN_ASSIGN(cairn::Rows rows, statement.run(place, parameters));
  CAIRN_ASSIGN(const auto row, rows.next());
  if (row && (*row)["n"] == parameters.find("number")->second) return {};
  return cairn::Error{cairn::ErrorCode::io_error, std::string("another row came from ") + text, {}};
}

cairn::Status write_by_statement(cairn::Database& database, const cairn::Parameters& parameters) {
  return find_number(
      database,
      "CREATE (n:W {client: $client, number: $number, v: $v, word: $word}) RETURN n.number AS n",
      parameters);
}

/// Keeps a transaction open for some time. If the host ends meanwhile, the transaction may fail with a conflict and has
/// then written nothing.
cairn::Status write_by_long_transaction(cairn::Database& database,
                                        const cairn::Parameters& parameters) {
  const auto once = [&]() -> cairn::Status {
    CAIRN_ASSIGN(cairn::Transaction transaction, database.begin());
    CAIRN_TRY(transaction.create_node({{"W"}, parameters}));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CAIRN_TRY(find_number(transaction,
                          "MATCH (n:W {client: $client, number: $number}) RETURN n.number AS n",
                          parameters));
    return transaction.commit();
  };
  while (true) {
    const cairn::Status done = once();
    if (done || done.error().code != cairn::ErrorCode::conflict) return done;
  }
}

/// Checks that each kind of index finds the acknowledged write.
cairn::Status search(cairn::Database& database, const cairn::Parameters& parameters) {
  for (const Text text :
       {"MATCH (n:W {client: $client}) RETURN max(n.number) AS n",
        "MATCH (n:W) SEARCH n IN (VECTOR INDEX storm FOR $v WHERE n.client = $client LIMIT 1) "
        "RETURN n.number AS n",
        "CALL db.index.fulltext.queryNodes('words', $word) YIELD node RETURN node.number AS n"})
    CAIRN_TRY(find_number(database, text, parameters));
  return {};
}

cairn::Status write_by_transaction(cairn::Database& database, const cairn::Parameters& parameters) {
  return database.write([&](cairn::Transaction& transaction) -> cairn::Status {
    CAIRN_TRY(transaction.create_node({{"W"}, parameters}));
    return {};
  });
}

cairn::Status write(cairn::Database& database, const cairn::Parameters& parameters,
                    std::int64_t number) {
  if (number % 16 == 8) return write_by_long_transaction(database, parameters);
  return number % 4 == 0 ? write_by_transaction(database, parameters)
                         : write_by_statement(database, parameters);
}

/// Writes until a write fails or the process is killed.
void write_for_ever(cairn::Database& database, std::int64_t client, bool searches) {
  for (std::int64_t number = 1;; ++number) {
    const std::vector<float> vector{static_cast<float>(client), static_cast<float>(number), 1};
    const cairn::Parameters parameters{
        {"client", client},
        {"number", number},
        {"v", cairn::Vector(vector)},
        {"word", "w" + std::to_string(client) + "x" + std::to_string(number)}};
    cairn::Status done = write(database, parameters, number);
    if (done && searches && number % 8 == 0) done = search(database, parameters);
    if (done)
      std::cout << number << std::endl;
    else
      std::cout << "failed: " << done.error().message << std::endl;
    if (!done) return;
  }
}

/// Takes the lock for this time, like a process that opens the database slowly.
void take_long_to_open(const std::filesystem::path& database, std::chrono::milliseconds time) {
  std::filesystem::create_directories(database);
  const auto lock =
      cairn::engine::LockFile::take(database / "LOCK", cairn::engine::LockFile::Sharing::exclusive);
  std::cout << (lock ? "opening" : "failed: " + lock.error().message) << std::endl;
  std::this_thread::sleep_for(time);
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) return 2;
  Numbers numbers;
  const cairn::Options options = options_of(count, words, numbers);
  if (numbers.contains("user")) {
    const auto user = static_cast<uid_t>(numbers["user"]);
    if (::setgid(static_cast<gid_t>(user)) != 0 || ::setuid(user) != 0) return 3;
  }
  if (numbers.contains("opens_for"))
    take_long_to_open(words[1], std::chrono::milliseconds(numbers["opens_for"]));
  auto database = cairn::Database::open(words[1], options);
  if (!database) {
    std::cout << "failed: " << database.error().message << std::endl;
    return 1;
  }
  if (numbers.contains("embeds")) {
    const auto dimension = static_cast<std::size_t>(numbers["embeds"]);
    if (!cairn::set_embedder(*database, cairn::make_hashing_embedder(dimension), "hash")) return 4;
  }
  if (numbers.contains("client")) {
    write_for_ever(*database, static_cast<std::int64_t>(numbers["client"]),
                   numbers.contains("searches"));
    return 0;
  }
  if (numbers.contains("forks")) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::sleep(60);
      ::_exit(0);
    }
    std::cout << child << " ";
  }
  const auto role = database->role();
  std::cout << (role && role->is_host ? "host" : "attached") << std::endl;
  // In cairn_dying_host, disk_calls.cpp lets one thread read at a time, so that a read must not wait.
  char byte = 0;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  while (::poll(&input, 1, -1) > 0 && ::read(STDIN_FILENO, &byte, 1) > 0) {
  }
  return database->close() ? 0 : 1;
}
