#include "fuzz/support/small_database.hpp"

#include "fuzz/support/expect.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/statement.hpp>

#include <array>
#include <memory>
#include <utility>

namespace cairn::fuzz {
namespace {

constexpr std::array<std::string_view, 10> statements{
    "CREATE VECTOR INDEX chunks FOR (c:Chunk) ON (c.embedding) "
    "OPTIONS {indexConfig: {`vector.dimensions`: 3, `vector.similarity_function`: 'cosine'}}",
    "CREATE FULLTEXT INDEX texts FOR (c:Chunk|Person) ON EACH [c.text, c.name]",
    "CREATE INDEX ages FOR (p:Person) ON (p.age)",
    "CREATE (:Person {name: 'Ada', age: 36, tags: ['math', 'tea'], born: date('1815-12-10')}), "
    "(:Person {name: 'Bob', age: 7, tags: [], score: 1.5}), "
    "(:Person:Admin {name: 'Cleo', age: 41, address: {city: 'Rome', zip: null, parts: [1, {a: "
    "2}]}}), "
    "(:Person {name: 'Dora', age: 36.0, seen: datetime('2025-12-25T12:00:00Z'), "
    "lunch: localtime('12:30'), span: duration('P1DT2H')}), "
    "(:Person {name: 'Émile', active: true, big: 9223372036854775807, small: -2.5e-300})",
    "UNWIND range(1, 12) AS i CREATE (:Chunk {i: i, text: 'chunk ' + toString(i) + ' of tea and "
    "logs', "
    "embedding: vector([i % 3 - 1.0, i % 5, 0.5], 3, FLOAT32), path: '/docs/' + toString(i % 4) + "
    "'.md', "
    "when: '2025-12-' + toString(10 + i)})",
    "MATCH (a:Person {name: 'Ada'}), (b:Person) WHERE b.name <> 'Ada' "
    "CREATE (a)-[:KNOWS {since: 2000 + size(b.name)}]->(b)",
    "MATCH (b:Person {name: 'Bob'}), (c:Person {name: 'Cleo'}) CREATE (b)-[:KNOWS]->(c), "
    "(c)-[:LIKES]->(c)",
    "MATCH (a:Chunk), (b:Chunk) WHERE b.i = a.i + 1 CREATE (a)-[:NEXT {weight: 0.5}]->(b)",
    "MATCH (p:Person {name: 'Ada'}), (c:Chunk) WHERE c.i < 4 CREATE (p)-[:WROTE]->(c)",
    "CREATE ({note: 'no label'}), (:`odd name` {`odd key`: 'x', n: [[1], [2, null]]})",
};

}  // namespace

std::span<const std::string_view> small_graph_statements() { return statements; }

Options small_options() {
  Options options;
  options.durability = Durability::async;
  options.memory_bytes = std::size_t{32} << 20;
  options.transaction_bytes = std::size_t{16} << 20;
  return options;
}

Database make_small_database(const std::filesystem::path& directory, const Options& options) {
  auto database = Database::open(directory, options);
  expect(database.has_value(), database ? "" : database.error().message);
  for (const std::string_view statement : statements) {
    const auto rows = execute(*database, statement);
    expect(rows.has_value(), rows ? "" : rows.error().message);
  }
  return std::move(*database);
}

// Never destroyed, because at exit the store's static objects are destroyed first.
Database& shared_database() {
  static const test::TemporaryDirectory directory;
  static Database& database =
      *std::make_unique<Database>(make_small_database(directory.path() / "db")).release();
  return database;
}

}  // namespace cairn::fuzz
