// Table files are damaged, cut or missing. A check names each of them and continues. A repair rebuilds derived data,
// and changes nothing if records are damaged.

#include "codec/keys.hpp"
#include "codec/record.hpp"
#include "engine/database/access.hpp"
#include "engine/store/log_reader.hpp"
#include "engine/store/metadata_file.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/write/index_request.hpp"
#include "engine/write/writer.hpp"
#include "tests/engine/store/died_database.hpp"
#include "tests/engine/store/fault_file_system.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"

#include <cairn/check_files.hpp>

#include <boost/test/unit_test.hpp>
#include <rocksdb/db.h>
#include <rocksdb/options.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <vector>

using namespace cairn;
using engine::DamagedFile;
using engine::Family;
using engine::RocksStore;
using test::must;

namespace fs = std::filesystem;

namespace {

constexpr int nodes = 1'200;
constexpr int logged = 20;  // commits of one node each

/// Some blocks of nodes, relationships, vectors and postings, all in table files.
struct Fixture {
  test::TemporaryDirectory directory;
  fs::path path = directory.path() / "db";

  Fixture() {
    static const Original original;
    test::copy_tree(original.path, path);
  }

  /// Made once, and copied for each case.
  struct Original {
    test::TemporaryDirectory directory;
    fs::path path = directory.path() / "db";
    Original();
  };

  /// A table file of a family. Only damaged files are told, so that all are damaged for a moment.
  fs::path file_of(Family family) const {
    const fs::path place = path / engine::metadata_file::store_directory;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(place))
      if (entry.path().extension() == ".sst") files.push_back(entry.path());
    for (const fs::path& file : files) flip(file, 10);
    engine::StoreOptions options;
    options.read_only = true;
    fs::path found;
    for (const DamagedFile& file : must(must(RocksStore::open(place, options))->damaged_files()))
      if (file.family == family) found = place / file.name;
    for (const fs::path& file : files) flip(file, 10);
    BOOST_REQUIRE(!found.empty());
    return found;
  }

  static void flip(const fs::path& file, std::uintmax_t offset) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(offset));
    const char byte = static_cast<char>(stream.get() ^ 16);
    stream.seekp(static_cast<std::streamoff>(offset));
    stream.put(byte);
  }

  static Options reading() {
    Options options;
    options.mode = OpenMode::read_only;
    return options;
  }
  static Options repairing() {
    Options options;
    options.repair = true;
    return options;
  }

  static std::string text_of(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& finding : findings) text += finding.place + ": " + finding.problem + "\n";
    return text;
  }
  std::string findings() const {
    return text_of(must(must(Database::open(path, reading())).check()));
  }
  static void contains(const std::string& text, std::string_view piece) {
    BOOST_TEST(text.find(piece) != std::string::npos, "wanted " << piece << " in: " << text);
  }
  static void lacks(const std::string& text, std::string_view piece) {
    BOOST_TEST(text.find(piece) == std::string::npos, "unwanted " << piece << " in: " << text);
  }

  /// Returns every file with its bytes, except the lock, which names its last holder, and RocksDB's own log file (LOG).
  std::map<std::string, std::string> content() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      const std::string name = entry.path().filename();
      if (!entry.is_regular_file() || name == engine::metadata_file::lock ||
          name.starts_with("LOG"))
        continue;
      std::ifstream stream(entry.path(), std::ios::binary);
      files[entry.path().lexically_relative(path)] = {std::istreambuf_iterator<char>(stream), {}};
    }
    return files;
  }
  /// Returns the error of a repair that is refused, and checks that the repair has changed nothing.
  std::string refusal() const {
    const auto before = content();
    const auto repaired = Database::open(path, repairing());
    BOOST_REQUIRE(!repaired);
    BOOST_TEST((repaired.error().code == ErrorCode::corruption));
    const bool is_unchanged = content() == before;
    BOOST_TEST(is_unchanged);
    return repaired.error().message;
  }

  /// Makes commits that are only in the log, and leaves the files as a process that died would. Returns the log.
  fs::path commit_and_die() {
    const fs::path died = directory.path() / "died";
    {
      Database database = must(Database::open(path));
      for (int i = 0; i < logged; ++i) {
        Transaction transaction = must(database.begin());
        must(transaction.create_node({{"L"}, {{"text", std::string(100, 'l')}}, ""}));
        must(transaction.commit());
      }
      test::FaultFileSystem::copy_at_rest(path, died);
    }
    path = died;
    fs::path log;
    for (const auto& entry : fs::directory_iterator(path / engine::metadata_file::store_directory))
      if (entry.path().extension() == ".log" && fs::file_size(entry.path()) > 0)
        log = std::max(log, entry.path());
    return log;
  }

  void expect_whole() const {
    Database database = must(Database::open(path));
    BOOST_TEST(text_of(must(database.check())) == "");
    BOOST_TEST(must(database.statistics()).nodes == static_cast<std::uint64_t>(nodes));
    Transaction transaction = must(database.begin());
    must(transaction.create_node({{"N"}, {{"i", -1}}, ""}));
    must(transaction.commit());
    BOOST_TEST(text_of(must(database.check())) == "");
    must(database.close());
  }
};

