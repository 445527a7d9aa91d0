#include "codec/text_segment.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <random>

using namespace cairn::codec;

namespace {

TextPostings one(std::uint16_t low) {
  TextPostings postings;
  postings.add(low, 3, {1});
  return postings;
}

/// The content of a segment, by name and chunk.
using Model = std::map<std::pair<std::string, std::uint64_t>, TextPostings>;

Model random_model(std::mt19937& random) {
  Model model;
  for (std::size_t i = random() % 200 + 1; i > 0; --i) {
    std::string name(1, static_cast<char>(1 + random() % 3));
    for (std::size_t letters = 1 + random() % 4; letters > 0; --letters)
      name += "abc\xff"[random() % 4];
    model[{name, random() % 3 << (random() % 46)}] =
        one(static_cast<std::uint16_t>(random() % text_chunk_ids));
  }
  return model;
}

TextSegment to_segment(const Model& model) {
  TextSegmentWriter writer(7);
  for (const auto& [key, postings] : model) writer.add(key.first, key.second, postings);
  return writer.finish();
}

bool is_same(const TextSegment& segment, const Model& model) {
  if (segment.size() != model.size()) return false;
  std::size_t i = 0;
  for (const auto& [key, postings] : model) {
    const TextSegmentEntry entry = segment[i++];
    if (entry.name != key.first || entry.chunk != key.second) return false;
    if (decode_text_operand(entry.operand).value() != postings) return false;
  }
  return true;
}

std::string entry_bytes(const std::string& name, std::string_view operand = "\x05\x08\x02") {
  std::string bytes(1, static_cast<char>(name.size()));
  bytes += name + '\0' + static_cast<char>(operand.size());
  return bytes += operand;
}

bool is_refused(const std::string& bytes) { return !TextSegment::decode(bytes).has_value(); }

}  // namespace

BOOST_AUTO_TEST_SUITE(text_segment)

BOOST_AUTO_TEST_CASE(what_was_written_is_read_back_and_found_by_name) {
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  for (int round = 0; round < 50; ++round) {
    const Model model = random_model(random);
    const TextSegment made = to_segment(model);
    const auto read = TextSegment::decode(made.bytes());
    BOOST_TEST_REQUIRE(read.has_value(), "seed " << seed);
    BOOST_TEST(read->documents() == 7U);
    if (!is_same(made, model) || !is_same(*read, model)) BOOST_FAIL("seed " << seed);
    const std::string name = random_model(random).begin()->first.first;
    const auto found = model.lower_bound({name, 0});
    const auto at = static_cast<std::size_t>(std::distance(model.begin(), found));
    if (read->lower_bound(name) != at) BOOST_FAIL("seed " << seed << ", " << name);
  }
}

BOOST_AUTO_TEST_CASE(what_no_commit_writes_is_refused) {
  const std::string head("\x01", 1);
  BOOST_TEST(!is_refused(head +
                         entry_bytes("\x01"
                                     "a") +
                         entry_bytes("\x01"
                                     "b")));
  BOOST_TEST(is_refused(""));
  BOOST_TEST(is_refused(head));  // of nothing there is no segment
  BOOST_TEST(is_refused(head +
                        entry_bytes("\x01"
                                    "b") +
                        entry_bytes("\x01"
                                    "a")));
  BOOST_TEST(is_refused(head +
                        entry_bytes("\x01"
                                    "a") +
                        entry_bytes("\x01"
                                    "a")));
  BOOST_TEST(is_refused(head + entry_bytes("\x01")));
  BOOST_TEST(is_refused(head + entry_bytes(std::string("\x01"
                                                       "a\0",
                                                       3))));
  BOOST_TEST(is_refused(head + entry_bytes(std::string("\0a", 2))));
  BOOST_TEST(is_refused(head + entry_bytes("\x01"
                                           "a",
                                           "")));
  const std::string whole = head + entry_bytes(
                                       "\x01"
                                       "a");
  for (std::size_t size = 0; size < whole.size(); ++size)
    BOOST_TEST(is_refused(whole.substr(0, size)), "first " << size << " bytes");
}

BOOST_AUTO_TEST_SUITE_END()
