// Where the tables of a compaction end.
#include "engine/store/table_cuts.hpp"

#include <boost/test/unit_test.hpp>
#include <rocksdb/slice.h>

#include <memory>
#include <string>
#include <vector>

using cairn::engine::TableCuts;

namespace {

/// Passes keys to a new compaction. Returns them with a bar where a table ends before the next one.
std::string compacted(const TableCuts& cuts, const std::vector<std::string>& keys) {
  const auto partitioner = cuts.CreatePartitioner({});
  if (partitioner == nullptr) return "no cuts";
  std::string passed = keys.front();
  for (std::size_t i = 1; i < keys.size(); ++i) {
    const rocksdb::Slice before(keys[i - 1]), now(keys[i]);
    const bool ends =
        partitioner->ShouldPartition({before, now, 0}) == rocksdb::PartitionerResult::kRequired;
    passed += (ends ? "|" : " ") + keys[i];
  }
  return passed;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(table_cuts)

BOOST_AUTO_TEST_CASE(no_table_reaches_into_two_ranges_or_from_a_range_into_a_gap) {
  TableCuts cuts;
  cuts.set({{"c", "f"}, {"i", "k"}, {"l", "l"}});
  BOOST_TEST(compacted(cuts, {"a", "b", "c", "d", "f", "g", "h", "i", "k", "l", "m", "n"}) ==
             "a b|c d f|g h|i k|l|m n");
  BOOST_TEST(compacted(cuts, {"a", "d", "j", "z"}) == "a|d|j|z");
  BOOST_TEST(compacted(cuts, {"a", "h", "z"}) == "a|h|z");
  BOOST_TEST(compacted(cuts, {"fa", "g"}) == "fa g");
}

BOOST_AUTO_TEST_CASE(a_compaction_keeps_the_ranges_that_it_began_with) {
  TableCuts cuts;
  BOOST_TEST(compacted(cuts, {"a", "b"}) == "no cuts");
  cuts.set({{"b", "b"}});
  const auto running = cuts.CreatePartitioner({});
  cuts.clear();
  BOOST_TEST(compacted(cuts, {"a", "b"}) == "no cuts");
  const rocksdb::Slice before("a"), now("b");
  BOOST_TEST((running->ShouldPartition({before, now, 0}) == rocksdb::PartitionerResult::kRequired));
}

BOOST_AUTO_TEST_SUITE_END()
