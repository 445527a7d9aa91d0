// Pages of records by conditions and by meaning, over data that does not fit what is expected.

#include "tests/query/memory/support.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace cairn::memory {
namespace {

using test::must;

struct WordsFixture {
  test::TemporaryDatabase database;
  Memory memory = open_with_words(*database);

  // All pages, one after the other.
  std::vector<std::string> all_pages(SearchRequest request) {
    std::vector<std::string> all;
    while (true) {
      const Page page = must(memory.search(request));
      for (const std::string& content : contents_of(page)) all.push_back(content);
      if (!page.has_next_page) return all;
      request.offset += request.limit;
    }
  }
};

std::vector<std::string> sorted(std::vector<std::string> texts) {
  std::ranges::sort(texts);
  return texts;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(memory_listing, WordsFixture)

// M2.31, M2.32: pages in parts, of those that have the field and of those without it, are pages of one order
BOOST_AUTO_TEST_CASE(pages_put_records_without_the_field_last) {
  for (int i = 0; i < 24; ++i) {
    Properties metadata{{"odd", i % 2 == 1}};
    if (i % 3 != 0) metadata.emplace("n", i % 4 == 0 ? Value("text") : Value(i * 7 % 5));
    must(memory.add(note("r" + std::to_string(i), std::move(metadata))));
  }
  for (const bool descending : {false, true})
    for (const char* condition : {"", "m.odd", "m.n IS NULL", "m.n IS NOT NULL OR m.odd"}) {
      const std::string order =
          std::string(" ORDER BY m.n IS NULL, m.n") + (descending ? " DESC" : "") + ", id(m)";
      const std::string where = *condition == 0 ? "" : " WHERE " + std::string(condition);
      for (std::uint64_t offset = 0; offset < 26; offset += 5)
        for (const std::uint64_t limit : {0U, 1U, 7U, 30U}) {
          SearchRequest request;
          request.sort_by = "n";
          request.descending = descending;
          request.where = condition;
          request.offset = offset;
          request.limit = limit;
          std::string expected;
          auto rows = must(must(execute(*database,
                                        "MATCH (m:Memory)" + where + " RETURN m.content AS c" +
                                            order + " SKIP $skip LIMIT $limit",
                                        {{"skip", static_cast<std::int64_t>(offset)},
                                         {"limit", static_cast<std::int64_t>(limit)}}))
                               .all());
          for (const auto& row : rows)
            expected += (expected.empty() ? "" : ", ") + row[0].as_string();
          BOOST_TEST(joined(contents_of(must(memory.search(request)))) == expected,
                     where << order << " from " << offset << ", at most " << limit);
        }
    }
}

// M2.31, M2.32, M2.33: the rank says what is on a page, the sorting how it stands there
BOOST_AUTO_TEST_CASE(sorted_pages_by_meaning_have_each_record_once) {
  std::vector<std::string> stored;
  for (int i = 0; i < 10; ++i) {
    std::string content = "red";
    for (int n = 0; n < i; ++n) content += " green";
    stored.push_back(content);
    must(memory.add(note(content, {{"n", (i * 7) % 10}})));
  }
  SearchRequest request;
  request.query = "red";
  request.sort_by = "n";
  for (const std::uint64_t limit : {1U, 3U, 4U, 10U}) {
    for (const bool descending : {false, true}) {
      request.limit = limit;
      request.descending = descending;
      BOOST_TEST(sorted(all_pages(request)) == sorted(stored), boost::test_tools::per_element());
    }
  }
}

// M0.43: what has no vector is on no page by meaning, and in no total
BOOST_AUTO_TEST_CASE(records_without_a_vector_do_not_promise_a_page) {
  must(memory.add(note("red")));
  must(memory.add(note("words without a vector")));
  SearchRequest request;
  request.query = "red";
  request.limit = 1;
  const Page page = must(memory.search(request));
  BOOST_TEST(page.total == 1U);
  BOOST_TEST(!page.has_next_page);
  request.query.clear();
  BOOST_TEST(must(memory.search(request)).total == 2U);
}

// Words find only a part of the selection. The page that has the last of them tells their number.
BOOST_AUTO_TEST_CASE(a_total_is_what_words_alone_find) {
  must(memory.add(note("red wine")));
  must(memory.add(note("red")));
  SearchRequest request;
  request.query = "wine";
  const Page page = must(memory.search(request));
  BOOST_TEST(joined(contents_of(page)) == "red wine");
  BOOST_TEST(page.total == 1U);
  BOOST_TEST(!page.has_next_page);
}

BOOST_AUTO_TEST_CASE(numbers_at_their_ends_are_pages_too) {
  must(memory.add(note("red")));
  SearchRequest request;
  for (const char* query : {"", "red"}) {
    request.query = query;
    request.limit = ~std::uint64_t{0};
    request.offset = 0;
    BOOST_TEST(must(memory.search(request)).records.size() == 1U);
    request.offset = ~std::uint64_t{0};
    const Page behind = must(memory.search(request));
    BOOST_TEST(behind.records.empty());
    BOOST_TEST(!behind.has_next_page);
  }
}

// M2.24, R.11: fields of another type are no error and pass no criterion
BOOST_AUTO_TEST_CASE(fields_of_other_types_pass_no_criterion) {
  const auto store = [&](const char* content, Value user, Value thread) {
    NewRecord record{"message", content, {}, {}, {}};
    record.metadata = {{"userId", std::move(user)}, {"thread", std::move(thread)}};
    must(memory.add(record));
  };
  store("right", to_value(user_id("ada")), to_value(ThreadInfo{"t", 1, {}}));
  store("texts", "ada", "t");
  store("numbers", 5, 7);
  store("lists", list_of({"user", "ada"}), list_of({1, 2}));
  MessageCriteria criteria;
  criteria.user = user_id("ada");
  criteria.thread = "t";
  BOOST_TEST(joined(contents_of(must(memory.search_messages(criteria)))) == "right");
  SearchRequest sorting;
  sorting.sort_by = "thread.position";
  BOOST_TEST(joined(contents_of(must(memory.search_messages({}, sorting)))) ==
             "right, texts, numbers, lists");
  CognitiveCriteria related;
  related.related_to = "x";
  must(memory.add({"thought", "alone", {{"processType", "thought"}, {"relatedTo", 5}}, {}, {}}));
  BOOST_TEST(must(memory.search_cognitive_processes(related)).total == 0U);
}

// M0.14: a key with dots
BOOST_AUTO_TEST_CASE(sorting_takes_keys_with_dots) {
  must(memory.add(note("red", {{"a.b", 2}, {"m", map_of({{"x.y", 1}})}})));
  must(memory.add(note("red red", {{"a.b", 1}, {"m", map_of({{"x.y", 2}})}})));
  SearchRequest request;
  for (const char* query : {"", "red"}) {
    request.query = query;
    request.sort_by = "['a.b']";
    BOOST_TEST(joined(contents_of(must(memory.search(request)))) == "red red, red");
    request.sort_by = "m['x.y']";
    BOOST_TEST(joined(contents_of(must(memory.search(request)))) == "red, red red");
  }
}

// M0.14: what orders nothing is a slip
BOOST_AUTO_TEST_CASE(an_order_by_a_field_that_no_record_has_is_remarked) {
  must(memory.add(note("red", {{"priority", 2}})));
  SearchRequest request;
  for (const char* query : {"", "red"}) {
    request.query = query;
    request.sort_by = "prioritty";
    const Page page = must(memory.search(request));
    BOOST_TEST(page.total == 1U);
    BOOST_REQUIRE(page.warnings.size() == 1U);
    BOOST_TEST(page.warnings[0].find("priority") != std::string::npos);
    for (const char* known : {"priority", "metadata.priority", "created_at"}) {
      request.sort_by = known;
      BOOST_TEST(must(memory.search(request)).warnings.empty());
    }
    request.sort_by = "a[";
    BOOST_TEST(!memory.search(request));
  }
}

// R.1: metadata stands at the top of a record, whichever way it is named
BOOST_AUTO_TEST_CASE(metadata_tags_is_another_name_of_tags) {
  must(memory.add(note("red", {{"tags", list_of({"a", "b"})}})));
  must(memory.add(note("green", {{"tags", list_of({"b"})}, {"parts", List{map_of({{"n", 1}})}}})));
  SearchRequest request;
  request.filter = Filter::where("metadata.tags", FilterOperator::contains_any, list_of({"a"}));
  BOOST_TEST(joined(contents_of(must(memory.search(request)))) == "red");
  BOOST_TEST(must(memory.search(request)).warnings.empty());
  request.filter = Filter::none_of(
      {Filter::where("metadata.tags", FilterOperator::contains_all, list_of({"a"}))});
  BOOST_TEST(joined(contents_of(must(memory.search(request)))) == "green");
  request.filter =
      Filter::any_element("metadata.parts", {Filter::where("n", FilterOperator::equals, 1)});
  BOOST_TEST(joined(contents_of(must(memory.search(request)))) == "green");
}

// A kind of this name would be every record.
BOOST_AUTO_TEST_CASE(the_label_of_all_records_is_no_kind) {
  must(memory.add(note("red")));
  BOOST_TEST(!memory.add({"memory", "x", {}, {}, {}}));
  SearchRequest request;
  request.kinds = {"memory"};
  const auto refused = memory.search(request);
  BOOST_REQUIRE(!refused);
  BOOST_TEST(refused.error().message.find("Memory") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory
