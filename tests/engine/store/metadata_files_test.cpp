// Tests every combination of COMMIT, TAIL and the last log in which some of them are missing, empty, cut or of another
// database. No combination loses a commit without a report.

#include "engine/store/log_reader.hpp"
#include "engine/store/metadata_file.hpp"
#include "tests/engine/store/died_database.hpp"
#include "tests/engine/store/fault_file_system.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <string>
#include <vector>

using namespace cairn;
using test::content;
using test::must;
using test::TemporaryDirectory;
using test::write;

namespace fs = std::filesystem;
namespace metadata_file = engine::metadata_file;

namespace {

constexpr std::uint64_t commits = 12;

enum State : std::uint8_t { intact, missing, empty, cut, foreign };
constexpr std::array<const char*, 5> state_names = {"intact", "missing", "empty", "cut", "foreign"};

/// The states of COMMIT, of TAIL and of the last log.
using States = std::array<State, 3>;

std::string text_of(const States& states) {
  return std::string("COMMIT ") + state_names[states[0]] + ", TAIL " + state_names[states[1]] +
         ", log " + state_names[states[2]];
}

/// The directory of a process that died, and the places of the three files in it.
struct Died {
  Died(const fs::path& place, Durability durability, bool has_tables) : path(place / "died") {
    Options options;
    options.durability = durability;
    Database database = must(Database::open(place / "live", options));
    const int flushed = has_tables ? 5 : 0;
    test::commit_nodes(database, 0, flushed);
    if (has_tables) must(database.checkpoint());
    test::commit_nodes(database, flushed, static_cast<int>(commits) - flushed);
    test::FaultFileSystem::copy_at_rest(place / "live", path);
    log = test::newest_log(path).lexically_relative(path);
  }
  [[nodiscard]] std::array<fs::path, 3> files() const {
    return {fs::path(metadata_file::commit), fs::path(metadata_file::tail), log};
  }
  fs::path path;
  fs::path log;
};

/// Half of a file; of a log up to the end of a record, which leaves a sound log.
std::string half_of(const fs::path& file) {
  std::string bytes = content(file);
  const bool is_log = file.extension() == ".log";
  // After its records, a log has preallocated space.
  if (is_log) bytes.resize(engine::inspect_log(bytes).valid_bytes);
  bytes.resize(bytes.size() / 2);
  if (is_log) bytes.resize(engine::inspect_log(bytes).valid_bytes);
  return bytes;
}

void bring(const fs::path& file, State state, const fs::path& other) {
  if (state == missing) fs::remove(file);
  if (state == empty) fs::resize_file(file, 0);
  if (state == cut) write(file, half_of(file));
  if (state == foreign) write(file, content(other));
}

/// Expects that the open is refused with a fix, or has all commits, or has fewer commits and a warning. No warning is
/// given only if the files are unchanged.
void expect_told(const fs::path& path, const std::string& about, bool is_intact) {
  const auto opened = Database::open(path);
  if (!opened) {
    const std::string& said = opened.error().message;
    BOOST_TEST((opened.error().code == ErrorCode::corruption), about << said);
    BOOST_TEST(!is_intact, about << said);
    const bool has_way_out = said.find("repair") != said.npos || said.find("backup") != said.npos;
    BOOST_TEST(has_way_out, about << said);
    return;
  }
  const auto nodes = must(opened->statistics()).nodes;
  BOOST_TEST(nodes <= commits, about);
  BOOST_TEST(opened->warnings().empty() == is_intact, about << nodes << " nodes");
  BOOST_TEST((!is_intact || nodes == commits), about << nodes << " nodes");
  BOOST_TEST(must(opened->check()).empty(), about);
}

void expect_all_told(Durability durability, bool has_tables) {
  const TemporaryDirectory directory;
  const Died died(directory.path(), durability, has_tables);
  fs::create_directory(directory.path() / "other");
  const Died other(directory.path() / "other", durability, has_tables);
  const fs::path copy = directory.path() / "copy";
  for (std::size_t i = 0; i < 125; i += test::stride()) {
    const std::size_t tail = i / 5 % 5;
    const std::size_t log = i / 25;
    const States states{State((i + tail + log) % 5), State(tail), State(log)};
    // With all its content in the log it is the other database.
    const bool is_the_other = !has_tables && states == States{foreign, foreign, foreign};
    if (is_the_other) continue;
    fs::remove_all(copy);
    test::copy_tree(died.path, copy);
    for (std::size_t file = 0; file < states.size(); ++file)
      bring(copy / died.files()[file], states[file], other.path / other.files()[file]);
    const std::string about = text_of(states) + (has_tables ? ", with" : ", without") + " tables: ";
    expect_told(copy, about, states == States{intact, intact, intact});
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(metadata_files)

BOOST_AUTO_TEST_CASE(no_combination_of_bad_ones_loses_a_commit_without_a_word) {
  expect_all_told(Durability::sync, true);
  expect_all_told(Durability::async, true);
}

BOOST_AUTO_TEST_CASE(nor_where_the_log_had_everything) { expect_all_told(Durability::sync, false); }

BOOST_AUTO_TEST_CASE(a_missing_note_of_the_newest_commit_is_told_once) {
  const TemporaryDirectory directory;
  const Died died(directory.path(), Durability::sync, true);
  fs::remove(died.path / metadata_file::tail);
  {
    const Database opened = must(Database::open(died.path));
    BOOST_TEST_REQUIRE(opened.warnings().size() == 1U);
    const std::string& said = opened.warnings().front();
    BOOST_TEST(said.find((died.path / metadata_file::tail).string() + " is missing") == 0U, said);
    BOOST_TEST(must(opened.statistics()).nodes == commits);
  }
  BOOST_TEST(must(Database::open(died.path)).warnings().empty());
}

BOOST_AUTO_TEST_CASE(an_emptied_store_is_refused_whatever_says_that_there_was_one) {
  for (const std::string_view kept : {metadata_file::format, metadata_file::tail}) {
    const TemporaryDirectory directory;
    const Died died(directory.path(), Durability::sync, false);
    for (const std::string_view file :
         {metadata_file::format, metadata_file::tail, metadata_file::commit})
      if (file != kept) fs::remove(died.path / file);
    fs::remove(died.path / died.log);
    for (const bool repair : {false, true}) {
      Options options;
      options.repair = repair;
      const auto opened = Database::open(died.path, options);
      BOOST_TEST_REQUIRE(!opened.has_value(), kept);
      BOOST_TEST((opened.error().code == ErrorCode::corruption), opened.error().message);
      BOOST_TEST(opened.error().message.find("backup") != std::string::npos,
                 opened.error().message);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
