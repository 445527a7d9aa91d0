#include "engine/fulltext/text_memory_segment.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <random>

using namespace cairn;
using engine::SegmentMerge;
using engine::TextMemorySegment;
using engine::TextSegmentPtr;

namespace {

using Key = std::pair<std::string, std::uint64_t>;
using Postings = std::map<Key, codec::TextPostings>;

codec::TextPostings one(std::uint32_t length) {
  codec::TextPostings postings;
  postings.add(1, length, {0});
  return postings;
}

TextSegmentPtr to_segment(const Postings& postings, std::uint64_t documents) {
  codec::TextSegmentWriter writer(documents);
  for (const auto& [key, changes] : postings) writer.add(key.first, key.second, changes);
  return std::make_shared<const codec::TextSegment>(writer.finish());
}

TextMemorySegment log_of(std::size_t segments, std::uint64_t documents) {
  TextMemorySegment log;
  for (; segments > 0; --segments)
    log.add(to_segment({{{"\x01"
                          "tea",
                          0},
                         one(1)}},
                       documents));
  return log;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(text_log)

BOOST_AUTO_TEST_CASE(it_is_full_by_documents_by_segments_and_by_bytes) {
  BOOST_TEST(!log_of(63, 1).is_full());
  BOOST_TEST(log_of(64, 1).is_full());
  BOOST_TEST(!log_of(16, 1'000).is_full());
  BOOST_TEST(log_of(17, 1'000).is_full());
  TextMemorySegment log;
  codec::TextSegmentWriter writer(1);
  for (int i = 0; i < 40; ++i)
    writer.add("\x01" + std::to_string(100 + i) + std::string(120'000, 'x'), 0, one(1));
  log.add(std::make_shared<const codec::TextSegment>(writer.finish()));
  BOOST_TEST(log.is_full());
  log.clear();
  BOOST_TEST(!log.is_full());
}

BOOST_AUTO_TEST_CASE(what_has_come_behind_its_first_segments_is_a_quarter_of_full) {
  TextMemorySegment log = log_of(79, 1);
  BOOST_TEST(!log.is_quarter_full(64));
  log.add(log.segments().front());
  BOOST_TEST(log.is_quarter_full(64));
  BOOST_TEST(log_of(20, 1'024).is_quarter_full(16));
  BOOST_TEST(!log_of(19, 1'024).is_quarter_full(16));
  log.drop_first(64);
  BOOST_TEST(log.segments().size() == 16U);
  BOOST_TEST(log.documents() == 16U);
}

BOOST_AUTO_TEST_CASE(segments_are_walked_as_one_list_the_oldest_first_of_each_chunk) {
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  for (int round = 0; round < 40; ++round) {
    std::vector<TextSegmentPtr> segments;
    std::map<Key, std::vector<std::uint32_t>> all;  // the lengths tell who wrote
    for (std::uint32_t number = 1; number <= random() % 9; ++number) {
      Postings postings;
      for (std::size_t i = 1 + random() % 30; i > 0; --i)
        postings[{"\x01" + std::string(1 + random() % 3, "abc"[random() % 3]), random() % 2}] =
            one(number);
      for (const auto& [key, changes] : postings) all[key].push_back(number);
      segments.push_back(to_segment(postings, 1));
    }
    const std::string first = "\x01" + std::string(random() % 2, 'b');
    auto wanted = all.lower_bound({first, 0});
    SegmentMerge merge(segments, first);
    for (; merge.valid(); merge.next(), ++wanted) {
      if (wanted == all.end() || wanted->first != Key(merge.name(), merge.chunk()))
        BOOST_FAIL("seed " << seed);
      std::vector<std::uint32_t> lengths;
      for (const std::string_view operand : merge.operands())
        lengths.push_back(codec::decode_text_operand(operand).value().entries.front().length);
      if (lengths != wanted->second) BOOST_FAIL("seed " << seed);
    }
    BOOST_TEST((wanted == all.end()), "seed " << seed);
    std::size_t names = 0;
    for (SegmentMerge each(segments); each.valid(); each.next_name()) ++names;
    std::map<std::string, int> distinct;
    for (const auto& [key, numbers] : all) distinct[key.first] = 1;
    BOOST_TEST(names == distinct.size(), "seed " << seed);
  }
}

BOOST_AUTO_TEST_SUITE_END()
