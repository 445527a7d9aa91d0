#include "tests/query/memory/support.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>

namespace cairn::memory {
namespace {

using test::must;

struct Insight {
  std::string content;
  List tags;
  std::string created_at, category, sector;
  bool is_identity;
};

const std::vector<Insight>& insights() {
  static const std::vector<Insight> all = {
      {"i0", list_of({"a", "b"}).as_list(), "2026-01-01T00:00:00Z", "self", "semantic", true},
      {"i1", list_of({"a"}).as_list(), "2026-01-02T00:00:00Z", "ethr", "semantic", false},
      {"i2", list_of({"b"}).as_list(), "2026-01-03T00:00:00Z", "self", "episodic", false},
      {"i3", List{}, "2026-01-04T00:00:00Z", "self", "semantic", true},
      {"i4", list_of({"a", "b", "c"}).as_list(), "2026-01-05T00:00:00Z", "self", "semantic", false},
      {"i5", list_of({"b", "a"}).as_list(), "2026-01-06T00:00:00Z", "shared", "emotional", true}};
  return all;
}

// The naive answer for one combination of filters, newest first.
std::string naive(const InsightList& list) {
  std::vector<std::string> found;
  for (auto one = insights().rbegin(); one != insights().rend(); ++one) {
    bool fits = true;
    for (const std::string& tag : list.tags)
      fits = fits && std::ranges::count(one->tags, Value(tag)) > 0;
    fits = fits && (!list.date_from || one->created_at >= *list.date_from);
    fits = fits && (!list.date_to || one->created_at <= *list.date_to);
    fits = fits && (!list.io_category || one->category == *list.io_category);
    fits = fits && (!list.is_identity || one->is_identity == *list.is_identity);
    fits = fits && (!list.memory_sector || one->sector == *list.memory_sector);
    if (fits) found.push_back(one->content);
  }
  return joined(found);
}

InsightList combination(unsigned bits, bool is_identity) {
  InsightList list;
  if ((bits & 1U) != 0) list.tags = {"a", "b"};
  if ((bits & 2U) != 0) list.date_from = "2026-01-02T00:00:00Z";
  if ((bits & 4U) != 0) list.date_to = "2026-01-05T00:00:00Z";
  if ((bits & 8U) != 0) list.io_category = "self";
  if ((bits & 16U) != 0) list.is_identity = is_identity;
  if ((bits & 32U) != 0) list.memory_sector = "semantic";
  return list;
}

struct InsightFixture : MemoryFixture {
  InsightFixture() {
    for (const Insight& one : insights())
      add(insight(one.content, {}, {},
                  {{"created_at", one.created_at},
                   {"io_category", one.category},
                   {"is_identity", one.is_identity},
                   {"memory_sector", one.sector}}));
    for (const Insight& one : insights()) {
      SearchRequest selection;
      selection.where = "m.content = $content";
      selection.parameters = {{"content", one.content}};
      Update update;
      update.changes = {{"tags", one.tags}};
      must(memory.update_all(selection, update));
    }
  }

  std::string message_of(const InsightList& list) {
    const auto page = memory.list_insights(list);
    return page ? "" : page.error().message;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(cognitive_lists, InsightFixture)

// M4.14, M4.17, M4.19: all combinations of filters, against a naive answer
BOOST_AUTO_TEST_CASE(all_combinations_of_filters_agree_with_a_naive_answer) {
  for (unsigned bits = 0; bits < 64; ++bits) {
    for (const bool is_identity : {true, false}) {
      const InsightList list = combination(bits, is_identity);
      const Page page = must(memory.list_insights(list));
      if (joined(contents_of(page)) != naive(list))
        BOOST_FAIL("combination " << bits << ": " << joined(contents_of(page)) << " and not "
                                  << naive(list));
      BOOST_TEST(page.total == page.records.size());
    }
  }
}

// M4.18
BOOST_AUTO_TEST_CASE(pages_of_insights_have_a_total) {
  InsightList list;
  list.limit = 4;
  list.offset = 4;
  const Page page = must(memory.list_insights(list));
  BOOST_TEST(joined(contents_of(page)) == "i1, i0");
  BOOST_TEST(page.total == 6U);
  BOOST_TEST(page.limit == 4U);
  BOOST_TEST(!page.has_next_page);
}

// M4.19: error texts
BOOST_AUTO_TEST_CASE(what_the_source_system_refuses_is_refused_in_its_words) {
  InsightList list;
  for (const std::int64_t limit : {0, 101, -1}) {
    list.limit = limit;
    BOOST_TEST(message_of(list) == "limit must be between 1 and 100");
  }
  list.limit = 1;
  list.offset = -1;
  BOOST_TEST(message_of(list) == "offset must be >= 0");
  list.offset = 0;
  list.date_from = "yesterday";
  BOOST_TEST(message_of(list) == "Invalid ISO 8601 timestamp: yesterday");
  list.date_from = "2026-01-02";
  list.date_to = "2026-01-01";
  BOOST_TEST(message_of(list) == "date_from and since must not be after date_to");
  InsightList words;
  words.io_category = "other";
  BOOST_TEST(message_of(words) ==
             "Invalid io_category: other; must be one of self, ethr, shared, relationship");
  words = {};
  words.memory_sector = "other";
  BOOST_TEST(message_of(words) != "");
}

// M4.8: a tag is one tag, however its letters are typed
BOOST_AUTO_TEST_CASE(tags_are_found_in_either_form_of_unicode) {
  add(episode("q", 0.5, "", {"a\u0308hnlich"}));
  EpisodeList list;
  for (const char* tag : {"a\u0308hnlich", "\u00e4hnlich"}) {
    list.tags = {tag};
    BOOST_TEST(must(memory.list_episodes(list)).total == 1U, tag);
  }
}

// M4.10, M4.11, M4.12, M4.13
BOOST_AUTO_TEST_CASE(episodes_are_listed_by_tags_category_and_dates) {
  const auto store = [&](const char* query, std::vector<std::string> tags, const char* time) {
    add(episode(query, 0.5, "", std::move(tags), {{"created_at", time}}));
  };
  store("[ethr] one", {"dark-romance", "stil"}, "2026-01-01T00:00:00Z");
  store("[ethr_x] two", {"stil"}, "2026-01-02T00:00:00Z");
  store("about [ethr]", {}, "2026-01-03T00:00:00+02:00");
  const auto listed = [&](const EpisodeList& list) {
    return joined(contents_of(must(memory.list_episodes(list))));
  };
  EpisodeList list;
  BOOST_TEST(listed(list) == "about [ethr], [ethr_x] two, [ethr] one");
  list.category = "ethr";
  BOOST_TEST(listed(list) == "[ethr] one");
  list.category = "%";
  BOOST_TEST(listed(list) == "");
  list = {};
  list.tags = {"stil", "dark-romance"};
  BOOST_TEST(listed(list) == "[ethr] one");
  list = {};
  list.date_from = "2026-01-01T00:00:00Z";
  list.since = "2026-01-02T00:00:00Z";
  BOOST_TEST(listed(list) == "about [ethr], [ethr_x] two");
  list.date_to = "2026-01-02T22:00:00Z";
  BOOST_TEST(listed(list) == "about [ethr], [ethr_x] two");
  list.date_to = "2026-01-02T21:59:59.999Z";
  BOOST_TEST(listed(list) == "[ethr_x] two");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory
