#include "tests/engine/hostile/sample_database.hpp"

#include "tests/engine/store/fault_file_system.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <algorithm>

namespace cairn::test {
namespace {

constexpr int vectors_of_a_segment = 8'300;  // a delta holds fewer, and has no file

std::string text_of(int i) {
  static constexpr const char* words[] = {"storm", "river", "stone", "light", "ember", "cloud"};
  std::string text;
  for (int k = 1; k < 7; ++k) text.append(words[(i * k + k) % 6]).append(" ");
  return text;
}

Vector vector_of(int i) {
  const auto part = [i](int by) { return static_cast<float>(i * by % 31) / 31.0F + 0.01F; };
  return Vector({part(3), part(5), part(7), part(11)});
}

void add_documents(Database& database, int first, int last) {
  Transaction transaction = must(database.begin());
  std::vector<NodeId> nodes;
  for (int i = first; i < last; ++i) {
    Properties properties{{"i", i}, {"text", text_of(i)}, {"v", vector_of(i)}};
    if (i % 3 == 0) properties["extra"] = List{Value(i), Value("e")};
    const std::string label = i % 2 == 0 ? "Doc" : "Person";
    nodes.push_back(must(transaction.create_node({{label}, properties, "id" + std::to_string(i)})));
  }
  for (std::size_t i = 1; i < nodes.size(); ++i)
    must(transaction.create_relationship(
        {nodes[i - 1], i % 2 == 0 ? "KNOWS" : "CITES", nodes[i], {{"w", static_cast<int>(i)}}}));
  must(transaction.commit());
}

/// Values of nodes and of relationships, and the lists of both directions: each becomes a segment.
void read_columns_and_lists(Database& database) {
  run_all(database,
          {"MATCH (n) RETURN n.i, n.text, n.extra", "MATCH (a)-[r]->(b) RETURN a.i, r.w, b.i",
           "MATCH (a)<-[r]-(b) RETURN a.i, b.i"});
}

void add_vectors(Database& database, int count) {
  Transaction transaction = must(database.begin());
  for (int i = 0; i < count; ++i) must(transaction.create_node({{"M"}, {{"v", vector_of(i)}}, ""}));
  must(transaction.commit());
}

}  // namespace

Options sample_options() {
  Options options;
  options.memory_bytes = std::size_t{32} << 20;
  options.segments = Segments::always;
  return options;
}

void make_sample_database(const std::filesystem::path& place, int number, bool has_vector_file) {
  const TemporaryDirectory directory;
  const auto live = directory.path() / "db";
  {
    Database database = must(Database::open(live, sample_options()));
    const std::string config =
        " OPTIONS {indexConfig: {`vector.dimensions`: 4, `vector.similarity_function`: 'cosine'}}";
    run_all(database, {"CREATE INDEX numbers FOR (n:Doc) ON (n.i)",
                       "CREATE FULLTEXT INDEX texts FOR (n:Doc) ON EACH [n.text]",
                       "CREATE VECTOR INDEX meanings FOR (n:M) ON (n.v)" + config});
    add_documents(database, number, number + 60);
    add_vectors(database, has_vector_file ? vectors_of_a_segment : 20);
    read_columns_and_lists(database);
    must(database.close());
  }
  Database database = must(Database::open(live, sample_options()));
  run_all(database,
          {"MATCH (n:Doc) WHERE n.i > " + std::to_string(number + 50) + " DETACH DELETE n"});
  must(database.checkpoint());
  for (int i = 0; i < 5; ++i) add_documents(database, number + 60 + 4 * i, number + 64 + 4 * i);
  FaultFileSystem::copy_at_rest(live, place);
}

const std::vector<std::string>& sample_questions() {
  static const std::vector<std::string> questions{
      "MATCH (n:Doc) RETURN n.i, n.text, n.v, n.extra, labels(n)",
      "MATCH (a)-[r]->(b) RETURN a.i, type(r), r.w, b.i",
      "MATCH (n:Doc) WHERE n.i >= 10 AND n.i < 50 RETURN n.i",
      "MATCH (n:Doc) SEARCH n IN (FULLTEXT INDEX texts FOR 'storm river' LIMIT 100) SCORE AS s "
      "RETURN n.i, s",
      "CREATE (:Doc {i: 1, text: 'river', v: vector([1, 2, 3, 4])})-[:KNOWS]->(:Person)"};
  return questions;
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& database) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(database))
    if (!entry.is_directory()) files.push_back(entry.path().lexically_relative(database));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace cairn::test
