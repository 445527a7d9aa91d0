#include "engine/store/memtable.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <thread>

using namespace cairn::engine;

namespace {

using Random = std::mt19937_64;

std::uint64_t below(Random& random, std::uint64_t bound) { return random() % bound; }

/// RocksDB's order: the user's key by its bytes, then the newer one first.
class InternalOrder final : public EntryComparator {
 public:
  int operator()(const char* a, const char* b) const override { return (*this)(a, decode_key(b)); }
  int operator()(const char* a, const rocksdb::Slice& b) const override {
    const rocksdb::Slice key = decode_key(a);
    const int order =
        rocksdb::Slice(key.data(), key.size() - 8).compare(rocksdb::Slice(b.data(), b.size() - 8));
    if (order != 0) return order;
    const std::uint64_t number = number_of(key), other = number_of(b);
    return number > other ? -1 : number < other ? 1 : 0;
  }

 private:
  static std::uint64_t number_of(const rocksdb::Slice& key) {
    std::uint64_t number = 0;
    std::memcpy(&number, key.data() + key.size() - 8, sizeof number);
    return number;
  }
};

std::string internal_key(const std::string& key, std::uint64_t number) {
  std::string bytes = key;
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  return bytes;
}

/// Keys with long, short and no common prefixes; some are prefixes of others, also before zero bytes.
std::string draw_key(Random& random) {
  static const std::string beginnings[] = {"", "a", "1234567890123456", std::string("a\0", 2),
                                           "12345678901234567890"};
  std::string key = beginnings[below(random, std::size(beginnings))];
  for (std::uint64_t i = below(random, 4); i > 0; --i) key += static_cast<char>(below(random, 3));
  return key;
}

/// A table and its expected content.
class Sample {
 public:
  void insert(const std::string& key) {
    keys_.push_back(internal_key(key, ++number_));
    const std::string& bytes = keys_.back();
    entries_.push_back(std::string(1, static_cast<char>(bytes.size())) + bytes + "value");
    runs_.insert(entries_.back().data());
    const auto place = std::lower_bound(sorted_.begin(), sorted_.end(), bytes, is_before);
    sorted_.insert(place, bytes);
  }
  void insert_batch(Random& random, std::uint64_t size) {
    std::vector<std::string> batch;
    for (std::uint64_t i = 0; i < size; ++i) batch.push_back(draw_key(random));
    std::sort(batch.begin(), batch.end());
    batch.erase(std::unique(batch.begin(), batch.end()), batch.end());
    for (const std::string& key : batch) insert(key);
  }

  static bool is_before(const std::string& a, const std::string& b) {
    const std::string entry = std::string(1, static_cast<char>(a.size())) + a;
    return InternalOrder()(entry.data(), rocksdb::Slice(b)) < 0;
  }
  /// The internal key that a cursor stands on, "" at the end.
  std::string at(const RunCursor& cursor) const {
    return cursor.valid() ? order_.decode_key(cursor.entry()).ToString() : std::string();
  }
  const MemtableRuns& runs() const { return runs_; }
  const std::vector<std::string>& sorted() const { return sorted_; }

