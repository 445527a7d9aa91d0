#include "codec/text_posting.hpp"

#include "codec/keys.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <random>

using namespace cairn::codec;

namespace {

using Model = std::map<std::uint16_t, std::pair<std::uint32_t, std::vector<std::uint32_t>>>;

TextPostings to_postings(const Model& model) {
  TextPostings postings;
  for (const auto& [low, entry] : model) {
    if (entry.second.empty())
      postings.remove(low);
    else
      postings.add(low, entry.first, entry.second);
  }
  return postings;
}

std::uint32_t draw(std::mt19937& random, std::uint32_t bound) {
  return static_cast<std::uint32_t>(random() % bound);
}

/// Entries of random numbers; `removals`: some of them remove.
Model random_model(std::mt19937& random, std::size_t count, bool removals) {
  Model model;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::uint32_t> at;
    std::uint32_t position = draw(random, 50);
    const std::size_t frequency = removals && draw(random, 3) == 0 ? 0 : 1 + draw(random, 3);
    for (std::size_t k = 0; k < frequency; ++k, position += 1 + draw(random, 300))
      at.push_back(position);
    const std::uint32_t length = at.empty() ? 0 : 1 + draw(random, 200);
    model[static_cast<std::uint16_t>(draw(random, text_chunk_ids))] = {length, at};
  }
  return model;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(text_posting)

BOOST_AUTO_TEST_CASE(a_chunk_of_any_size_is_read_back) {
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  for (const std::size_t size : {0U, 1U, 2U, 63U, 64U, 65U, 128U, 129U, 1'000U, 9'000U}) {
    const TextPostings postings = to_postings(random_model(random, size, false));
    const auto decoded = decode_text_chunk(encode_text_chunk(postings));
    BOOST_TEST_REQUIRE(decoded.has_value(), "seed " << seed << ", size " << size);
    const bool same = *decoded == postings;
    BOOST_TEST(same, "seed " << seed << ", size " << size);
  }
}

BOOST_AUTO_TEST_CASE(bounds_of_a_block_hold_for_each_of_its_entries) {
  std::mt19937 random(5);
  const std::string bytes = encode_text_chunk(to_postings(random_model(random, 5'000, false)));
  const auto blocks = read_text_blocks(bytes);
  BOOST_REQUIRE(blocks.has_value());
  BOOST_TEST(blocks->size() > 20U);
  std::vector<TextEntry> entries;
  for (const TextBlock& block : *blocks) {
    BOOST_REQUIRE(read_text_entries(block, entries));
    BOOST_TEST(entries.back().low == block.last);
    for (const TextEntry& entry : entries)
      BOOST_TEST_REQUIRE((entry.frequency <= block.most && entry.length >= block.shortest));
  }
}

BOOST_AUTO_TEST_CASE(changes_in_any_grouping_give_the_same_chunk) {
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  Model model = random_model(random, 300, false);
  const TextPostings base = to_postings(model);
  TextPostings one_by_one = base;
  TextPostings together;
  for (int step = 0; step < 20; ++step) {
    const Model change = random_model(random, 40, true);
    for (const auto& [low, entry] : change) {
      if (entry.second.empty())
        model.erase(low);
      else
        model[low] = entry;
    }
    const auto read = decode_text_operand(encode_text_operand(to_postings(change)));
    BOOST_REQUIRE(read.has_value());
    one_by_one = apply_text_changes(one_by_one, *read, false);
    together = apply_text_changes(together, *read, true);
  }
  const bool same_each = one_by_one == to_postings(model);
  const bool same_all = apply_text_changes(base, together, false) == to_postings(model);
  BOOST_TEST(same_each, "seed " << seed);
  BOOST_TEST(same_all, "seed " << seed);
}

BOOST_AUTO_TEST_CASE(damaged_bytes_are_refused_or_read_as_something_sound) {
  std::mt19937 random(9);
  const std::string sound = encode_text_chunk(to_postings(random_model(random, 400, false)));
  for (int round = 0; round < 5'000; ++round) {
    std::string bytes = sound;
    for (int flips = 0; flips < 3; ++flips)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    if (round % 3 == 0) bytes.resize(random() % bytes.size());
    const auto decoded = decode_text_chunk(bytes);
    if (!decoded) continue;
    const bool same = decode_text_chunk(encode_text_chunk(*decoded)).value() == *decoded;
    BOOST_TEST_REQUIRE(same);
  }
  BOOST_TEST(!decode_text_operand("\x01").has_value());
}

BOOST_AUTO_TEST_CASE(keys_name_index_field_term_and_chunk) {
  std::string key = text_term_prefix(7, 2, "tea");
  append_chunk(key, 3);
  const auto read = decode_text_key(key);
  BOOST_REQUIRE(read.has_value());
  BOOST_TEST(read->index == 7U);
  BOOST_TEST(int{read->field} == 2);
  BOOST_TEST(read->term == "tea");
  BOOST_TEST(read->name == text_term_prefix(7, 2, "tea"));
  BOOST_TEST(read->chunk == 3U);
  BOOST_TEST(int{decode_text_key(text_statistics_key(7))->field} == 0);
  BOOST_TEST(!decode_text_key("abc").has_value());
  const std::string of_space = text_name_space_key(7, 5);
  BOOST_TEST(decode_text_key(of_space)->name_space.value() == 5U);
  BOOST_TEST(!decode_text_key(of_space)->segment.has_value());
  BOOST_TEST((text_segment_key(7, 0xFFFFFFFE) < of_space));
  BOOST_TEST(!decode_text_key(of_space.substr(0, of_space.size() - 1)).has_value());
  BOOST_TEST(!decode_text_key(text_segment_key(7, 0xFFFFFFFF)).has_value());
}

BOOST_AUTO_TEST_CASE(statistics_are_read_back) {
  const TextStatistics statistics = {{3, 12}, {0, 0}, {1'000'000, 90'000'000}};
  const bool same =
      decode_text_statistics(encode_text_statistics(statistics)).value() == statistics;
  BOOST_TEST(same);
  BOOST_TEST(!decode_text_statistics("\x05").has_value());
}

BOOST_AUTO_TEST_CASE(operands_merge_to_what_laying_them_over_each_other_gives) {
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> operands;
    const bool are_apart = round % 2 == 0;
    for (std::uint32_t i = 0; i < 1 + random() % 5; ++i) {
      Model model = random_model(random, 1 + draw(random, 6), true);
      Model moved;  // as commits of new documents have them: each behind the one before
      for (const auto& [low, entry] : model)
        moved[static_cast<std::uint16_t>(are_apart ? 3'000 * i + low % 3'000 : low)] = entry;
      operands.push_back(encode_text_operand(to_postings(moved)));
    }
    const std::vector<std::string_view> views(operands.begin(), operands.end());
    TextPostings wanted;
    for (const std::string& operand : operands)
      wanted = apply_text_changes(wanted, *decode_text_operand(operand), true);
    if (join_text_operands(views).value() != wanted) BOOST_FAIL("join, seed " << seed);
    if (merge_text_operands(views).value() != encode_text_operand(wanted))
      BOOST_FAIL("merge, seed " << seed);
  }
  const std::vector<std::string_view> damaged{"\x05\x08\x02", "\x07\x08"};
  BOOST_TEST(!merge_text_operands(damaged).has_value());
  BOOST_TEST(!join_text_operands(damaged).has_value());
}

BOOST_AUTO_TEST_CASE(an_operand_tells_whether_it_removes) {
  std::mt19937 random(11);
  std::size_t removing = 0;
  for (int i = 0; i < 300; ++i) {
    const TextPostings changes = to_postings(random_model(random, 1 + draw(random, 4), true));
    const bool removes = std::ranges::any_of(
        changes.entries, [](const TextEntry& entry) { return entry.frequency == 0; });
    BOOST_TEST(removes_documents(encode_text_operand(changes)) == removes);
    removing += removes ? 1 : 0;
  }
  BOOST_TEST(removing > 50U);
  BOOST_TEST(removing < 250U);
  BOOST_TEST(!removes_documents(""));
  BOOST_TEST(removes_documents("\x05\x02\x80"));  // cut
}

BOOST_AUTO_TEST_SUITE_END()
