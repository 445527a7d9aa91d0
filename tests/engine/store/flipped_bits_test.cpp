// One flipped bit in each kind of file: an opening that is refused, an error, a warning with right answers, or no
// effect. Never an answer that is wrong or misses something without a word.

#include "engine/store/column_family.hpp"
#include "engine/store/log_reader.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/store/side_file.hpp"
#include "tests/engine/store/fault_file_system.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>
#include <rocksdb/db.h>
#include <rocksdb/metadata.h>
#include <rocksdb/options.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

using namespace cairn;
using engine::Family;
using test::must;

namespace fs = std::filesystem;
namespace side_file = engine::side_file;

namespace {

/// What a database answers, a text a question; nothing where it gave an error.
using Answers = std::vector<std::optional<std::string>>;
using Ask = std::function<Answers(Database&)>;

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
  const auto found = snapshot->nearest(index, query, {1'000'000, true, 0, {}});
  if (!found) return std::nullopt;
  std::string text;
  for (const Neighbor& hit : found->hits)
    text.append(std::to_string(hit.id)).append(" ").append(std::to_string(hit.score)).append("; ");
  return text;
}

/// Answers by the commit that they are of.
using History = std::map<std::uint64_t, Answers>;

/// A database that nobody has open, and what it must answer.
struct Sample {
  test::TemporaryDirectory directory;
  fs::path path = directory.path() / "sample";
  Ask ask;
  History history;
  std::map<Family, std::vector<fs::path>> tables{};

  void note(Database& database) { history[must(database.statistics()).commits] = ask(database); }
  /// The files of a process that died.
  void copy(const fs::path& live) {
    test::FaultFileSystem::copy_at_rest(live, path);
    const std::string store = path / side_file::store_directory;
    std::vector<rocksdb::ColumnFamilyDescriptor> families{{"default", {}}};
    for (const Family family : engine::all_families)
      families.push_back({std::string(to_string(family)), {}});
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    rocksdb::DB* opened = nullptr;
    BOOST_REQUIRE(
        rocksdb::DB::OpenForReadOnly(rocksdb::Options(), store, families, &handles, &opened).ok());
    const std::unique_ptr<rocksdb::DB> database(opened);
    std::vector<rocksdb::LiveFileMetaData> named;
    database->GetLiveFilesMetaData(&named);
    for (const rocksdb::LiveFileMetaData& file : named)
      for (const Family family : engine::all_families)
        if (to_string(family) == file.column_family_name)
          tables[family].push_back(path / side_file::store_directory / file.relative_filename);
    for (rocksdb::ColumnFamilyHandle* handle : handles)
      database->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  }
  std::vector<fs::path> files(std::string_view directory_name, std::string_view begin) const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(path / directory_name))
      if (entry.path().filename().string().starts_with(begin)) found.push_back(entry.path());
    return found;
  }
  std::vector<fs::path> logs() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(path / side_file::store_directory))
      if (entry.path().extension() == ".log" && fs::file_size(entry.path()) > 0)
        found.push_back(entry.path());
    return found;
  }
};

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

/// A little of everything, in two generations of tables and a log.
void make_small(Sample& sample) {
  sample.ask = ask_everything;
  const fs::path live = sample.directory.path() / "live";
  {
    Database database = must(Database::open(live));
    test::run_all(database,
                  {"CREATE INDEX numbers FOR (n:Doc) ON (n.i)",
                   "CREATE FULLTEXT INDEX texts FOR (n:Doc) ON EACH [n.text]",
                   "CREATE VECTOR INDEX meanings FOR (n:Doc) ON (n.v) OPTIONS {indexConfig: "
                   "{`vector.dimensions`: 4, `vector.similarity_function`: 'cosine'}}"});
    add_nodes(database, 0, 40);
    must(database.close());
  }
  Database database = must(Database::open(live));
  add_nodes(database, 40, 60);
  test::run_all(database, {"MATCH (n {i: 6}) DETACH DELETE n", "MATCH (n {i: 8}) SET n.name = 'y'",
                           "MATCH (n {i: 10}) SET n.v = null"});
  must(database.checkpoint());
  sample.note(database);
  for (int i = 60; i < 66; ++i) {
    add_nodes(database, i, i + 1);
    sample.note(database);
  }
  sample.copy(live);
}

