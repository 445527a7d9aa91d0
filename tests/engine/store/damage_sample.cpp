#include "tests/engine/store/damage_sample.hpp"

#include "engine/store/metadata_file.hpp"
#include "tests/engine/store/fault_file_system.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/vector_search.hpp>

#include <rocksdb/db.h>
#include <rocksdb/metadata.h>
#include <rocksdb/options.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <stdexcept>

namespace cairn::test {
namespace {

using engine::Family;

namespace fs = std::filesystem;
namespace metadata_file = engine::metadata_file;

constexpr std::array<float, 4> question{0.3F, 0.1F, 0.7F, 0.2F};

std::string text_of(int i) {
  static constexpr std::array words{"storm", "river", "stone", "light", "ember"};
  std::string text;
  for (std::size_t k = 0; k < 6; ++k)
    text.append(words[(static_cast<std::size_t>(i) * (k + 1) + k) % words.size()]).append(" ");
  return i % 7 == 0 ? text + std::string(2'000, static_cast<char>('a' + i % 26)) : text;
}

Vector vector_of(int i) {
  const auto part = [i](int by) { return static_cast<float>(i * by % 31) / 31.0F + 0.01F; };
  return Vector({part(3), part(5), part(7), part(11)});
}

void add_nodes(Database& database, int first, int last) {
  Transaction transaction = must(database.begin());
  std::vector<NodeId> nodes;
  for (int i = first; i < last; ++i) {
    Properties properties{
        {"i", i}, {"name", "x" + std::to_string(i % 9)}, {"text", text_of(i)}, {"v", vector_of(i)}};
    if (i % 3 == 0) properties["extra"] = List{Value(i), Value("e")};
    nodes.push_back(must(transaction.create_node(
        {{i % 2 == 0 ? "Doc" : "Person"}, properties, "id" + std::to_string(i)})));
  }
  for (std::size_t i = 1; i < nodes.size(); ++i)
    must(transaction.create_relationship(
        {nodes[i - 1], i % 2 == 0 ? "KNOWS" : "CITES", nodes[i], {{"w", static_cast<int>(i)}}}));
  must(transaction.commit());
}

Answers ask_everything(Database& database) {
  Answers answers;
  for (const char* statement :
       {"MATCH (n) RETURN n.i, n.name, n.text, n.v, n.extra, labels(n)",
        "MATCH (n:Person) RETURN count(n)", "MATCH (n) RETURN count(n)",
        "MATCH ()-[r]->() RETURN count(r)", "MATCH (a)-[r]->(b) RETURN a.i, type(r), r.w, b.i",
        "MATCH (a:Person)<-[r:KNOWS]-(b) RETURN a.i, r.w, b.i",
        "MATCH (n:Doc) WHERE n.i >= 10 AND n.i < 50 RETURN n.i",
        "MATCH (n) WHERE n.name = 'x3' RETURN n.i",
        "MATCH (n) WHERE n.extra IS NOT NULL RETURN n.i",
        "MATCH (n:Doc) RETURN n.i ORDER BY n.i LIMIT 5",
        "MATCH (n:Doc) SEARCH n IN (FULLTEXT INDEX texts FOR 'storm river' LIMIT 100) SCORE AS s "
        "RETURN n.i, s"})
    answers.push_back(answer(database, statement));
  answers.push_back(nearest(database, "meanings", question));
  const auto snapshot = database.snapshot();
  for (int i = 0; i < 70; i += 3) {
    std::optional<std::string>& found = answers.emplace_back();
    if (!snapshot) continue;
    const auto node = snapshot->find_node("id" + std::to_string(i));
    if (node) found = *node ? (*node)->property("text").to_text() : "none";
  }
  const auto statistics = database.statistics();
  answers.push_back(statistics ? std::optional(std::to_string(statistics->nodes) + " " +
                                               std::to_string(statistics->relationships) + " " +
                                               std::to_string(statistics->vectors))
                               : std::nullopt);
  return answers;
}

Options options_of(const DamageSample& sample) {
  Options options;
  options.segments = sample.segments;
  return options;
}

/// A little of everything, in two generations of tables and a log. Segments are of the first generation.
void make_small(DamageSample& sample, Segments segments) {
  sample.ask = ask_everything;
  sample.segments = segments;
  const fs::path live = sample.directory.path() / "live";
  {
    Database database = must(Database::open(live, options_of(sample)));
    run_all(database, {"CREATE INDEX numbers FOR (n:Doc) ON (n.i)",
                       "CREATE FULLTEXT INDEX texts FOR (n:Doc) ON EACH [n.text]",
                       "CREATE VECTOR INDEX meanings FOR (n:Doc) ON (n.v) OPTIONS {indexConfig: "
                       "{`vector.dimensions`: 4, `vector.similarity_function`: 'cosine'}}"});
    add_nodes(database, 0, 40);
    static_cast<void>(ask_everything(database));
    must(database.close());
  }
  Database database = must(Database::open(live, options_of(sample)));
  add_nodes(database, 40, 60);
  run_all(database, {"MATCH (n {i: 6}) DETACH DELETE n", "MATCH (n {i: 8}) SET n.name = 'y'",
                     "MATCH (n {i: 10}) SET n.v = null"});
  must(database.checkpoint());
  for (int i = 60; i < 66; ++i) add_nodes(database, i, i + 1);
  sample.take(database, live);
}

/// Makes a vector index with a file, and a log of the later changes.
void make_vectors(DamageSample& sample) {
  constexpr int more_than_a_delta = 8'300;
  sample.ask = [](Database& database) -> Answers {
    return {nearest(database, "meanings", question),
            answer(database, "MATCH (n:M) RETURN count(n)")};
  };
  const fs::path live = sample.directory.path() / "live";
  Database database = must(Database::open(live));
  run_all(database, {"CREATE VECTOR INDEX meanings FOR (n:M) ON (n.v) OPTIONS {indexConfig: "
                     "{`vector.dimensions`: 4, `vector.similarity_function`: 'cosine'}}"});
  const auto add = [&](int first, int last) {
    Transaction transaction = must(database.begin());
    for (int i = first; i < last; ++i)
      must(transaction.create_node({{"M"}, {{"v", vector_of(i)}}, ""}));
    must(transaction.commit());
  };
  for (int i = 0; i < 40; ++i) add(i, i + 1);
  add(40, more_than_a_delta);
  must(database.checkpoint());
  for (int i = 0; i < 236; ++i) add(more_than_a_delta + i, more_than_a_delta + i + 1);
  must(database.checkpoint());
  sample.take(database, live);
}

/// Returns the tables of each family as RocksDB lists them.
std::map<Family, std::vector<fs::path>> tables_of(const fs::path& store) {
  std::vector<rocksdb::ColumnFamilyDescriptor> families{{"default", {}}};
  for (const Family family : engine::all_families)
    families.push_back({std::string(to_string(family)), {}});
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  if (!rocksdb::DB::OpenForReadOnly(rocksdb::Options(), store, families, &handles, &opened).ok())
    throw std::runtime_error("cannot open " + store.string());
  const std::unique_ptr<rocksdb::DB> database(opened);
  std::map<Family, std::vector<fs::path>> tables;
  std::vector<rocksdb::LiveFileMetaData> named;
  database->GetLiveFilesMetaData(&named);
  for (const rocksdb::LiveFileMetaData& file : named)
    for (const Family family : engine::all_families)
      if (to_string(family) == file.column_family_name)
        tables[family].push_back(store / file.relative_filename);
  for (rocksdb::ColumnFamilyHandle* handle : handles)
    database->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  return tables;
}

/// Whether what it answers is right, or an error. `errors` counts those.
bool is_right(const Answers& answers, const Answers& expected, int& errors) {
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i])
      ++errors;
    else if (answers[i] != expected[i])
      return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> answer(Database& database, const std::string& statement) {
  const auto run = [&]() -> Result<std::string> {
    CAIRN_ASSIGN(Rows rows, execute(database, statement));
    CAIRN_ASSIGN(const auto all, rows.all());
    std::vector<std::string> lines;
    for (const auto& row : all) {
      std::string& line = lines.emplace_back();
      for (const Value& value : row) line.append(value.to_text()).append(" | ");
    }
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string& line : lines) text.append(line).append("\n");
    return text;
  };
  auto text = run();
  return text ? std::optional(*std::move(text)) : std::nullopt;
}

std::optional<std::string> nearest(const Database& database, const char* index,
                                   std::span<const float> query) {
  const auto snapshot = database.snapshot();
  if (!snapshot) return std::nullopt;
  const auto found =
      search_vectors(*snapshot, index, query, {.k = 1'000'000, .accuracy = VectorAccuracy::exact});
  if (!found) return std::nullopt;
  std::string text;
  for (const Hit& hit : found->hits)
    text.append(std::to_string(hit.id)).append(" ").append(std::to_string(hit.score)).append("; ");
  return text;
}

std::string DamageTally::text() const {
  return std::to_string(refused) + " refused, " + std::to_string(failed) + " with an error, " +
         std::to_string(warned) + " warned and right, " + std::to_string(unharmed) +
         " without effect, " + std::to_string(wrong) + " wrong";
}

void judge(const DamageSample& sample, const fs::path& copy, OpenMode mode, DamageTally& tally) {
  Options options = options_of(sample);
  options.mode = mode;
  auto database = Database::open(copy, options);
  if (!database) {
    ++tally.refused;
    return;
  }
  int errors = 0;
  const bool warns = !database->warnings().empty();
  bool is_wrong = !is_right(sample.ask(*database), sample.expected, errors);
  if (warns && mode != OpenMode::read_only && database->close()) {
    auto again = Database::open(copy, options);
    if (again) is_wrong |= !is_right(sample.ask(*again), sample.expected, errors);
  }
  if (is_wrong)
    ++tally.wrong;
  else if (errors > 0)
    ++tally.failed;
  else
    ++(warns ? tally.warned : tally.unharmed);
}

void DamageSample::take(Database& database, const fs::path& live) {
  expected = ask(database);
  FaultFileSystem::copy_at_rest(live, path);
  tables = tables_of(path / metadata_file::store_directory);
}

std::vector<fs::path> DamageSample::files(std::string_view directory_name,
                                          std::string_view begin) const {
  std::vector<fs::path> found;
  if (!fs::exists(path / directory_name)) return found;
  for (const auto& entry : fs::directory_iterator(path / directory_name))
    if (entry.path().filename().string().starts_with(begin)) found.push_back(entry.path());
  return found;
}

std::vector<fs::path> DamageSample::logs() const {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(path / metadata_file::store_directory))
    if (entry.path().extension() == ".log" && fs::file_size(entry.path()) > 0)
      found.push_back(entry.path());
  return found;
}

const DamageSample& small_sample() {
  static DamageSample sample;
  if (sample.expected.empty()) make_small(sample, Segments::automatic);
  return sample;
}

const DamageSample& segment_sample() {
  static DamageSample sample;
  if (sample.expected.empty()) make_small(sample, Segments::always);
  return sample;
}

const DamageSample& vector_sample() {
  static DamageSample sample;
  if (sample.expected.empty()) make_vectors(sample);
  return sample;
}

}  // namespace cairn::test