Fixture::Original::Original() {
  Database database = must(Database::open(path));
  Transaction transaction = must(database.begin());
  for (int i = 0; i < nodes; ++i) {
    const std::string text = std::to_string(i * 7'919 % 100'003) + std::string(30, 't');
    must(transaction.create_node(
        {{"N"}, {{"i", i}, {"t", text}, {"v", Vector({1.0F, 2.0F})}}, "n" + std::to_string(i)}));
  }
  for (std::uint64_t i = 1; i < nodes; ++i)
    must(transaction.create_relationship({NodeId{i}, "R", NodeId{i + 1}, {{"w", 1}}}));
  must(transaction.commit());
  must(database.close());
}

constexpr Family derived[] = {Family::adj_out, Family::adj_in, Family::index, Family::stats};

/// Bits of a data block, the end of the file, the file.
using Damage = std::function<void(const fs::path&)>;
const Damage bits = [](const fs::path& file) { Fixture::flip(file, fs::file_size(file) / 3); };
const Damage cut = [](const fs::path& file) { fs::resize_file(file, fs::file_size(file) / 2); };
const Damage loss = [](const fs::path& file) { fs::remove(file); };

}  // namespace

BOOST_FIXTURE_TEST_SUITE(table_files, Fixture)

BOOST_AUTO_TEST_CASE(whole_files_are_no_finding) {
  BOOST_TEST(must(check_files(path)).empty());
  BOOST_TEST(findings() == "");
  BOOST_TEST(!check_files(path / "elsewhere"));
}

BOOST_AUTO_TEST_CASE(damaged_derived_families_are_named_and_rebuilt) {
  std::map<Family, fs::path> files;
  for (const Family family : derived) files[family] = file_of(family);
  bits(files[Family::adj_out]);
  BOOST_TEST(must(check_files(path)).size() == 1U);
  cut(files[Family::adj_in]);
  bits(files[Family::index]);
  BOOST_TEST(!Database::open(path));
  const std::string found = findings();
  lacks(found, "index entry");
  lacks(found, "is missing or wrong");
  for (const Family family : {Family::adj_out, Family::adj_in, Family::index})
    contains(found, "family " + std::string(to_string(family)) + ": it is not compared");

  loss(files[Family::stats]);
  BOOST_TEST(!Database::open(path, reading()));  // which needs its counts
  const std::string told = text_of(must(check_files(path)));
  contains(told, "`cairn check --repair` rebuilds");
  for (const auto& [family, file] : files)
    contains(told, "store/" + file.filename().string() + ": it contains part of the family " +
                       std::string(to_string(family)));
  {
    Database repaired = must(Database::open(path, repairing()));
    std::string warnings;
    for (const std::string& warning : repaired.warnings()) warnings += warning + "\n";
    for (const Family family : derived)
      contains(warnings, std::string(to_string(family)) + " is rebuilt from the records");
    must(repaired.close());
  }
  expect_whole();
  for (const auto& [family, file] : files) BOOST_TEST(!fs::exists(file));
}

BOOST_AUTO_TEST_CASE(records_that_cannot_be_read_are_told_by_their_ids_and_nothing_else_is) {
  bits(file_of(Family::nodes));
  const std::string found = findings();
  contains(found, "it contains records from among nodes 1 to 1200");
  contains(found, "restore a backup");
  contains(found, "records cannot be read\n");
  BOOST_TEST(std::count(found.begin(), found.end(), '\n') == 2, found);
  // What the finding names is what a reader meets.
  const Snapshot snapshot = must(must(Database::open(path, reading())).snapshot());
  std::vector<std::uint64_t> lost;
  for (std::uint64_t id = 1; id <= nodes; ++id)
    if (!snapshot.find_node(NodeId{id})) lost.push_back(id);
  BOOST_REQUIRE(!lost.empty());
  BOOST_TEST(lost.size() < nodes / 2U);
  contains(found, "node " + std::to_string(lost.front()) + " to " + std::to_string(lost.back()) +
                      ": " + std::to_string(lost.size()) + " records");
}