/// A vector index with a file, and a log of what came behind it.
void make_vectors(Sample& sample) {
  constexpr int more_than_a_delta = 8'300;
  sample.ask = [](Database& database) -> Answers {
    return {nearest(database, "meanings", question),
            answer(database, "MATCH (n:M) RETURN count(n)")};
  };
  const fs::path live = sample.directory.path() / "live";
  Database database = must(Database::open(live));
  test::run_all(database, {"CREATE VECTOR INDEX meanings FOR (n:M) ON (n.v) OPTIONS {indexConfig: "
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
  sample.note(database);
  sample.copy(live);
}

const Sample& small_sample() {
  static Sample sample;
  if (sample.history.empty()) make_small(sample);
  return sample;
}

const Sample& vector_sample() {
  static Sample sample;
  if (sample.history.empty()) make_vectors(sample);
  return sample;
}

using Random = std::mt19937_64;

std::uint64_t below(Random& random, std::uint64_t bound) {
  return std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(random);
}

struct Flip {
  fs::path file;  // within the database
  std::uint64_t offset = 0;
  int bit = 0;

  void apply(const fs::path& database) const {
    std::fstream stream(database / file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(offset));
    const char byte = static_cast<char>(stream.get() ^ (1 << bit));
    stream.seekp(static_cast<std::streamoff>(offset));
    stream.put(byte);
  }
  [[nodiscard]] std::string text() const {
    return file.string() + " byte " + std::to_string(offset) + " bit " + std::to_string(bit);
  }
};

/// Of a log without the zeros ahead.
std::uint64_t used_bytes(const fs::path& file) {
  if (file.extension() != ".log") return fs::file_size(file);
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  return engine::inspect_log(bytes).written_bytes;
}

/// Half of those in tables hit the last 2 KiB, where the blocks are that say how to read the rest.
Flip draw(Random& random, const Sample& sample, const std::vector<fs::path>& files) {
  const fs::path& file = files[below(random, files.size())];
  const std::uint64_t bytes = used_bytes(file);
  constexpr std::uint64_t end_bytes = 2'048;
  const bool at_end = file.extension() == ".sst" && bytes > end_bytes && below(random, 2) == 0;
  const std::uint64_t offset = at_end ? bytes - 1 - below(random, end_bytes) : below(random, bytes);
  return {file.lexically_relative(sample.path), offset, static_cast<int>(below(random, 8))};
}

struct Tally {
  int refused = 0, failed = 0, warned = 0, unharmed = 0, wrong = 0;
};

/// Whether what it answers is right, or an error. `errors` counts those.
bool is_right(const Answers& answers, const History& history, std::uint64_t commit, int& errors) {
  const auto expected = history.find(commit);
  if (expected == history.end()) return false;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i])
      ++errors;
    else if (answers[i] != expected->second[i])
      return false;
  }
  return true;
}

/// The commit that it stands at: the last one, unless it says that some were dropped.
std::uint64_t commit_of(const Database& database, const History& history) {
  const std::uint64_t last = history.rbegin()->first;
  const auto statistics = database.statistics();
  return database.warnings().empty() || !statistics ? last : statistics->commits;
}

void count(const Sample& sample, const fs::path& copy, const Options& options, Tally& tally) {
  auto database = Database::open(copy, options);
  if (!database) {
    ++tally.refused;
    return;
  }
  int errors = 0;
  const bool warns = !database->warnings().empty();
  const std::uint64_t commit = commit_of(*database, sample.history);
  bool is_wrong = !is_right(sample.ask(*database), sample.history, commit, errors);
  // What was made anew stays so.
  if (warns && options.mode != OpenMode::read_only && database->close()) {
    auto again = Database::open(copy);
    if (again) is_wrong |= !is_right(sample.ask(*again), sample.history, commit, errors);
  }
  if (is_wrong)
    ++tally.wrong;
  else if (errors > 0)
    ++tally.failed;
  else
    ++(warns ? tally.warned : tally.unharmed);
}

