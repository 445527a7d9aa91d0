// Columns of properties, compared with a map of the values that were stored.
#include "engine/segment/column_segment.hpp"

#include "codec/bitmap.hpp"
#include "codec/keys.hpp"
#include "codec/record.hpp"
#include "engine/store/store_batch.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace cairn;
using namespace cairn::engine;
using test::must;
using Words = ColumnSegment::Words;

namespace {

constexpr std::uint32_t key = 7;
constexpr std::size_t no_bound = std::numeric_limits<std::size_t>::max();
const std::function<bool()> goes_on;

std::string bytes_of(const ColumnSegment& segment) {
  std::string bytes;
  segment.append_to(bytes);
  return bytes;
}

/// The column as a file gives it back.
ColumnSegment::Ptr read_back(const ColumnSegment::Ptr& built) {
  if (built == nullptr) return nullptr;
  const std::string bytes = bytes_of(*built);
  auto read = must(ColumnSegment::read(bytes, no_bound));
  BOOST_TEST_REQUIRE(bytes_of(*read) == bytes);
  BOOST_TEST_REQUIRE(read->ids() == built->ids());
  return read;
}

/// The values of a property by id, and the column of them, as a file gives it back. A null stands for a record
/// without the property.
class Column {
 public:
  explicit Column(const std::map<std::uint64_t, Value>& values, std::size_t most_bytes = no_bound,
                  const std::function<bool()>& asked = goes_on)
      : values_(values) {
    write(values);
    segment_ = read_back(must(ColumnSegment::build(
        *store_, *store_->snapshot(), codec::EntityKind::node, key, {most_bytes, asked})));
  }

  /// Changes some values, and makes a newer column of the earlier one. Erases the records of `erased`.
  void update(const std::map<std::uint64_t, Value>& values,
              const std::vector<std::uint64_t>& erased = {}, std::size_t most_bytes = no_bound) {
    write(values);
    StoreBatch batch(*store_);
    std::vector<std::uint64_t> changed = erased;
    for (const std::uint64_t id : erased) {
      batch.erase(Family::nodes, codec::record_key(id));
      values_[id] = Value();
    }
    must(store_->write(batch, WriteMode::async));
    for (const auto& [id, value] : values) {
      changed.push_back(id);
      if (std::ranges::find(erased, id) == erased.end()) values_[id] = value;
    }
    segment_ = read_back(must(segment_->updated(
        *store_, *store_->snapshot(), codec::EntityKind::node, key,
        codec::Bitmap::from_unsorted(std::move(changed)), {most_bytes, goes_on})));
  }

  /// The number of ids with a value.
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(values_, [](const auto& one) { return !one.second.is_null(); }));
  }

  [[nodiscard]] const ColumnSegment* segment() const { return segment_.get(); }

  /// The value of an id: null if it is absent or has no value.
  [[nodiscard]] Value stored(std::uint64_t id) const {
    const auto found = values_.find(id);
    return found == values_.end() ? Value() : found->second;
  }

  /// Compares read() with the map, also for ids between and after the stored ones. Returns how many values are left to
  /// the records.
  [[nodiscard]] std::size_t compare() const {
    std::size_t left = 0;
    std::vector<std::uint64_t> ids{0, 65'535, 65'536, 1'000'000};
    for (const auto& [id, value] : values_) ids.insert(ids.end(), {id, id + 1});
    for (const std::uint64_t id : ids) {
      Value value("unchanged");
      if (segment_->read(id, value))
        BOOST_TEST_REQUIRE((value == stored(id)), "id " << id);
      else
        BOOST_TEST_REQUIRE((++left != 0 && !stored(id).is_null() && value == Value("unchanged")));
    }
    return left;
  }

  /// Compares read_words() with the map.
  void compare_words(const std::vector<std::uint64_t>& ids, const codec::Bitmap* changed) const {
    Words words;
    BOOST_TEST_REQUIRE(segment_->read_words(ids, changed, words));
    BOOST_TEST_REQUIRE(words.words.size() == ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const bool is_changed = changed != nullptr && changed->contains(ids[i]);
      const bool is_left = std::ranges::find(words.left, i) != words.left.end();
      const bool is_missing = !words.missing.empty() && words.missing[i] != 0;
      Value read;
      const bool is_in_record = is_changed || !segment_->read(ids[i], read);
      BOOST_TEST_REQUIRE(is_left == is_in_record);
      BOOST_TEST_REQUIRE(is_missing == (is_left || read.is_null()));
      if (!is_missing) BOOST_TEST_REQUIRE((of(words, i) == stored(ids[i])), "id " << ids[i]);
    }
  }

 private:
  void write(const std::map<std::uint64_t, Value>& values) {
    StoreBatch batch(*store_);
    for (const auto& [id, value] : values) {
      codec::NodeRecord record;
      record.properties.push_back({key - 1, Value("another property")});
      if (!value.is_null()) record.properties.push_back({key, value});
      batch.put(Family::nodes, codec::record_key(id), codec::encode_record(record));
    }
    must(store_->write(batch, WriteMode::async));
  }

  static Value of(const Words& words, std::size_t i) {
    const std::uint64_t word = words.words[i];
    if (words.form == Words::Form::integers) return static_cast<std::int64_t>(word);
    if (words.form == Words::Form::floats) return std::bit_cast<double>(word);
    return (*words.dictionary)[word];
  }

  std::map<std::uint64_t, Value> values_;
  test::TemporaryDirectory directory_;
  std::unique_ptr<RocksStore> store_ = must(RocksStore::open(directory_.path() / "store", {}));
  ColumnSegment::Ptr segment_;
};