BOOST_AUTO_TEST_CASE(what_disagrees_beside_the_damage_is_found_all_the_same) {
  {
    engine::StoreOptions options;
    const auto store =
        must(RocksStore::open(path / engine::metadata_file::store_directory, options));
    engine::StoreBatch batch(*store);
    std::string key = codec::adjacency_key({1'150, 9, 3, 1'150});
    batch.put(Family::adj_out, key, "");
    must(store->write(batch, engine::WriteMode::sync));
  }
  bits(file_of(Family::relationships));
  const std::string found = findings();
  contains(found,
           "relationship 1150: its entry in the adjacency of its source is missing or wrong");
  contains(found, "records cannot be read\n");
}

BOOST_AUTO_TEST_CASE(a_repair_changes_nothing_where_records_or_vectors_are_damaged) {
  const std::vector<std::pair<Family, Damage>> damages = {{Family::nodes, bits},
                                                          {Family::relationships, cut},
                                                          {Family::vectors, loss},
                                                          {Family::meta, bits}};
  for (std::size_t i = 0; i < damages.size(); i += test::stride()) {
    const auto& [family, damage] = damages[i];
    const fs::path file = file_of(family);
    const fs::path copy = directory.path() / "copy";
    fs::copy_file(file, copy, fs::copy_options::overwrite_existing);
    damage(file);
    const fs::path other = family == Family::nodes ? file_of(Family::index) : fs::path();
    if (!other.empty()) flip(other, 10);
    const std::string refused = refusal();
    contains(refused, "nothing was repaired");
    BOOST_TEST((refused.find("export") == std::string::npos) ==
               (family == Family::meta || !other.empty()));
    contains(refused, "store/" + file.filename().string());
    if (!other.empty()) {
      lacks(refused, other.filename().string());
      flip(other, 10);
    }
    fs::copy_file(copy, file, fs::copy_options::overwrite_existing);
    BOOST_TEST(findings() == "");
  }
}

BOOST_AUTO_TEST_CASE(a_repair_that_refuses_has_not_decided_about_the_log_nor_about_metadata_files) {
  const fs::path log = commit_and_die();
  const fs::path file = file_of(Family::nodes);
  flip(log, 200);
  flip(path / engine::metadata_file::format, 5);
  bits(file);
  contains(refusal(), "nothing was repaired");
  bits(file);
  flip(log, 200);
  Database repaired = must(Database::open(path, repairing()));
  BOOST_TEST(must(repaired.statistics()).nodes == static_cast<std::uint64_t>(nodes + logged));
  must(repaired.close());
  BOOST_TEST(findings() == "");
}