/// Flip bits of these files, one in each copy. One in four is opened for reading only.
Tally flip_bits(const Sample& sample, const std::vector<fs::path>& files, std::string_view kind,
                std::size_t flips) {
  BOOST_REQUIRE_MESSAGE(!files.empty(), "there is no file of " << kind);
  constexpr std::uint64_t seed = 17;
  Random random(seed + std::hash<std::string_view>()(kind));
  const fs::path copy = sample.directory.path() / "copy";
  Tally all;
  for (std::size_t i = 0; i < flips; ++i) {
    const Flip flip = draw(random, sample, files);
    fs::remove_all(copy);
    fs::copy(sample.path, copy, fs::copy_options::recursive);
    flip.apply(copy);
    Options options;
    if (i % 4 == 3) options.mode = OpenMode::read_only;
    const int wrong = all.wrong;
    count(sample, copy, options, all);
    BOOST_TEST(all.wrong == wrong, "seed " << seed << ": wrong answers by " << flip.text()
                                           << (i % 4 == 3 ? ", read only" : ""));
  }
  BOOST_TEST_MESSAGE("  " << kind << ": " << all.refused << " refused, " << all.failed
                          << " with an error, " << all.warned << " warned and right, "
                          << all.unharmed << " without effect, " << all.wrong << " wrong");
  return all;
}