 private:
  InternalOrder order_;
  MemtableRuns runs_{order_};
  std::deque<std::string> keys_, entries_;
  std::vector<std::string> sorted_;
  std::uint64_t number_ = 0;
};

/// A random key that a table of the sample might have.
std::string draw_target(Random& random) {
  return internal_key(draw_key(random), below(random, 2'000));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(memtable_runs)

BOOST_AUTO_TEST_CASE(all_entries_are_walked_in_order_both_ways) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Random random(seed);
    Sample sample;
    for (std::uint64_t i = below(random, 40); i > 0; --i)
      sample.insert_batch(random, 1 + below(random, 60));
    RunCursor cursor(sample.runs());
    std::vector<std::string> there, back;
    for (cursor.seek_first(); cursor.valid(); cursor.next()) there.push_back(sample.at(cursor));
    for (cursor.seek_last(); cursor.valid(); cursor.previous()) back.push_back(sample.at(cursor));
    std::reverse(back.begin(), back.end());
    BOOST_TEST((there == sample.sorted()), "seed " << seed);
    BOOST_TEST((back == sample.sorted()), "seed " << seed);
  }
}

BOOST_AUTO_TEST_CASE(steps_to_and_fro_and_seeks_are_those_of_one_sorted_list) {
  Random random(1);
  Sample sample;
  for (int i = 0; i < 50; ++i) sample.insert_batch(random, 1 + below(random, 40));
  const auto& sorted = sample.sorted();
  const auto size = static_cast<std::ptrdiff_t>(sorted.size());
  RunCursor cursor(sample.runs());
  std::ptrdiff_t place = size;
  std::uint64_t wrong = 0;
  for (int step = 0; step < 20'000; ++step) {
    const bool is_inside = place >= 0 && place < size;
    const std::string target = draw_target(random);
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), target, Sample::is_before);
    const auto rank = found - sorted.begin();
    switch (is_inside ? below(random, 8) : 7 + below(random, 2)) {
      case 7:
        cursor.seek(target);
        place = rank;
        break;
      case 8:
      case 0:
        cursor.seek_back(target);
        place = found != sorted.end() && *found == target ? rank : rank - 1;
        break;
      case 1:
      case 2:
      case 3:
        cursor.next();
        ++place;
        break;
      default:
        cursor.previous();
        --place;
    }
    const std::string expected =
        place >= 0 && place < size ? sorted[static_cast<std::size_t>(place)] : std::string();
    if (sample.at(cursor) != expected) ++wrong;
    if (cursor.count_below(target) != static_cast<std::uint64_t>(rank)) ++wrong;
  }
  BOOST_TEST(wrong == 0U);
}

BOOST_AUTO_TEST_CASE(of_one_key_the_newer_comes_first) {
  Sample sample;
  for (int i = 0; i < 20; ++i) sample.insert("key");
  RunCursor cursor(sample.runs());
  cursor.seek(internal_key("key", 12));
  BOOST_TEST(sample.at(cursor) == internal_key("key", 12));
  cursor.next();
  BOOST_TEST(sample.at(cursor) == internal_key("key", 11));
}

BOOST_AUTO_TEST_CASE(there_are_few_lists_whatever_the_order) {
  Random random(1);
  Sample sample;
  for (int i = 0; i < 3'000; ++i) sample.insert(draw_key(random));
  const auto runs = sample.runs().read();
  BOOST_TEST(runs->size() <= 8U);
  for (std::size_t i = 0; i + 2 < runs->size(); ++i)
    BOOST_TEST((*runs)[i]->size() >= 4 * (*runs)[i + 1]->size());
}

BOOST_AUTO_TEST_CASE(readers_beside_the_writer_find_what_was_there_before_and_order) {
  InternalOrder order;
  MemtableRuns runs(order);
  constexpr std::uint64_t most = 20'000;
  std::deque<std::string> entries;
  for (std::uint64_t i = 1; i <= most; ++i) {
    const std::string key = internal_key(std::to_string(i * 7'919 % 10'007), i);
    entries.push_back(std::string(1, static_cast<char>(key.size())) + key);
  }
  std::atomic<std::uint64_t> written = 0;
  std::uint64_t wrong = 0;
  std::thread reader([&] {
    for (std::uint64_t before = 0; before < most;) {
      before = written.load();
      RunCursor cursor(runs);
      std::uint64_t count = 0;
      const char* last = nullptr;
      for (cursor.seek_first(); cursor.valid(); cursor.next(), ++count) {
        if (last != nullptr && order(last, cursor.entry()) >= 0) ++wrong;
        last = cursor.entry();
      }
      if (count < before) ++wrong;
    }
  });
  for (const std::string& entry : entries) {
    runs.insert(entry.data());
    written.fetch_add(1);
  }
  reader.join();
  BOOST_TEST(wrong == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