BOOST_AUTO_TEST_CASE(a_repair_deletes_no_whole_file_behind_a_manifest_that_lost_its_end) {
  const fs::path old = file_of(Family::meta);
  const fs::path saved = directory.path() / "saved";
  test::copy_tree(path, saved);
  commit_and_die();
  {
    Database database = must(Database::open(path));
    must(database.close());
  }
  // New tables are in the directory of an older store, with its older manifest.
  const fs::path store = saved / engine::metadata_file::store_directory;
  std::vector<fs::path> newer;
  for (const auto& entry : fs::directory_iterator(path / engine::metadata_file::store_directory)) {
    if (entry.path().extension() != ".sst") continue;
    newer.push_back(store / (std::to_string(900'000 + newer.size()) + ".sst"));
    fs::copy_file(entry.path(), newer.back());
  }
  path = saved;
  contains(refusal(), "store/900000.sst");
  loss(file_of(Family::index));
  contains(refusal(), "store/900000.sst");
  // What a process that died left of a file, or of a commit that is known, is no sign.
  for (const fs::path& file : newer) cut(file);
  fs::copy_file(store / old.filename(), store / "910000.sst");
  BOOST_TEST(must(Database::open(path, repairing())).warnings().size() == 2U);
  BOOST_TEST(!fs::exists(newer.front()));
  expect_whole();
}

BOOST_AUTO_TEST_CASE(a_store_without_its_current_file_is_not_rebuilt) {
  fs::remove(path / engine::metadata_file::store_directory / "CURRENT");
  const auto before = content();
  contains(refusal(), "CURRENT");
  BOOST_TEST(!Database::open(path));
  const bool is_unchanged = content() == before;
  BOOST_TEST(is_unchanged);
}

BOOST_AUTO_TEST_CASE(a_repair_finishes_a_store_that_was_only_begun) {
  path = directory.path() / "begun";
  fs::create_directories(path / engine::metadata_file::store_directory);
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::DB* database = nullptr;
  BOOST_REQUIRE(
      rocksdb::DB::Open(options, path / engine::metadata_file::store_directory, &database).ok());
  delete database;
  BOOST_TEST(must(must(Database::open(path, repairing())).statistics()).nodes == 0U);
}

BOOST_AUTO_TEST_CASE(a_torn_log_and_a_missing_derived_file_are_one_repair) {
  const fs::path log = commit_and_die();
  const fs::path file = file_of(Family::index);
  std::ifstream stream(log, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  fs::resize_file(log, engine::inspect_log(bytes).written_bytes - 10);
  test::age_tail(path);
  loss(file);
  BOOST_TEST(!Database::open(path));
  const auto found = must(check_files(path));
  BOOST_REQUIRE(found.size() == 1U);
  contains(found.front().place, file.filename().string());
  {
    Database repaired = must(Database::open(path, repairing()));
    BOOST_TEST(repaired.warnings().size() == 3U);
    BOOST_TEST(must(repaired.statistics()).nodes == static_cast<std::uint64_t>(nodes + logged - 1));
    must(repaired.close());
  }
  BOOST_TEST(findings() == "");
}

BOOST_AUTO_TEST_CASE(commits_behind_a_damaged_log_are_not_taken_for_whole_beside_missing_files) {
  const fs::path log = commit_and_die();
  const fs::path file = file_of(Family::index);
  flip(log, 2'000);
  loss(file);
  BOOST_TEST(!Database::open(path, reading()));
  refusal();
}

BOOST_AUTO_TEST_CASE(a_file_that_is_missing_is_an_error_for_whoever_reads_it_and_no_missing_row) {
  const fs::path file = file_of(Family::nodes);
  loss(file);
  BOOST_TEST(!Database::open(path));
  const Database database = must(Database::open(path, reading()));
  BOOST_TEST(database.warnings().size() == 1U);
  const Snapshot snapshot = must(database.snapshot());
  for (const std::uint64_t id : {1U, 600U, 1'200U}) BOOST_TEST(!snapshot.find_node(NodeId{id}));
  contains(text_of(must(database.check())), "it is missing");
  contains(text_of(must(database.check())), "node 1 to 1200: 1200 records cannot be read");
}

BOOST_AUTO_TEST_CASE(an_export_and_a_repair_are_offered_only_where_they_can_work) {
  const fs::path file = file_of(Family::nodes);
  const std::array others{Family::adj_in, Family::adj_out, Family::stats, Family::index};
  for (std::size_t i = 0; i < others.size(); i += test::stride()) {
    const Family family = others[i];
    const fs::path other = file_of(family);
    bits(file);
    flip(other, 10);
    const std::string told = text_of(must(check_files(path)));
    lacks(told, "--repair");
    contains(told, "which must be intact before a repair");
    const bool exports = family == Family::adj_in;
    BOOST_TEST((told.find("--skip-damaged") != std::string::npos) == exports);
    BOOST_TEST((refusal().find("--skip-damaged") != std::string::npos) == exports);
    bits(file);
    flip(other, 10);
  }
}

BOOST_AUTO_TEST_CASE(vectors_whose_file_is_missing_take_their_indexes_away_and_nothing_else) {
  {
    Database database = must(Database::open(path));
    Transaction transaction = must(database.begin());
    engine::IndexRequest index;
    index.name = "v";
    index.index_kind = codec::IndexKind::vector;
    index.labels_or_types = {"N"};
    index.properties = {"v"};
    index.dimension = 2;
    must(Access::writer(transaction)->create_index(index));
    must(transaction.commit());
    must(database.close());
  }
  loss(file_of(Family::vectors));
  fs::remove_all(path / engine::metadata_file::vector_directory);
  const Database database = must(Database::open(path, reading()));
  BOOST_TEST(database.warnings().size() == 2U);
  BOOST_TEST(must(database.statistics()).nodes == static_cast<std::uint64_t>(nodes));
}

BOOST_AUTO_TEST_CASE(vectors_that_cannot_be_read_are_told_by_whose_they_are) {
  bits(file_of(Family::vectors));
  const std::string found = findings();
  contains(found, "it contains vectors from among those of nodes 1 to 1200");
  contains(found, "of them cannot be read");
  lacks(found, "its stored vectors are not those");
}

BOOST_AUTO_TEST_SUITE_END()
