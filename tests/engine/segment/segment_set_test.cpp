// Segments while commits continue: a reader of any commit sees the relationships of this commit, whichever thread
// builds segments.
#include "engine/segment/segment_set.hpp"

#include "codec/keys.hpp"
#include "codec/record.hpp"
#include "engine/segment/adjacency_segment.hpp"
#include "engine/segment/changed_ids.hpp"
#include "engine/segment/column_segment.hpp"
#include "engine/segment/segment_builder.hpp"
#include "engine/segment/slot_index.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <thread>
#include <vector>

using namespace cairn;
using namespace cairn::engine;
using test::must;

namespace {

constexpr std::uint64_t nodes = 50;
constexpr std::uint64_t lasting = 170;  // commits after which a relationship is erased
constexpr std::uint32_t property = 3;

/// A commit as readers hold it.
struct Published {
  std::uint64_t commit = 0;
  SnapshotPtr snapshot;
};

/// Commit c makes relationship c, from node c % 50 to node c, erases relationship c - 170, and gives node c % 50 the value c,
/// or none if c is a multiple of 7.
class History {
 public:
  History() { set_.begin(0); }
  ~History() { builder_.stop(); }

  void commit() {
    const std::uint64_t number = published()->commit + 1;
    StoreBatch batch(*store_);
    WriteSet write_set;
    const auto put = [&](Family family, const std::string& key, const std::string& value) {
      batch.put(family, key, value);
      write_set.put(family, key, value);
    };
    put(Family::adj_out, relationship_key(number), "");
    if (number > lasting) {
      batch.erase(Family::adj_out, relationship_key(number - lasting));
      write_set.erase(Family::adj_out, relationship_key(number - lasting));
    }
    codec::NodeRecord record;
    if (number % 7 != 0) record.properties.push_back({property, static_cast<std::int64_t>(number)});
    put(Family::nodes, codec::record_key(number % nodes), codec::encode_record(record));
    must(store_->write(batch, WriteMode::async));
    publish(number, write_set);
  }

  /// Makes a commit that changes nothing.
  void commit_nothing() { publish(published()->commit + 1, WriteSet()); }

  [[nodiscard]] std::shared_ptr<const Published> published() const {
    const std::lock_guard lock(mutex_);
    return published_;
  }

  /// Compares each list that the segment knows. Returns whether there was a segment.
  bool read(const std::shared_ptr<const Published>& at, const SegmentNeed& need) {
    const AdjacencyView view =
        set_.adjacency(true, {*at->snapshot, at->commit, need, at->commit, at});
    if (!view) return false;
    for (std::uint64_t node = 0; node < nodes; ++node) {
      if (!view.knows(node)) continue;
      std::vector<std::uint64_t> expected;
      for (std::uint64_t number = at->commit < lasting ? 1 : at->commit - lasting + 1;
           number <= at->commit; ++number)
        if (number % nodes == node) expected.push_back(number);
      if (!std::ranges::equal(view.segment->list(node, 1).relationships, expected)) ++wrong_;
    }
    return true;
  }

  /// Compares each value that the column knows. Returns whether there was one.
  bool read_values(const std::shared_ptr<const Published>& at, const SegmentNeed& need) {
    const ColumnView view = set_.column(codec::EntityKind::node, property,
                                        {*at->snapshot, at->commit, need, nodes, at});
    if (!view) return false;
    for (std::uint64_t node = 0; node < nodes; ++node) {
      const std::uint64_t past = (at->commit + nodes - node) % nodes;  // commits since it was set
      const std::uint64_t last = at->commit < past ? 0 : at->commit - past;
      Value expected;
      if (last % 7 != 0) expected = static_cast<std::int64_t>(last);
      Value value;
      if (view.knows(node) && (!view.segment->read(node, value) || value != expected)) ++wrong_;
    }
    return true;
  }

