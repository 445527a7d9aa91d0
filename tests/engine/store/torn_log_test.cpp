// Damages the end of the log at each byte: a cut, or zeros or garbage from there on, or garbage after the end. The store
// opens with the valid part, or refuses and names the repair; both say how many commits are lost.

#include "engine/store/log_reader.hpp"
#include "engine/store/metadata_file.hpp"
#include "tests/engine/store/died_database.hpp"
#include "tests/engine/store/fault_file_system.hpp"
#include "tests/model/random.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

using namespace cairn;
using test::content;
using test::must;
using test::Random;
using test::TemporaryDirectory;
using test::write;

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t flushed = 5;
constexpr std::size_t looked_at = 8'192;  // bytes of the end of the log

/// What a process left that died: some commits in tables, the others in a log of more than one block of it.
struct Died {
  explicit Died(Durability durability) {
    Options options;
    options.durability = durability;
    Database database = must(Database::open(directory.path() / "live", options));
    test::commit_nodes(database, 0, static_cast<int>(flushed));
    must(database.checkpoint());
    Random random(7);
    // Up to where a block ends within what is looked at.
    while (log.size() < 36'000) {
      Transaction transaction = must(database.begin());
      must(transaction.create_node({{"N"}, {{"t", std::string(random.below(900), 't')}}, ""}));
      must(transaction.commit());
      const std::string all = content(test::newest_log(directory.path() / "live"));
      log = all.substr(0, engine::inspect_log(all).written_bytes);
      ends.push_back(log.size());
    }
    test::FaultFileSystem::copy_at_rest(directory.path() / "live", path);
    file = test::newest_log(path).lexically_relative(path);
  }
  TemporaryDirectory directory;
  fs::path path = directory.path() / "died";
  fs::path file;
  std::string log;
  std::vector<std::size_t> ends;  ///< of the commits in it
};

/// Whether the newest TAIL is there, or an older one, as after a power cut, which describes fewer commits.
enum class Tail : std::uint8_t { newest, older };

class TornLogs {
 public:
  TornLogs(Durability durability, Tail tail) : died_(durability), tail_(tail) {}

  /// The log has these bytes.
  void run(const std::string& bytes, const std::string& about) {
    const fs::path copy = died_.directory.path() / "copy";
    fs::remove_all(copy);
    test::copy_tree(died_.path, copy);
    write(copy / died_.file, bytes);
    if (tail_ == Tail::older) test::age_tail(copy);
    const std::uint64_t whole = count_whole(bytes);
    const auto opened = Database::open(copy);
    if (opened)
      expect_prefix(*opened, whole, about);
    else
      expect_refused(opened.error(), whole, about);
  }
  /// Cuts the log at some positions from `first` on, and appends each kind of bytes.
  void run_positions(std::size_t positions, std::size_t first) {
    Random random(3);
    const std::string& log = died_.log;
    for (std::size_t i = 0; i < positions; ++i) {
      const std::size_t cut = looked_at * i / positions + first;
      const std::string before = log.substr(0, log.size() - cut);
      const std::string about = std::to_string(cut) + " bytes before the end, ";
      run(before, about + "cut");
      run(before + std::string(cut, '\0'), about + "zeros");
      run(before + garbage(random, 1 + random.below(cut + 300)), about + "garbage");
      // Also of a log that was closed, and so has no zeros ahead.
      if (i % 20 == 0) run(log + garbage(random, 1 + random.below(600)), "garbage behind the end");
    }
  }
  [[nodiscard]] std::string told() const {
    return std::to_string(cases_) + " torn logs: " + std::to_string(refused_) +
           " refused, and with the rest of them " + std::to_string(lost_) + " lost commits told";
  }

 private:
  static std::string garbage(Random& random, std::size_t bytes) {
    std::string text(bytes, '\0');
    for (char& byte : text) byte = static_cast<char>(random.number());
    return text;
  }

  /// How many commits of the log have all of their bytes.
  [[nodiscard]] std::uint64_t count_whole(const std::string& bytes) const {
    const auto same = std::ranges::mismatch(bytes, died_.log).in1 - bytes.begin();
    const auto size = static_cast<std::size_t>(same);
    return static_cast<std::uint64_t>(
        std::ranges::count_if(died_.ends, [&](std::size_t end) { return end <= size; }));
  }
  [[nodiscard]] std::string lost_by(std::uint64_t whole) const {
    const std::uint64_t lost = died_.ends.size() - whole;
    return std::to_string(lost) + (lost == 1 ? " commit" : " commits");
  }

  void expect_prefix(const Database& opened, std::uint64_t whole, const std::string& about) {
    ++cases_;
    std::string said;
    for (const std::string& warning : opened.warnings()) said += warning + "\n";
    BOOST_TEST(must(opened.statistics()).nodes == flushed + whole, about << said);
    if (cases_ % 16 == 0) BOOST_TEST(must(opened.check()).empty(), about);
    // If the log ends with a complete record, nothing shows the commits that are newer than an older TAIL.
    const bool is_exact = tail_ == Tail::newest;
    if (whole == died_.ends.size() || !is_exact) return;
    lost_ += died_.ends.size() - whole;
    BOOST_TEST(said.find(lost_by(whole)) != std::string::npos, about << said);
  }

  void expect_refused(const Error& error, std::uint64_t whole, const std::string& about) {
    ++cases_;
    ++refused_;
    lost_ += died_.ends.size() - whole;
    BOOST_TEST((error.code == ErrorCode::corruption), about << error.message);
    BOOST_TEST(whole < died_.ends.size(), about << error.message);
    for (const std::string& part : {lost_by(whole), std::string("`cairn check --repair`")})
      BOOST_TEST(error.message.find(part) != std::string::npos, about << error.message);
  }

  const Died died_;
  const Tail tail_;
  std::size_t cases_ = 0;
  std::size_t refused_ = 0;
  std::uint64_t lost_ = 0;
};

void run(Durability durability, Tail tail) {
  TornLogs logs(durability, tail);
  // Each of the three cases has a third of the positions, all of them together each byte.
  static std::size_t first = 0;
  logs.run_positions(test::rounds(24, looked_at / 3), first++);
  BOOST_TEST_MESSAGE(logs.told());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(torn_log)

BOOST_AUTO_TEST_CASE(synced_commits_are_missed_and_the_repair_is_named) {
  run(Durability::sync, Tail::newest);
}

BOOST_AUTO_TEST_CASE(commits_that_were_not_synced_are_told_with_their_number) {
  run(Durability::async, Tail::newest);
}

BOOST_AUTO_TEST_CASE(behind_a_power_cut_it_opens_with_what_is_whole) {
  run(Durability::sync, Tail::older);
}

BOOST_AUTO_TEST_SUITE_END()
