// Handles are moved in every order, and all of them go on.
#include "tests/query/memory/support.hpp"
#include "tests/support/rounds.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

namespace cairn::memory {
namespace {

using test::must;

/// Moved by construction and by assignment, as a return and a member do.
template <class Handle>
void move_away(std::optional<Handle>& handle) {
  Handle elsewhere = std::move(*handle);
  handle.reset();
  handle.emplace(std::move(elsewhere));
  Handle assigned = std::move(*handle);
  *handle = std::move(assigned);
}

struct Handles {
  explicit Handles(const std::filesystem::path& path)
      : database(must(Database::open(path))), memory(must(Memory::open(*database, at(test_now)))) {
    must(memory->add(note("Ada prefers tea")));
    snapshot.emplace(must(database->snapshot()));
    reading.emplace(must(database->begin(TransactionMode::read)));
    statement.emplace(must(Statement::parse("MATCH (m:Memory) RETURN m.content")));
    rows.emplace(must(statement->run(*snapshot)));
  }

  std::array<std::function<void()>, 6> moves() {
    return {[this] { move_away(database); },  [this] { move_away(memory); },
            [this] { move_away(snapshot); },  [this] { move_away(reading); },
            [this] { move_away(statement); }, [this] { move_away(rows); }};
  }

  void check() {
    BOOST_TEST(must(memory->add(note("Ada has a cat"))).ids.size() == 1U);
    BOOST_TEST(must(memory->search({})).total == 2U);
    BOOST_TEST(must(must(statement->run(*database)).all()).size() == 2U);
    BOOST_TEST(must(must(statement->run(*reading)).all()).size() == 1U);
    BOOST_TEST(must(must(statement->run(*snapshot)).all()).size() == 1U);
    BOOST_TEST(must(rows->all()).size() == 1U);
  }

  // Closed in the reverse order, the database last.
  std::optional<Database> database;
  std::optional<Memory> memory;
  std::optional<Snapshot> snapshot;
  std::optional<Transaction> reading;
  std::optional<Statement> statement;
  std::optional<Rows> rows;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(moved_handles)

BOOST_AUTO_TEST_CASE(handles_moved_in_every_order_go_on) {
  std::array<std::size_t, 6> order = {0, 1, 2, 3, 4, 5};
  std::size_t number = 0;
  do {
    if (number++ % (48 * test::stride()) != 0) continue;
    test::TemporaryDirectory directory;
    Handles handles(directory.path());
    const auto moves = handles.moves();
    for (const std::size_t next : order) moves.at(next)();
    handles.check();
  } while (std::ranges::next_permutation(order).found);
}

BOOST_AUTO_TEST_CASE(a_memory_of_a_closed_database_says_so) {
  test::TemporaryDirectory directory;
  auto database = must(Database::open(directory.path()));
  Memory memory = must(Memory::open(database, at(test_now)));
  const auto moved = std::make_unique<Database>(std::move(database));
  BOOST_TEST(must(memory.search({})).total == 0U);
  must(moved->close());
  const auto found = memory.search({});
  BOOST_REQUIRE(!found);
  BOOST_TEST((found.error().code == ErrorCode::conflict));
  BOOST_TEST(found.error().message.find("was closed") != std::string::npos);
  BOOST_TEST((memory.add(note("late")).error().code == ErrorCode::conflict));
  // It does not keep the directory either.
  BOOST_TEST(Database::open(directory.path()).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory
