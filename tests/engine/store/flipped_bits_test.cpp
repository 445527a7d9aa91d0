// One bit is flipped in each kind of file. The open is refused, a call returns an error, a warning comes with right
// answers, or there is no effect. No answer is wrong or incomplete without an error.

#include "engine/store/column_family.hpp"
#include "engine/store/log_reader.hpp"
#include "engine/store/metadata_file.hpp"
#include "engine/store/rocks_store.hpp"
#include "tests/engine/store/damage_sample.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <vector>

using namespace cairn;
using engine::Family;
using test::Answers;
using test::DamageTally;
using test::must;
using test::segment_sample;
using test::small_sample;
using test::vector_sample;
using Sample = test::DamageSample;

namespace fs = std::filesystem;
namespace metadata_file = engine::metadata_file;

namespace {

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

/// Half of the flips in tables hit the last 2 KiB, whose blocks describe the rest of the table.
Flip draw(Random& random, const Sample& sample, const std::vector<fs::path>& files) {
  const fs::path& file = files[below(random, files.size())];
  const std::uint64_t bytes = used_bytes(file);
  constexpr std::uint64_t end_bytes = 2'048;
  const bool at_end = file.extension() == ".sst" && bytes > end_bytes && below(random, 2) == 0;
  const std::uint64_t offset = at_end ? bytes - 1 - below(random, end_bytes) : below(random, bytes);
  return {file.lexically_relative(sample.path), offset, static_cast<int>(below(random, 8))};
}

/// Files of which each copy has one flipped bit in one of them.
using Files = std::vector<fs::path>;

/// Flip one bit of each of these kinds of files in each copy. One in four is opened for reading only.
DamageTally flip_bits(const Sample& sample, const std::vector<Files>& kinds, std::string_view name,
                      std::size_t flips) {
  for (const Files& files : kinds)
    BOOST_REQUIRE_MESSAGE(!files.empty(), "there is no file of " << name);
  constexpr std::uint64_t seed = 17;
  Random random(seed + std::hash<std::string_view>()(name));
  const fs::path copy = sample.directory.path() / "copy";
  DamageTally all;
  for (std::size_t i = 0; i < flips; ++i) {
    fs::remove_all(copy);
    test::copy_tree(sample.path, copy);
    std::string about = "seed " + std::to_string(seed) + ": ";
    for (const Files& files : kinds) {
      const Flip flip = draw(random, sample, files);
      flip.apply(copy);
      about += flip.text() + ", ";
    }
    const OpenMode mode = below(random, 4) == 0 ? OpenMode::read_only : OpenMode::read_write;
    const int wrong = all.wrong;
    test::judge(sample, copy, mode, all);
    BOOST_TEST(
        all.wrong == wrong,
        about << (mode == OpenMode::read_only ? "wrong answers, read only" : "wrong answers"));
  }
  BOOST_TEST_MESSAGE("  " << name << ": " << all.text());
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

void expect_repaired(const Sample& sample, const fs::path& path, Family family,
                     const std::string& table) {
  const Answers& expected = sample.expected;
  {
    Database repaired = must(Database::open(path));
    BOOST_REQUIRE_MESSAGE(!repaired.warnings().empty(), table);
    std::string wanted(to_string(family));
    wanted.append(" is rebuilt from the records, as ").append(table);
    BOOST_TEST(repaired.warnings().front().starts_with(wanted), repaired.warnings().front());
    BOOST_TEST((sample.ask(repaired) == expected), wanted);
    BOOST_TEST(must(repaired.check()).empty(), wanted);
    must(repaired.close());
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
  const std::uint64_t looked_at = std::min<std::uint64_t>(bytes, 2'048);
  const std::uint64_t stride = looked_at / test::rounds(256, looked_at);
  int refused = 0;
  for (std::uint64_t at = bytes - looked_at; at < bytes; at += stride) {
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
    flip_bits(sample, {tables->second}, to_string(family), usual_flips());
  }
}

BOOST_AUTO_TEST_CASE(in_logs_and_manifests_they_give_no_wrong_answer) {
  const Sample& sample = small_sample();
  flip_bits(sample, {sample.logs()}, "logs", usual_flips());
  flip_bits(sample, {sample.files(metadata_file::store_directory, "MANIFEST")}, "MANIFEST",
            usual_flips());
}

BOOST_AUTO_TEST_CASE(in_small_files_they_give_no_wrong_answer) {
  const Sample& sample = small_sample();
  for (const char* name : {"CURRENT", "OPTIONS", "IDENTITY"})
    flip_bits(sample, {sample.files(metadata_file::store_directory, name)}, name, usual_flips());
  for (const std::string_view name :
       {metadata_file::commit, metadata_file::tail, metadata_file::format, metadata_file::lock})
    flip_bits(sample, {sample.files("", name)}, name, usual_flips());
}

BOOST_AUTO_TEST_CASE(in_files_of_vector_indexes_they_give_no_wrong_answer) {
  const Sample& sample = vector_sample();
  flip_bits(sample, {sample.files(metadata_file::vector_directory, "")}, "vector indexes",
            usual_flips());
}

// Statements read the files, and take from the log what changed since.
BOOST_AUTO_TEST_CASE(
    in_files_of_segments_and_what_the_store_says_of_them_they_give_no_wrong_answer) {
  const Sample& sample = segment_sample();
  BOOST_TEST((sample.expected == small_sample().expected));
  const Files files = sample.files(metadata_file::segment_directory, "");
  // Values of nodes and of relationships, and the lists of both directions.
  BOOST_TEST(files.size() > 4U);
  flip_bits(sample, {files}, "segments", usual_flips());
  flip_bits(sample, {sample.tables.at(Family::vector_log)}, "the list of segments", usual_flips());
}

// What repairs the one must not lose what the other has.
BOOST_AUTO_TEST_CASE(in_a_table_and_a_log_at_once_they_give_no_wrong_answer) {
  const Sample& sample = small_sample();
  Files derived;
  for (const auto& [family, tables] : sample.tables)
    if (is_derived(family)) derived.insert(derived.end(), tables.begin(), tables.end());
  flip_bits(sample, {derived, sample.logs()}, "a table and a log", usual_flips());
}

BOOST_AUTO_TEST_CASE(in_properties_of_tables_they_are_refused_or_what_is_derived_is_rebuilt) {
  for (const Family family : engine::all_families) {
    const Sample& sample = family == Family::vector_log ? vector_sample() : small_sample();
    for (const fs::path& table : sample.tables.at(family)) {
      const fs::path copy = sample.directory.path() / "copy";
      fs::remove_all(copy);
      test::copy_tree(sample.path, copy);
      flip_in_properties(sample, table).apply(copy);
      if (is_derived(family))
        expect_repaired(sample, copy, family, table.filename());
      else
        expect_refused(copy, table.filename());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
