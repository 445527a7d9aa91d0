// A process that has a database open and serves others, until its standard input ends. Options::share is automatic; other
// options are NAME=NUMBER behind the path. `exclusive=1` shares nothing; `prefers_to_host=1` is HostPreference::high; `user=N` makes it a process of that user; `embeds=N` sets the built-in embedder of N components as "hash"; `forks=1` leaves a child that does nothing, and says
// its process id; `client=N` writes for ever, and says the number of each write that was acknowledged.

#include <cairn/database.hpp>
#include <cairn/embedder.hpp>
#include <cairn/host_embedder.hpp>
#include <cairn/statement.hpp>

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

namespace {

using Numbers = std::map<std::string, unsigned long long>;

cairn::Options options_of(int count, char** words, Numbers& numbers) {
  std::string file_root;
  std::string share_group;
  for (int i = 2; i < count; ++i) {
    const std::string word = words[i];
    const auto place = word.find('=');
    const std::string name = word.substr(0, place);
    if (name == "file_root")
      file_root = word.substr(place + 1);
    else if (name == "share_group")
      share_group = word.substr(place + 1);
    else
      numbers[name] = std::strtoull(word.c_str() + place + 1, nullptr, 10);
  }
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

cairn::Status write_by_statement(cairn::Database& database, const cairn::Parameters& parameters) {
  CAIRN_ASSIGN(cairn::Rows rows,
               cairn::execute(
                   database, "CREATE (n:W {client: $client, number: $number}) RETURN n.number AS n",
                   parameters));
  CAIRN_ASSIGN(const auto row, rows.next());
  if (row && (*row)["n"] == parameters.find("number")->second) return {};
  return cairn::Error{cairn::ErrorCode::io_error, "the row is not of this statement", {}};
}

cairn::Status write_by_transaction(cairn::Database& database, const cairn::Parameters& parameters) {
  return database.write([&](cairn::Transaction& transaction) -> cairn::Status {
    CAIRN_TRY(transaction.create_node({{"W"}, parameters}));
    return {};
  });
}

/// Until it fails or is killed.
void write_for_ever(cairn::Database& database, std::int64_t client) {
  for (std::int64_t number = 1;; ++number) {
    const cairn::Parameters parameters{{"client", client}, {"number", number}};
    const cairn::Status done = number % 4 == 0 ? write_by_transaction(database, parameters)
                                               : write_by_statement(database, parameters);
    if (done)
      std::cout << number << std::endl;
    else
      std::cout << "failed: " << done.error().message << std::endl;
    if (!done) return;
  }
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
    write_for_ever(*database, static_cast<std::int64_t>(numbers["client"]));
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
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) > 0) {
  }
  return database->close() ? 0 : 1;
}
