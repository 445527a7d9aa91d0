// Postings and terms of an index, compared with a map, wherever their parts lie: in the store, in segments, or in both.
#include "engine/fulltext/text_reader.hpp"

#include "engine/fulltext/term_postings.hpp"
#include "tests/engine/fulltext/stored_texts.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace cairn;
using engine::TextReader;
using test::StoredTexts;
using test::TermDocuments;

namespace {

/// Terms of which many begin with others.
std::string random_term(test::ValueGenerator& random) {
  std::string term;
  for (std::uint64_t letters = 1 + random.below(4); letters > 0; --letters)
    term += "abz\x01\xc3"[random.below(5)];
  return term;
}

TermDocuments random_changes(test::ValueGenerator& random) {
  TermDocuments changes;
  for (std::uint64_t count = random.below(40); count > 0; --count)
    changes[{static_cast<std::uint8_t>(1 + random.below(2)), random_term(random)}].insert(
        random.below(40'000));
  return changes;
}

/// A store with segments above it, and a model of their combined content.
struct Sample {
  explicit Sample(test::ValueGenerator& random) : model(random_changes(random)), texts(2, model) {
    for (std::uint64_t segments = random.below(4); segments > 0; --segments) {
      const TermDocuments added = random_changes(random);
      TermDocuments removed;
      for (const auto& [term, ids] : model)
        if (random.below(3) == 0 && !ids.empty() && !added.contains(term))
          removed[term].insert(*ids.begin());
      texts.log(added, removed);
      for (const auto& [term, ids] : removed)
        for (const std::uint64_t id : ids) model[term].erase(id);
      for (const auto& [term, ids] : added) model[term].insert(ids.begin(), ids.end());
    }
  }

  TermDocuments model;
  StoredTexts texts;
};

std::set<std::uint64_t> documents_of(const TextReader& reader, std::uint8_t field,
                                     std::string_view term) {
  std::set<std::uint64_t> ids;
  engine::TermCursor cursor(test::must(reader.postings(field, term)));
  for (; cursor.id() != engine::TermCursor::end; cursor.next()) ids.insert(cursor.id());
  return ids;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(text_reader)

BOOST_AUTO_TEST_CASE(postings_are_those_of_the_store_with_the_changes_of_all_segments) {
  const std::uint64_t seed = test::test_seed();
  test::ValueGenerator random(seed);
  for (int round = 0; round < 12; ++round) {
    const Sample sample(random);
    const TextReader reader = sample.texts.reader();
    for (const auto& [term, ids] : sample.model) {
      BOOST_TEST_REQUIRE((documents_of(reader, term.first, term.second) == ids), "seed " << seed);
      const auto postings = test::must(reader.postings(term.first, term.second));
      BOOST_TEST(test::must(reader.documents(*postings)) == ids.size());
    }
    BOOST_TEST(documents_of(reader, 1, "absent").empty());
  }
}

BOOST_AUTO_TEST_CASE(terms_are_visited_in_order_and_each_once) {
  const std::uint64_t seed = test::test_seed();
  test::ValueGenerator random(seed);
  for (int round = 0; round < 20; ++round) {
    const Sample sample(random);
    const std::string beginning = random.below(3) == 0 ? std::string() : random_term(random);
    for (const std::uint8_t field : {std::uint8_t{1}, std::uint8_t{2}}) {
      std::vector<std::string> wanted, visited;
      for (const auto& [term, ids] : sample.model)
        if (term.first == field && term.second.starts_with(beginning))
          wanted.push_back(term.second);
      test::must(sample.texts.reader().for_each_term(field, beginning, [&](std::string_view term) {
        visited.emplace_back(term);
        return true;
      }));
      BOOST_TEST_REQUIRE(visited == wanted, "seed " << seed);
      // A visitor that has seen enough is called no more.
      std::size_t calls = 0;
      test::must(sample.texts.reader().for_each_term(
          field, beginning, [&](std::string_view) { return ++calls < 2; }));
      BOOST_TEST(calls == std::min<std::size_t>(wanted.size(), 2));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