std::size_t usual_flips() { return test::rounds(12, 1'000); }

Flip flip_in_properties(const Sample& sample, const fs::path& table) {
  std::ifstream stream(table, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  const std::size_t at = bytes.rfind("leveldb.BytewiseComparator");
  BOOST_REQUIRE(at != bytes.npos);
  return {table.lexically_relative(sample.path), at, 0};
}

void expect_refused(const fs::path& database, const std::string& table) {
  const auto opened = Database::open(database);
  BOOST_REQUIRE_MESSAGE(!opened, table);
  BOOST_TEST((opened.error().code == ErrorCode::corruption));
  for (const std::string& part : {table, std::string("`cairn check`")})
    BOOST_TEST(opened.error().message.find(part) != std::string::npos, opened.error().message);
}

void expect_mended(const Sample& sample, const fs::path& path, Family family,
                   const std::string& table) {
  const Answers& expected = sample.history.rbegin()->second;
  {
    Database mended = must(Database::open(path));
    BOOST_REQUIRE_MESSAGE(!mended.warnings().empty(), table);
    std::string wanted(to_string(family));
    wanted.append(" is made anew from the records, as ").append(table);
    BOOST_TEST(mended.warnings().front().starts_with(wanted), mended.warnings().front());
    BOOST_TEST((sample.ask(mended) == expected), wanted);
    BOOST_TEST(must(mended.check()).empty(), wanted);
    must(mended.close());
  }
  Database again = must(Database::open(path));
  BOOST_TEST(again.warnings().empty());
  BOOST_TEST((sample.ask(again) == expected), table);
}

constexpr int kept = 236;

/// Keys and a range of erased ones in one table of `vector_log`. Gives its name.
std::string make_erased_range(const fs::path& store) {
  constexpr int erased = 64;
  const auto key = [](int i) { return std::to_string(1'000 + i); };
  const auto opened = must(engine::RocksStore::open(store, {}));
  engine::StoreBatch batch(*opened);
  for (int i = 0; i < erased + kept; ++i) batch.put(Family::vector_log, key(i), "entities");
  must(opened->write(batch, engine::WriteMode::sync));
  must(opened->erase_range(Family::vector_log, {key(0), key(erased)}, engine::WriteMode::sync));
  must(opened->flush());
  for (const auto& entry : fs::directory_iterator(store))
    if (entry.path().extension() == ".sst") return entry.path().filename();
  return "";
}

/// The keys that a scan gives, or nothing where it ends in an error.
std::optional<int> count_keys(const fs::path& store) {
  engine::StoreOptions reading;
  reading.read_only = true;
  const auto opened = engine::RocksStore::open(store, reading);
  if (!opened) return std::nullopt;
  auto cursor = (*opened)->scan(Family::vector_log, {}, nullptr);
  int keys = 0;
  for (; cursor.valid(); cursor.next()) ++keys;
  return cursor.status() ? std::optional(keys) : std::nullopt;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(flipped_bits)

// RocksDB passes over a block of erased ranges that it cannot read.
BOOST_AUTO_TEST_CASE(at_the_end_of_a_table_they_hide_no_key_of_a_scan_and_bring_none_back) {
  const test::TemporaryDirectory directory;
  const fs::path store = directory.path() / "store";
  const std::string table = make_erased_range(store);
  BOOST_REQUIRE(count_keys(store) == kept);
  const std::uint64_t bytes = fs::file_size(store / table);
  const std::uint64_t stride = test::rounds(7, 1);
  int refused = 0;
  for (std::uint64_t at = bytes - std::min<std::uint64_t>(bytes, 2'048); at < bytes; at += stride) {
    const Flip flip{table, at, static_cast<int>(at % 8)};
    flip.apply(store);
    const auto keys = count_keys(store);
    flip.apply(store);
    BOOST_TEST((!keys || *keys == kept), keys.value_or(0) << " keys by " << flip.text());
    refused += keys ? 0 : 1;
  }
  BOOST_TEST(refused > 0);
}

BOOST_AUTO_TEST_CASE(in_the_tables_of_any_family_they_give_no_wrong_answer) {
  for (const Family family : engine::all_families) {
    const Sample& sample = family == Family::vector_log ? vector_sample() : small_sample();
    const auto tables = sample.tables.find(family);
    BOOST_REQUIRE_MESSAGE(tables != sample.tables.end(), to_string(family));
    flip_bits(sample, tables->second, to_string(family), usual_flips());
  }
}

BOOST_AUTO_TEST_CASE(in_logs_and_manifests_they_give_no_wrong_answer) {
  const Sample& sample = small_sample();
  flip_bits(sample, sample.logs(), "logs", usual_flips());
  flip_bits(sample, sample.files(side_file::store_directory, "MANIFEST"), "MANIFEST",
            usual_flips());
}

BOOST_AUTO_TEST_CASE(in_small_files_they_give_no_wrong_answer) {
  const Sample& sample = small_sample();
  for (const char* name : {"CURRENT", "OPTIONS", "IDENTITY"})
    flip_bits(sample, sample.files(side_file::store_directory, name), name, usual_flips());
  for (const std::string_view name : {side_file::commit, side_file::format, side_file::lock})
    flip_bits(sample, sample.files("", name), name, usual_flips());
}

BOOST_AUTO_TEST_CASE(in_files_of_vector_indexes_they_give_no_wrong_answer) {
  const Sample& sample = vector_sample();
  flip_bits(sample, sample.files(side_file::vector_directory, ""), "vector indexes", usual_flips());
}

BOOST_AUTO_TEST_CASE(in_properties_of_tables_they_are_refused_or_what_is_derived_is_made_anew) {
  for (const Family family : engine::all_families) {
    const Sample& sample = family == Family::vector_log ? vector_sample() : small_sample();
    for (const fs::path& table : sample.tables.at(family)) {
      const fs::path copy = sample.directory.path() / "copy";
      fs::remove_all(copy);
      fs::copy(sample.path, copy, fs::copy_options::recursive);
      flip_in_properties(sample, table).apply(copy);
      if (is_derived(family))
        expect_mended(sample, copy, family, table.filename());
      else
        expect_refused(copy, table.filename());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