/// Values of ids in three chunks: a full run, every third id, and a few ids.
template <class Make>
std::map<std::uint64_t, Value> values_of(const Make& make) {
  std::map<std::uint64_t, Value> values;
  for (std::uint64_t id = 100; id < 2'100; ++id) values.emplace(id, make(id));
  for (std::uint64_t id = 65'536; id < 69'536; id += 3) values.emplace(id, make(id));
  for (std::uint64_t id = 200'000; id < 200'010; ++id) values.emplace(id, make(id));
  return values;
}

/// Lists of ids as operators ask for them: consecutive ones, repeated ones, ids in any order, and absent ids.
std::vector<std::vector<std::uint64_t>> lists_of_ids() {
  test::ValueGenerator random(3);
  std::vector<std::vector<std::uint64_t>> lists(6);
  for (std::uint64_t id = 200; id < 900; ++id) lists[0].push_back(id);
  for (std::uint64_t id = 200; id < 500; ++id) lists[1].insert(lists[1].end(), {id, id, id});
  for (int i = 0; i < 900; ++i) lists[2].push_back(100 + random.below(2'000));
  for (int i = 0; i < 900; ++i) lists[3].push_back(random.below(210'000));
  for (std::uint64_t id = 65'500; id < 65'700; ++id) lists[4].push_back(id);
  lists[5] = {300, 302, 302, 303};  // as many as the ids from the first to the last
  return lists;
}

void compare_all(const Column& column) {
  const auto changed =
      codec::Bitmap::from_unsorted({0, 150, 250, 251, 301, 65'536, 65'540, 200'001});
  for (const auto& ids : lists_of_ids()) {
    column.compare_words(ids, nullptr);
    column.compare_words(ids, &changed);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(column_segment)

BOOST_AUTO_TEST_CASE(integers_of_each_width_are_read_back) {
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  constexpr auto greatest = std::numeric_limits<std::int64_t>::max();
  for (const std::uint64_t range :
       {std::uint64_t{0}, std::uint64_t{255}, std::uint64_t{256}, std::uint64_t{65'535},
        std::uint64_t{65'536}, std::uint64_t{4'294'967'295}, std::uint64_t{4'294'967'296},
        std::uint64_t{greatest}})
    for (const std::int64_t base : {least, std::int64_t{-100}, std::int64_t{0}}) {
      const auto top = static_cast<std::int64_t>(static_cast<std::uint64_t>(base) + range);
      const Column column(
          values_of([&](std::uint64_t id) { return Value(id % 2 == 0 ? base : top); }));
      BOOST_TEST_REQUIRE(column.segment() != nullptr);
      BOOST_TEST(column.compare() == 0U);
      compare_all(column);
    }
  const Column column({{1, least}, {2, greatest}, {3, 0}});
  BOOST_TEST(column.compare() == 0U);
}

// A batch looks only at the changed ids from its least to its greatest id.
BOOST_AUTO_TEST_CASE(changed_ids_at_the_ends_of_a_batch_are_left_to_the_records) {
  const Column column(
      values_of([](std::uint64_t id) { return Value(static_cast<std::int64_t>(id)); }));
  const std::vector<std::vector<std::uint64_t>> batches = {
      {200, 201, 202}, {202, 200, 201}, {200}, {65'534, 65'536, 65'539}};
  for (const auto& ids : batches)
    for (const std::uint64_t id :
         {199UL, 200UL, 201UL, 202UL, 203UL, 65'534UL, 65'535UL, 65'536UL, 65'539UL, 131'272UL}) {
      const auto changed = codec::Bitmap::from_unsorted({id});
      column.compare_words(ids, &changed);
    }
}

BOOST_AUTO_TEST_CASE(floats_are_read_back) {
  const Column column(
      values_of([](std::uint64_t id) { return Value(static_cast<double>(id) / 7); }));
  BOOST_TEST(column.compare() == 0U);
  compare_all(column);
}

// Each chunk has texts of its own, so that their codes differ until all chunks share one dictionary.
BOOST_AUTO_TEST_CASE(few_texts_and_booleans_become_codes_of_one_dictionary) {
  const Column texts(values_of(
      [](std::uint64_t id) { return Value("text " + std::to_string((id >> 16) + id % 2)); }));
  BOOST_TEST(texts.compare() == 0U);
  compare_all(texts);
  const Column flags(values_of([](std::uint64_t id) { return Value(id % 5 == 0); }));
  BOOST_TEST(flags.compare() == 0U);
  compare_all(flags);
}

// The text "true" and the boolean have different codes, though both may be in the dictionary.
BOOST_AUTO_TEST_CASE(a_text_that_looks_like_a_boolean_is_a_text) {
  const Column column(values_of([](std::uint64_t id) {
    if (id < 65'536) return Value("true");
    return Value(id % 2 == 0);
  }));
  BOOST_TEST(column.compare() == 0U);
  compare_all(column);
}

BOOST_AUTO_TEST_CASE(many_texts_are_read_but_do_not_fit_into_words) {
  const Column column(values_of([](std::uint64_t id) {
    return Value(id % 10 == 0 ? std::string() : "text " + std::to_string(id));
  }));
  BOOST_TEST(column.compare() == 0U);
  Words words;
  const std::vector<std::uint64_t> ids{100, 101};
  BOOST_TEST(!column.segment()->read_words(ids, nullptr, words));
}

BOOST_AUTO_TEST_CASE(chunks_of_different_types_do_not_fit_into_the_same_words) {
  const Column column(values_of([](std::uint64_t id) {
    return id < 65'536 ? Value(static_cast<std::int64_t>(id)) : Value(0.5);
  }));
  BOOST_TEST(column.compare() == 0U);
  Words both, one;
  BOOST_TEST(!column.segment()->read_words(std::vector<std::uint64_t>{100, 65'536}, nullptr, both));
  BOOST_TEST(column.segment()->read_words(std::vector<std::uint64_t>{65'536}, nullptr, one));
}

BOOST_AUTO_TEST_CASE(values_of_another_type_and_large_ones_are_left_to_the_records) {
  std::size_t others = 0;
  const auto values = values_of([&](std::uint64_t id) {
    if (id % 4 != 1) return Value(static_cast<std::int64_t>(id));
    ++others;
    if (id % 3 == 0) return Value(std::string(600, 'x'));
    return id % 3 == 1 ? Value(List{1, 2}) : Value(1.0);
  });
  const Column column(values);
  BOOST_TEST_REQUIRE(column.segment() != nullptr);
  BOOST_TEST(column.segment()->ids() == values.size());
  BOOST_TEST(column.compare() >= others);
  compare_all(column);
}

BOOST_AUTO_TEST_CASE(a_record_without_the_property_reads_as_null) {
  const Column column(values_of([](std::uint64_t id) {
    return id % 2 == 0 ? Value() : Value(static_cast<std::int64_t>(id));
  }));
  BOOST_TEST(column.compare() == 0U);
  compare_all(column);
}

// Values change and come and go, some with other types, in chunks that had none, or far away.
BOOST_AUTO_TEST_CASE(an_updated_column_has_the_values_of_the_records) {
  test::ValueGenerator random(test::test_seed());
  const std::vector<std::function<Value()>> makers = {
      [&] { return Value(static_cast<std::int64_t>(random.below(300))); },
      [&] { return Value("text " + std::to_string(random.below(20))); },
      [&] { return Value("text " + std::to_string(random.below(100'000))); },
      [&] { return Value(random.below(2) == 0); },
      [&] { return Value(static_cast<double>(random.below(1'000)) / 8); }};
  for (const auto& make : makers) {
    Column column(values_of([&](std::uint64_t) { return make(); }));
    for (int round = 0; round < 12; ++round) {
      std::map<std::uint64_t, Value> values;
      for (int i = 0; i < 60; ++i) {
        const std::uint64_t id = random.below(5) * 65'536 + random.below(2'500);
        const std::uint64_t sort = random.below(10);
        values[id] = sort == 0   ? Value()
                     : sort == 1 ? Value(List{1})
                     : sort == 2 ? makers[random.below(makers.size())]()
                     : sort == 3 ? Value(static_cast<std::int64_t>(random.below(1'000) << 40))
                                 : make();
      }
      column.update(values, {values.begin()->first, 200 + random.below(900)});
      BOOST_TEST_REQUIRE((column.segment() != nullptr));
      BOOST_TEST(column.segment()->ids() == column.count());
      // Few values are of another type than most.
      BOOST_TEST(column.compare() < column.count() / 4);
    }
  }
}

// Such values are put into the chunk as it is.
BOOST_AUTO_TEST_CASE(an_update_takes_values_of_the_form_of_their_chunk) {
  test::ValueGenerator random(test::test_seed());
  const std::vector<std::function<Value()>> makers = {
      [&] { return Value(static_cast<std::int64_t>(random.below(300)) - 100); },
      [&] { return Value(static_cast<std::int64_t>(random.below(2) << 63) + 1); },
      [&] { return Value("text " + std::to_string(random.below(20))); },
      [&] { return Value("text " + std::to_string(random.below(100'000))); },
      [&] { return Value(random.below(2) == 0); },
      [&] { return Value(static_cast<double>(random.below(1'000)) / 8); }};
  for (const auto& make : makers) {
    Column column(values_of([&](std::uint64_t) { return make(); }));
    for (int round = 0; round < 12; ++round) {
      std::map<std::uint64_t, Value> values;
      for (int i = 0; i < 60; ++i) {
        const std::uint64_t id = random.below(3) * 65'536 + random.below(2'500);
        values[id] = round % 3 == 0 || random.below(4) == 0 ? Value() : make();
      }
      column.update(values, {values.begin()->first, 200 + random.below(900)});
      BOOST_TEST_REQUIRE((column.segment() != nullptr));
      BOOST_TEST(column.segment()->ids() == column.count());
      BOOST_TEST(column.compare() == 0U);
    }
    std::vector<std::uint64_t> all;
    for (std::uint64_t id = 0; id < 65'536; ++id) all.push_back(id);
    column.update({}, all);
    BOOST_TEST(column.segment()->ids() == column.count());
    BOOST_TEST(column.compare() == 0U);
  }
}

BOOST_AUTO_TEST_CASE(an_update_keeps_the_codes_of_texts_and_adds_others) {
  const auto text = [](std::uint64_t id) { return Value("text " + std::to_string(id % 2)); };
  Column column(values_of(text));
  std::map<std::uint64_t, Value> values;
  for (std::uint64_t id = 300'000; id < 300'100; ++id) values[id] = "new " + std::to_string(id % 3);
  for (std::uint64_t id = 65'536; id < 65'600; ++id) values[id] = "new 1";
  column.update(values);
  BOOST_TEST(column.compare() == 0U);
  compare_all(column);
  Words words;
  BOOST_TEST_REQUIRE(column.segment()->read_words(
      std::vector<std::uint64_t>{100, 65'536, 300'000, 300'001}, nullptr, words));
  BOOST_TEST((words.form == Words::Form::codes));
  BOOST_TEST(words.dictionary->size() == 5U);
}

BOOST_AUTO_TEST_CASE(an_update_ends_at_its_bounds_and_where_most_values_stay_with_their_records) {
  const auto integer = [](std::uint64_t id) { return Value(static_cast<std::int64_t>(id)); };
  Column small(values_of(integer));
  small.update({{std::uint64_t{1} << 40, 1}}, {}, 1'000'000);
  BOOST_TEST((small.segment() == nullptr));
  Column lists(values_of(integer));
  lists.update(values_of([](std::uint64_t) { return Value(List{1}); }));
  BOOST_TEST((lists.segment() == nullptr));
}

BOOST_AUTO_TEST_CASE(no_column_is_built_where_most_values_stay_with_their_records) {
  const auto lists = [](std::uint64_t from) {
    return values_of([=](std::uint64_t id) { return id >= from ? Value(List{1}) : Value(1); });
  };
  BOOST_TEST(Column(lists(0)).segment() == nullptr);
  BOOST_TEST(Column(lists(65'536)).segment() != nullptr);
  BOOST_TEST(Column({}).segment() != nullptr);
}

BOOST_AUTO_TEST_CASE(a_build_ends_at_its_bounds) {
  const auto values =
      values_of([](std::uint64_t id) { return Value(static_cast<std::int64_t>(id)); });
  const std::size_t bytes = Column(values).segment()->memory_bytes();
  BOOST_TEST(Column(values, 2 * bytes).segment() != nullptr);
  BOOST_TEST(Column(values, bytes / 2).segment() == nullptr);
  BOOST_TEST(Column({{std::uint64_t{1} << 40, 1}}, 1'000'000).segment() == nullptr);
  int calls = 0;
  BOOST_TEST(Column(values, no_bound, [&] { return ++calls < 2; }).segment() == nullptr);
  BOOST_TEST(calls == 2);
}

BOOST_AUTO_TEST_CASE(a_damaged_column_is_refused_or_reads_as_one) {
  // All forms: integers, floats, codes of the shared dictionary, texts, and escaped values.
  const auto value_of = [](std::uint64_t id) -> Value {
    if (id < 65'536) return static_cast<std::int64_t>(id * id);
    if (id < 131'072) return id % 2 == 0;
    return "text " + std::to_string(id);
  };
  auto values = values_of(value_of);
  values[101] = "escaped";
  for (std::uint64_t id = 300'000; id < 300'010; ++id) values[id] = 0.5;
  const Column column(values);
  const std::string bytes = bytes_of(*column.segment());
  test::ValueGenerator random(5);
  for (std::size_t i = 0; i < bytes.size(); i += i < 100 ? 1 : 97) {
    BOOST_TEST_REQUIRE(!ColumnSegment::read(bytes.substr(0, i), no_bound), "cut at " << i);
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << random.below(8)));
    const auto read = ColumnSegment::read(damaged, std::size_t{1} << 24);
    if (!read || *read == nullptr) continue;
    Value value;
    for (const auto& [id, ignored] : values) static_cast<void>((*read)->read(id, value));
  }
  BOOST_TEST(!ColumnSegment::read(bytes + "x", no_bound));
}

BOOST_AUTO_TEST_CASE(a_column_over_the_bound_is_not_read) {
  const Column column(values_of([](std::uint64_t id) { return static_cast<std::int64_t>(id); }));
  const std::string bytes = bytes_of(*column.segment());
  BOOST_TEST((must(ColumnSegment::read(bytes, 1'000)) == nullptr));
  BOOST_TEST((must(ColumnSegment::read(bytes, column.segment()->memory_bytes())) != nullptr));
}

BOOST_AUTO_TEST_CASE(a_column_has_these_bytes_in_a_file) {
  const Column column({{5, Value(300)}, {6, Value(301)}, {7, Value(true)}});
  using namespace std::string_literals;
  const std::string expected =
      "\x03\0\0\0\0\0\0\0"        // ids
      "\x01\x07\0"                // escaped: one run, from 7 on, no more
      "\x01\0\0\0\0"              // the shared dictionary, without values
      "\x01\0\0\0\x01"            // one chunk, of integers
      "\0\x02\0\0\0\x05\0\x06\0"  // slots 5 and 6
      "\x01\x2c\x01\0\0\0\0\0\0"  // one byte each in memory, above 300
      "\0\x01\x02"s;              // 0 and 1, a bit each
  BOOST_TEST((bytes_of(*column.segment()) == expected));
}

BOOST_AUTO_TEST_SUITE_END()
