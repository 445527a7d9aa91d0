// Writes 20,000 nested JSON documents in batches while two threads search them. Every result has complete batches.
#include <cairn/cairn.hpp>
#include <cairn/filter.hpp>
#include <cairn/json.hpp>
#include <cairn/select.hpp>

#include <atomic>
#include <iostream>
#include <string>
#include <thread>

using namespace cairn;

namespace {
constexpr int documents = 20'000;
constexpr int batch = 500;  // in one commit

std::string document(int i) {
  return R"({"author": {"name": "author )" + std::to_string(i % 10) + R"(", "team": {"city": ")" +
         (i % 4 == 0 ? "Turin" : "Oslo") + R"("}}, "tags": ["t)" + std::to_string(i % 7) +
         R"(", "all"], "size": )" + std::to_string(i) + "}";
}

Status write(Database& database) {
  for (int i = 0; i < documents; i += batch) {
    CAIRN_ASSIGN(Transaction transaction, database.begin());
    for (int j = i; j < i + batch; ++j) {
      CAIRN_ASSIGN(const Value value, parse_json(document(j)));
      CAIRN_TRY(transaction.create_node({{"Document"}, *value.map()}));
    }
    CAIRN_TRY(transaction.commit());
  }
  return {};
}

// Every batch has 125 documents of Turin, so every count is a multiple of it, and never falls.
void search(const Database& database, const std::atomic<bool>& written, std::atomic<int>& wrong) {
  const Filter turin = Filter::where("author.team.city", FilterOperator::equals, "Turin");
  std::uint64_t before = 0;
  for (bool last = false; !last;) {
    last = written;
    const Snapshot snapshot = database.snapshot().value();
    const std::uint64_t counted = count_nodes(snapshot, turin).value();
    const auto rows = select_nodes(snapshot, turin, {.limit = 50}).value().all().value();
    const bool whole =
        counted % 125 == 0 && counted >= before && rows.size() == (counted < 50 ? counted : 50);
    if (!whole || (last && counted != documents / 4)) ++wrong;
    before = counted;
  }
}
}  // namespace

int main(int, char** arguments) {
  Database database = Database::open(arguments[1], {.durability = Durability::async}).value();
  std::atomic<bool> written = false;
  std::atomic<int> wrong = 0;
  const auto searching = [&] { search(database, written, wrong); };
  std::jthread threads[] = {std::jthread(searching), std::jthread(searching)};
  const Status status = write(database);
  written = true;
  for (std::jthread& thread : threads) thread.join();
  if (!status) return std::cerr << status.error().message << "\n", 1;
  const Filter asked =
      Filter::all_of({Filter::where("tags", FilterOperator::contains_any, list_of({"t3"})),
                      Filter::where("author.name", FilterOperator::equals, "author 3"),
                      Filter::where("size", FilterOperator::greater_than, 19'000)});
  std::cout << count_nodes(database.snapshot().value(), asked).value() << " documents, " << wrong
            << " wrong answers\n";
}