  [[nodiscard]] std::size_t wrong() const noexcept { return wrong_; }
  [[nodiscard]] SegmentSet& set() noexcept { return set_; }

 private:
  void publish(std::uint64_t number, const WriteSet& write_set) {
    auto next = std::make_shared<const Published>(Published{number, store_->snapshot()});
    set_.follow(number, write_set);
    const std::lock_guard lock(mutex_);
    published_ = std::move(next);
  }
  static std::string relationship_key(std::uint64_t number) {
    return codec::adjacency_key({number % nodes, 1, number, number});
  }

  test::TemporaryDirectory directory_;
  std::unique_ptr<RocksStore> store_ = must(RocksStore::open(directory_.path() / "store", {}));
  SegmentBuilder builder_;
  SegmentSet set_{
      *store_, Segments::automatic, std::size_t{1} << 20, {}, [this](SegmentBuilder::Job job) {
        return builder_.add(std::move(job));
      }};
  mutable std::mutex mutex_;  // guards published_
  std::shared_ptr<const Published> published_ =
      std::make_shared<const Published>(Published{0, store_->snapshot()});
  std::atomic<std::size_t> wrong_ = 0;
};

/// The number of changed ids that the only segment does not know.
std::size_t changed_of(const SegmentSet& set) {
  const auto all = set.describe();
  return all.size() == 1 ? all.front().changed : std::numeric_limits<std::size_t>::max();
}

const SegmentNeed by_many{1'000, 0};  // who has spent little, beside others that have spent a lot
const SegmentNeed by_one{1'000, 1'000'000};  // who has spent a lot

}  // namespace

BOOST_AUTO_TEST_SUITE(segment_set)

BOOST_AUTO_TEST_CASE(readers_see_their_commit_while_segments_are_built) {
  History history;
  for (int i = 0; i < 100; ++i) history.commit();
  std::atomic<bool> ends = false;
  std::atomic<std::size_t> found = 0, found_values = 0;
  std::vector<std::jthread> readers;
  for (int reader = 0; reader < 2; ++reader)
    readers.emplace_back([&, reader] {
      std::vector<std::shared_ptr<const Published>> held;
      while (!ends) {
        const auto now = history.published();
        if (history.read(now, reader == 0 ? by_many : by_one)) ++found;
        if (history.read_values(now, reader == 0 ? by_one : by_many)) ++found_values;
        held.push_back(now);
        if (held.size() > 20) held.erase(held.begin());
        for (const auto& one : held) {
          if (history.read(one, by_many)) ++found;
          if (history.read_values(one, by_many)) ++found_values;
        }
      }
    });
  // More changes than a segment follows, so that it goes or is built again.
  for (int i = 0; i < 3'000; ++i) history.commit();
  while (found == 0 || found_values == 0) history.commit();
  ends = true;
  readers.clear();
  BOOST_TEST(history.wrong() == 0U);
}

BOOST_AUTO_TEST_CASE(who_has_spent_enough_builds_and_others_let_build) {
  History history;
  for (int i = 0; i < 10; ++i) history.commit();
  BOOST_TEST(!history.read(history.published(), {1, 1}));
  BOOST_TEST(history.read(history.published(), by_one));
  History other;
  for (int i = 0; i < 10; ++i) other.commit();
  BOOST_TEST(!other.read(other.published(), by_many));
  while (!other.read(other.published(), {})) std::this_thread::yield();
  BOOST_TEST(history.wrong() + other.wrong() == 0U);
}

// Commits go on while a statement reads, so that few statements read the newest one.
BOOST_AUTO_TEST_CASE(a_reader_of_an_older_commit_builds_for_earlier_and_later_ones) {
  History history;
  for (int i = 0; i < 10; ++i) history.commit();
  BOOST_TEST(!history.read(history.published(), {1, 1}));  // from here on changes are noted
  std::vector<std::shared_ptr<const Published>> held;
  for (int i = 0; i < 60; ++i) {
    held.push_back(history.published());
    history.commit();
  }
  BOOST_TEST(history.read(held[30], by_one));
  BOOST_TEST(changed_of(history.set()) == 30U);
  for (const auto& one : held) BOOST_TEST(history.read(one, {}));
  BOOST_TEST(history.read(history.published(), {}));
  BOOST_TEST(history.wrong() == 0U);
}

BOOST_AUTO_TEST_CASE(a_segment_is_built_again_once_changed_records_have_cost_as_much) {
  History history;
  for (int i = 0; i < 100; ++i) history.commit();
  BOOST_TEST(history.read(history.published(), by_one));
  const auto older = history.published();
  for (int i = 0; i < 20; ++i) history.commit();
  BOOST_TEST(history.read(history.published(), {50, 50}));  // too little yet
  BOOST_TEST(changed_of(history.set()) == 20U);
  BOOST_TEST(history.read(history.published(), by_many));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (changed_of(history.set()) != 0 && std::chrono::steady_clock::now() < end)
    BOOST_TEST(history.read(history.published(), {}));
  BOOST_TEST(changed_of(history.set()) == 0U);
  BOOST_TEST(history.read(older, {}));
  BOOST_TEST(history.wrong() == 0U);
}

// A segment that has no changed ids gains nothing by a build.
BOOST_AUTO_TEST_CASE(a_segment_without_changes_is_not_built_again) {
  History history;
  for (int i = 0; i < 100; ++i) history.commit();
  const auto segment_of = [&] {
    const auto now = history.published();
    return history.set().adjacency(true, {*now->snapshot, now->commit, by_one, now->commit, now});
  };
  const AdjacencyView first = segment_of();
  BOOST_TEST((segment_of().segment == first.segment));
  history.commit_nothing();
  BOOST_TEST((segment_of().segment == first.segment));
  history.commit();
  BOOST_TEST((segment_of().segment != first.segment));
}

BOOST_AUTO_TEST_CASE(changed_ids_are_those_between_two_commits) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20; ++round) {
    ChangedIds log;
    std::vector<std::vector<std::uint64_t>> all(1);  // by commit
    log.begin(0);
    UnknownIds unknown(
        std::make_shared<const codec::Bitmap>(codec::Bitmap::from_unsorted({1'000})));
    const std::uint64_t segment = 10;
    std::uint64_t begin = 0;
    for (std::uint64_t commit = 1; commit <= 60; ++commit) {
      std::vector<std::uint64_t> ids(random() % 4);
      for (std::uint64_t& id : ids) id = random() % 100;
      all.push_back(ids);
      log.add(commit, ids);
      if (commit == 40) log.drop_until(begin = random() % 10);
      if (commit < segment || random() % 2 == 0) continue;
      const std::uint64_t reader = begin + random() % (commit + 1 - begin);
      std::set<std::uint64_t> expected = {1'000};
      std::size_t count = 0;
      for (std::uint64_t at = std::min(segment, reader) + 1; at <= std::max(segment, reader);
           ++at) {
        expected.insert(all[at].begin(), all[at].end());
        count += all[at].size();
      }
      BOOST_REQUIRE(log.count(reader, segment) == count);
      BOOST_TEST_REQUIRE(unknown.as_of(log, segment, reader)->to_vector() ==
                             std::vector(expected.begin(), expected.end()),
                         boost::test_tools::per_element());
    }
    BOOST_TEST(log.covers(begin));
    BOOST_TEST((begin == 0 || !log.covers(begin - 1)));
    const std::size_t half = log.count(begin, 60) / 2;
    log.trim(half, std::numeric_limits<std::size_t>::max());
    std::uint64_t first = 0;
    while (!log.covers(first)) ++first;
    BOOST_TEST(log.count(first, 60) <= half);
    log.trim(half, 0);
    BOOST_TEST((log.memory_bytes() == 0U && log.covers(60)));
  }
}

// The list of the files may name any number of ids.
BOOST_AUTO_TEST_CASE(a_log_takes_no_more_memory_than_segments_may) {
  const test::TemporaryDirectory directory;
  const auto store = must(RocksStore::open(directory.path() / "store", {}));
  constexpr std::size_t most = std::size_t{1} << 20;
  SegmentSet set(*store, Segments::automatic, most, {});
  constexpr std::uint64_t commits = 100;
  set.begin(commits);
  codec::SegmentFileEntry file;
  file.source = codec::SegmentSource::outgoing;
  file.ids = std::uint64_t{1} << 60;
  set.offer({file}, nullptr);
  codec::SegmentChanges changes;
  for (std::uint64_t id = 0; id < 10'000; ++id)
    changes.ids[codec::position(file.source)].push_back(id);
  for (std::uint64_t commit = 1; commit <= commits; ++commit) {
    set.catch_up(commit, changes);
    BOOST_TEST_REQUIRE(set.memory_bytes() <= most);
  }
  set.end_catching_up(0, std::nullopt);
  BOOST_TEST(set.files().empty());
}

BOOST_AUTO_TEST_CASE(a_stopped_builder_takes_no_jobs) {
  std::atomic<int> ran = 0;
  SegmentBuilder builder;
  BOOST_TEST(builder.add([&](const std::stop_token&) { ++ran; }));
  while (ran == 0) std::this_thread::yield();
  BOOST_TEST(builder.add([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
    ++ran;
  }));
  builder.stop();
  BOOST_TEST(!builder.add([&](const std::stop_token&) { ++ran; }));
  BOOST_TEST(ran <= 2);
}

BOOST_AUTO_TEST_CASE(slots_are_found_in_lists_and_among_bits) {
  std::mt19937_64 random(9);
  for (const std::size_t count : {0U, 1U, 511U, 512U, 5'000U, 65'536U}) {
    std::set<std::uint16_t> slots;
    while (slots.size() < count) slots.insert(static_cast<std::uint16_t>(random()));
    const SlotIndex index(std::vector<std::uint16_t>(slots.begin(), slots.end()));
    BOOST_TEST(index.empty() == slots.empty());
    for (int i = 0; i < 200; ++i) {
      const auto first = static_cast<std::uint16_t>(random());
      const std::size_t length = 1 + random() % 5;
      bool are_all = first + length <= 65'536;
      for (std::size_t slot = first; slot < first + length; ++slot)
        are_all = are_all && slots.contains(static_cast<std::uint16_t>(slot));
      const auto run = index.find_run(first, length);
      // Lists are not asked for runs.
      BOOST_REQUIRE(run.has_value() == (are_all && count >= 512));
      if (run) BOOST_REQUIRE(run == index.find(first));
    }
    std::vector<std::uint64_t> present;
    for (const std::uint16_t slot : slots) present.push_back(65'536U * 3 + slot);
    std::ranges::shuffle(present, random);
    std::vector<std::uint32_t> positions(present.size() + 1);
    // Lists are not asked for many slots.
    BOOST_REQUIRE(index.find_all(present, positions) == (count >= 512));
    for (std::size_t i = 0; i < present.size() && count >= 512; ++i)
      BOOST_REQUIRE(positions[i] == index.find(static_cast<std::uint16_t>(present[i])));
    std::uint64_t absent = 0;
    while (absent < 65'536 && slots.contains(static_cast<std::uint16_t>(absent))) ++absent;
    present.push_back(absent);
    if (absent < 65'536) BOOST_REQUIRE(!index.find_all(present, positions));
    std::size_t place = 0;
    for (std::uint32_t slot = 0; slot < 65'536; ++slot) {
      const bool is_there = slots.contains(static_cast<std::uint16_t>(slot));
      const auto found = index.find(static_cast<std::uint16_t>(slot));
      BOOST_REQUIRE(found.has_value() == is_there);
      if (is_there) BOOST_REQUIRE(*found == place++);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
