// M1.3 to M1.12, M1.14, M1.19 to M1.24, M1.29 to M1.33, M1.35 to M1.37, M1.42 to M1.44, M1.46, M1.49: compares pages,
// totals, order, facets and errors of faceted search with a plain loop.

#include "codec/instant.hpp"
#include "tests/query/filter/filter_doors.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/facets.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace cairn::test {
namespace {

constexpr std::int64_t day = 86'400'000'000;

struct Memory {
  std::uint64_t id = 0;
  std::set<std::string> tags;
  std::string type;
  std::optional<std::int64_t> created;
};

// Memories with a few tags and types over three years, some without a date.
class Memories {
 public:
  explicit Memories(int count) : random_(test_seed()) {
    Transaction transaction = must(database_->begin());
    for (int i = 0; i < count; ++i) add(transaction);
    must(transaction.commit());
  }

  FacetedPage search(const FacetedSearch& search) {
    StatementOptions options;
    options.now = fixed_now;
    return must(faceted_search(must(database_->snapshot()), search, options));
  }
  std::string error(const FacetedSearch& search) {
    const auto page = faceted_search(must(database_->snapshot()), search);
    return page ? "no error" : page.error().message;
  }

  // The ids that pass, in the order of pages.
  std::vector<std::uint64_t> expected(const FacetedSearch& search) const {
    std::vector<const Memory*> some;
    for (const Memory& memory : memories_)
      if (passes(search, memory)) some.push_back(&memory);
    std::ranges::sort(some, [](const Memory* a, const Memory* b) {
      return std::pair(a->created, a->id) > std::pair(b->created, b->id);
    });
    std::vector<std::uint64_t> ids;
    for (const Memory* memory : some) ids.push_back(memory->id);
    return ids;
  }

  std::map<std::string, std::uint64_t> expected_tags(const FacetedSearch& search) const {
    std::map<std::string, std::uint64_t> counts;
    for (const Memory& memory : memories_)
      if (passes(search, memory))
        for (const std::string& tag : memory.tags) ++counts[tag];
    return counts;
  }

  TemporaryDatabase& database() { return database_; }

 private:
  void add(Transaction& transaction) {
    Memory memory;
    Properties properties;
    List tags;
    for (std::uint64_t n = random_.below(4); n > 0; --n) {
      const std::string tag = "tag" + std::to_string(random_.below(6));
      memory.tags.insert(tag);
      tags.push_back(tag);  // sometimes twice
    }
    constexpr const char* types[] = {"note", "decision", "task", "reference"};
    memory.type = types[random_.below(4)];
    if (random_.below(20) != 0)
      memory.created = fixed_now - static_cast<std::int64_t>(random_.below(1'000)) * day / 4;
    properties = {{"tags", tags}, {"memory_type", memory.type}};
    if (memory.created) properties["created_at"] = codec::instant_text(*memory.created);
    memory.id = must(transaction.create_node({{"Memory"}, properties})).value;
    memories_.push_back(memory);
  }

  static bool passes(const FacetedSearch& search, const Memory& memory) {
    const auto has = [&](const std::string& tag) { return memory.tags.contains(tag); };
    if (!search.tags.empty() && !(search.tag_match_all ? std::ranges::all_of(search.tags, has)
                                                       : std::ranges::any_of(search.tags, has)))
      return false;
    if (search.memory_type && memory.type != *search.memory_type) return false;
    if (!search.date_from.empty() &&
        (!memory.created || *memory.created < fixed_now - std::stoll(search.date_from) * day))
      return false;
    return search.date_to.empty() ||
           (memory.created && *memory.created <= fixed_now - std::stoll(search.date_to) * day);
  }

  ValueGenerator random_;
  TemporaryDatabase database_;
  std::vector<Memory> memories_;
};

std::vector<std::uint64_t> ids_of(const FacetedPage& page) {
  std::vector<std::uint64_t> ids;
  for (const Node& node : page.nodes) ids.push_back(node.id().value);
  return ids;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(faceted_search)

// M1.36, M1.37, M4.19: all 2^n combinations, every page of each.
BOOST_AUTO_TEST_CASE(every_combination_of_filters_gives_exact_pages_newest_first) {
  Memories memories(1'500);
  for (int bits = 0; bits < 32; ++bits) {
    FacetedSearch search;
    if (bits & 1) search.tags = {"tag1", "tag2"};
    if (bits & 2) search.tag_match_all = true;
    if (bits & 4) search.memory_type = "decision";
    if (bits & 8) search.date_from = "200d";
    if (bits & 16) search.date_to = "30d";
    search.page_size = 7;
    search.facets = {{"tags", false, 0}};
    const auto expected = memories.expected(search);
    std::vector<std::uint64_t> found;
    for (search.page = 1;; ++search.page) {
      const FacetedPage page = memories.search(search);
      BOOST_REQUIRE(page.total == expected.size());
      BOOST_REQUIRE(page.total_pages == (expected.size() + 6) / 7);
      for (const std::uint64_t id : ids_of(page)) found.push_back(id);
      std::map<std::string, std::uint64_t> tags;
      for (const FacetValue& one : page.facets.at(0).values)
        tags[one.value.as_string()] = one.count;
      BOOST_REQUIRE((tags == memories.expected_tags(search)));
      if (!page.has_more) break;
    }
    BOOST_TEST(found == expected, boost::test_tools::per_element());
  }
}

// M1.25: pages by cursor, while records come and go
BOOST_AUTO_TEST_CASE(cursors_go_through_all_records_once) {
  Memories memories(400);
  FacetedSearch search;
  search.page_size = 7;
  const auto expected = memories.expected(search);
  std::vector<std::uint64_t> found;
  for (int pages = 0; pages < 100; ++pages) {
    const FacetedPage page = memories.search(search);
    for (const std::uint64_t id : ids_of(page)) found.push_back(id);
    BOOST_REQUIRE(page.has_more == !page.next_cursor.empty());
    if (!page.has_more) break;
    search.cursor = page.next_cursor;
    // A newer record, which pages by number would move all others by.
    run_all(*memories.database(), {"CREATE (:Memory {created_at: '2099-01-01'})"});
  }
  BOOST_TEST(found == expected, boost::test_tools::per_element());
  for (const char* wrong : {"x", "after:", "after:1", "after:1:", "after:1:2x", "after:x:2"}) {
    search.cursor = wrong;
    BOOST_TEST(memories.error(search).find("cursor") != std::string::npos, wrong);
  }
  // Behind the last moment that there is come all.
  search.cursor = "after:9223372036854775807:1";
  BOOST_TEST(ids_of(memories.search(search)).size() == 7u);
}

BOOST_AUTO_TEST_CASE(cursors_part_records_of_one_time_by_their_ids) {  // M1.14 M1.25
  TemporaryDatabase database;
  run_all(*database, {"UNWIND range(1, 90) AS i CREATE (:Memory {created_at: '2025-12-30'})",
                      "UNWIND range(1, 90) AS i CREATE (:Memory {i: i})"});
  StatementOptions options;
  options.now = fixed_now;
  FacetedSearch search;
  search.page_size = 13;
  std::set<std::uint64_t> found;
  std::size_t rows = 0;
  do {
    const auto page = must(cairn::faceted_search(must(database->snapshot()), search, options));
    for (const std::uint64_t id : ids_of(page)) found.insert(id);
    rows += page.nodes.size();
    search.cursor = page.next_cursor;
  } while (!search.cursor.empty() && rows < 500);
  BOOST_TEST(rows == 180U);
  BOOST_TEST(found.size() == 180U);
}

BOOST_AUTO_TEST_CASE(a_field_that_no_record_has_is_named_with_the_nearest) {  // M3.1
  Memories memories(3);
  FacetedSearch search;
  search.facets = {{"tgas"}};
  search.filter = Filter::where("memory_tipe", FilterOperator::equals, "note");
  const FacetedPage page = memories.search(search);
  BOOST_REQUIRE(page.warnings.size() == 2U);
  BOOST_TEST(page.warnings[0].find("did you mean memory_type?") != std::string::npos);
  BOOST_TEST(page.warnings[1].find("did you mean tags?") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_filter_whose_operator_was_forgotten_is_refused) {
  Memories memories(3);
  FacetedSearch search;
  search.filter.field = "tags";
  search.filter.value = "zz";
  BOOST_TEST(memories.error(search).find("\"field\"") != std::string::npos, memories.error(search));
}

BOOST_AUTO_TEST_CASE(labels_and_dates_that_no_record_has_are_named_too) {
  Memories memories(3);
  FacetedSearch search;
  BOOST_TEST(memories.search(search).warnings.empty());
  search.labels = {"Memori"};
  search.date_field = "creatd_at";
  const FacetedPage page = memories.search(search);
  BOOST_REQUIRE(page.warnings.size() == 2U);
  BOOST_TEST(page.warnings[0].find("did you mean Memory?") != std::string::npos);
  BOOST_TEST(page.warnings[1].find("did you mean created_at?") != std::string::npos);
  Rows rows = must(
      execute(*memories.database(),
              "CALL db.facets([{field: 'memory_tipe', operator: 'equals', value: 'note'}, "
              "{operator: 'has_label', value: 'Memori'}], ['tags']) YIELD value RETURN value"));
  BOOST_TEST(must(rows.all()).empty());
  BOOST_TEST(rows.warnings().size() == 2U);
}

BOOST_AUTO_TEST_CASE(the_language_counts_by_age_and_to_a_limit) {  // M1.52
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:M {t: ['a', 'b'], d: '2025-12-30'}), (:M {t: ['a']}), (:M)"});
  StatementOptions options;
  options.now = fixed_now;
  const auto counts = [&](const std::string& facet) {
    return result_of(
        *database,
        "CALL db.facets([], [" + facet +
            "]) YIELD value, count, distinctValues AS d, missing RETURN value, count, d, "
            "missing",
        {}, options);
  };
  BOOST_TEST(counts("{field: 't', limit: 1}") == "'a' | 2 | 2 | 1");
  BOOST_TEST(counts("{field: 'd', by_age: true}").starts_with("'last_7d' | 1 | 5 | 2; "));
  BOOST_TEST(counts("'none'") == "null | 0 | 0 | 3");
  for (const char* wrong : {"{field: 't', limit: -1}", "{limit: 1}", "5", "{field: 't', x: 1}",
                            "{field: 'd', by_age: true, limit: 2}"})
    BOOST_TEST(counts(wrong).find("facet") != std::string::npos, wrong);
}

// M1.38, M1.39, M1.40, M1.41: the document's four examples
BOOST_AUTO_TEST_CASE(the_documents_examples_find_what_they_ask_for) {
  TemporaryDatabase database;
  run_all(*database,
          {"CREATE (:Memory {n: 'python', tags: ['python'], memory_type: 'note', created_at: "
           "'2025-12-30'}), "
           "(:Memory {n: 'api', tags: ['api'], memory_type: 'note', created_at: '2025-12-20'}), "
           "(:Memory {n: 'both', tags: ['api', 'python'], memory_type: 'task', created_at: "
           "'2025-12-10'}), "
           "(:Memory {n: 'rest-api', tags: ['rest-api'], memory_type: 'note', created_at: "
           "'2025-12-29'}), "
           "(:Memory {n: 'alpha', tags: ['project-alpha'], memory_type: 'decision', created_at: "
           "'2025-12-15'}), "
           "(:Memory {n: 'alpha note', tags: ['project-alpha'], memory_type: 'note', created_at: "
           "'2025-12-15'}), "
           "(:Memory {n: 'old', tags: ['project-alpha'], memory_type: 'decision', created_at: "
           "'2025-01-01'})"});
  StatementOptions options;
  options.now = fixed_now;
  const auto found = [&](const FacetedSearch& search) {
    std::string names;
    for (const Node& node :
         must(cairn::faceted_search(must(database->snapshot()), search, options)).nodes)
      names += (names.empty() ? "" : ", ") + node.property("n").as_string();
    return names;
  };
  FacetedSearch any;
  any.tags = {"python", "api"};
  BOOST_TEST(found(any) == "python, api, both");
  FacetedSearch all = any;
  all.tag_match_all = true;
  BOOST_TEST(found(all) == "both");
  FacetedSearch recent;
  recent.date_from = "7d";
  BOOST_TEST(found(recent) == "python, rest-api");
  FacetedSearch decisions;
  decisions.tags = {"project-alpha"};
  decisions.memory_type = "decision";
  decisions.date_from = "30d";
  BOOST_TEST(found(decisions) == "alpha");
}

BOOST_AUTO_TEST_CASE(a_page_beyond_the_end_is_empty_and_counts_right) {  // M1.33 M1.35
  Memories memories(30);
  FacetedSearch search;
  search.page = 1'000'000'000'000;
  const FacetedPage page = memories.search(search);
  BOOST_TEST(page.nodes.empty());
  BOOST_TEST(page.total == 30U);
  BOOST_TEST(page.total_pages == 3U);
  BOOST_TEST(!page.has_more);
  search.page = 1;
  search.tags = {"unknown"};
  BOOST_TEST(memories.search(search).total_pages == 0U);
}

BOOST_AUTO_TEST_CASE(
    mistakes_are_named_in_the_words_of_the_requirement) {  // M1.12 M1.24 M1.29-M1.32
  Memories memories(1);
  const auto error = [&](auto change) {
    FacetedSearch search;
    change(search);
    return memories.error(search);
  };
  BOOST_TEST(error([](auto& s) { s.page = 0; }) == "page must be >= 1");
  BOOST_TEST(error([](auto& s) { s.page_size = 101; }) == "page_size must be <= 100");
  BOOST_TEST(error([](auto& s) { s.page_size = 0; }) == "page_size must be >= 1");
  BOOST_TEST(error([](auto& s) { s.memory_type = "x"; }) ==
             "memory_type must be one of: note, decision, task, reference");
  BOOST_TEST(error([](auto& s) { s.date_from = "soon"; }) ==
             "Invalid date format. Use ISO8601 or relative (e.g., \"7d\")");
  BOOST_TEST(error([](auto& s) {
               s.date_from = "1d";
               s.date_to = "2d";
             }) == "date_from must be <= date_to");
}

BOOST_AUTO_TEST_CASE(facets_keep_types_apart_and_count_nulls_and_ages) {  // M1.52 M0.62
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:Memory {v: 1, m: {x: null}, created_at: '2025-12-30'}), "
                      "(:Memory {v: '1', created_at: '2025-12-10'}), (:Memory {v: [1, 1, 'a']}), "
                      "(:Memory {created_at: '2020-01-01'}), (:Other {v: 1})"});
  StatementOptions options;
  options.now = fixed_now;
  FacetedSearch search;
  search.facets = {{"v"}, {"m.x"}, {"created_at", true}};
  const FacetedPage page = must(cairn::faceted_search(must(database->snapshot()), search, options));
  const auto text = [](const Facet& facet) {
    std::string line;
    for (const FacetValue& one : facet.values)
      line += one.value.to_text() + ": " + std::to_string(one.count) + ", ";
    return line + std::to_string(facet.nulls) + " null, " + std::to_string(facet.missing) +
           " missing";
  };
  BOOST_TEST(text(page.facets[0]) == "1: 2, '1': 1, 'a': 1, 0 null, 1 missing");
  BOOST_TEST(text(page.facets[1]) == "1 null, 3 missing");
  BOOST_TEST(text(page.facets[2]) ==
             "'last_7d': 1, 'last_30d': 2, 'last_90d': 2, 'last_year': 2, 'older': 1, 0 null, 1 "
             "missing");
}

// M1.52: counted once by postings and once by records, while tags come, change and go
BOOST_AUTO_TEST_CASE(facets_agree_with_the_records_after_each_commit) {
  TemporaryDatabase database;
  ValueGenerator random(test_seed());
  StatementOptions options;
  options.now = fixed_now;
  const auto commit = [&](int round) {
    Transaction transaction = must(database->begin());
    for (int i = 0; i < 150; ++i) {
      const std::string tag = "t" + std::to_string(random.below(8U + static_cast<unsigned>(round)));
      must(transaction.create_node({{"Memory"}, {{"tags", List{Value(tag), Value("all")}}}}));
    }
    must(transaction.commit());
    run_all(*database, {"MATCH (m:Memory) WHERE id(m) % 7 = " + std::to_string(round) +
                        " SET m.tags = ['moved']"});
  };
  for (int round = 0; round < 5; ++round) {
    commit(round);
    FacetedSearch search;
    search.facets = {{"tags", false, 0}};
    for (const char* tag : {"", "t1"}) {  // many records, few records
      if (*tag != 0) search.tags = {tag};
      std::map<std::string, std::uint64_t> counted;
      const auto page = must(cairn::faceted_search(must(database->snapshot()), search, options));
      for (const FacetValue& one : page.facets.at(0).values)
        counted[one.value.as_string()] = one.count;
      std::map<std::string, std::uint64_t> expected;
      Rows rows = must(execute(*database,
                               "MATCH (m:Memory) WHERE $tag = '' OR $tag IN m.tags UNWIND m.tags "
                               "AS t RETURN t, count(DISTINCT m)",
                               {{"tag", tag}}));
      while (const auto row = must(rows.next()))
        expected[(*row)[0].as_string()] = static_cast<std::uint64_t>((*row)[1].as_integer());
      BOOST_TEST((counted == expected));
    }
  }
}

// M1.52: a period ends now
BOOST_AUTO_TEST_CASE(dates_to_come_are_in_no_period) {
  TemporaryDatabase database;
  run_all(*database,
          {"CREATE (:Memory {created_at: '2100-01-01'}), "
           "(:Memory {created_at: '2025-12-30'}), (:Memory {created_at: '1999-01-01'})"});
  StatementOptions options;
  options.now = fixed_now;
  FacetedSearch search;
  search.facets = {{"created_at", true}};
  const auto page = must(cairn::faceted_search(must(database->snapshot()), search, options));
  std::vector<std::uint64_t> counts;
  for (const FacetValue& one : page.facets.at(0).values) counts.push_back(one.count);
  BOOST_TEST(counts == (std::vector<std::uint64_t>{1, 1, 1, 1, 1}),
             boost::test_tools::per_element());
}

// Such a list has no index entry of its elements.
BOOST_AUTO_TEST_CASE(elements_of_long_lists_of_numbers_are_counted) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:M {l: [1, 2], m: [{l: 2}, {l: [x IN range(1, 17) | 2]}]}), "
                      "(:M {l: [x IN range(1, 17) | 1] + [2], m: [{l: 3}]}), (:M {l: 2})"});
  const auto counts = [&](const std::string& field) {
    return result_of(
        *database, "CALL db.facets([], ['" + field + "']) YIELD value, count RETURN value, count");
  };
  BOOST_TEST(counts("l") == "2 | 3; 1 | 2");
  BOOST_TEST(counts("m.l") == "2 | 1; 3 | 1");
}

BOOST_AUTO_TEST_CASE(a_cancelled_search_is_no_page_without_facets) {
  Memories memories(3'000);  // more distinct dates than steps between two looks at the token
  std::stop_source stop;
  stop.request_stop();
  StatementOptions options;
  options.cancel = stop.get_token();
  FacetedSearch search;
  search.facets = {{"created_at"}};
  const auto page = cairn::faceted_search(must(memories.database()->snapshot()), search, options);
  BOOST_REQUIRE(!page.has_value());
  BOOST_TEST((page.error().code == ErrorCode::cancelled));
}

BOOST_AUTO_TEST_CASE(the_language_counts_facets_too) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:M {tags: ['a', 'b']}), (:M {tags: ['a']}), (:N {tags: ['a']})"});
  BOOST_TEST(result_of(*database,
                       "CALL db.facets({operator: 'has_label', value: 'M'}, ['tags']) "
                       "YIELD value, count RETURN value, count") == "'a' | 2; 'b' | 1");
}

BOOST_AUTO_TEST_CASE(a_facet_that_cannot_be_counted_does_not_fail_the_search) {  // M1.52
  Memories memories(3);
  FacetedSearch search;
  search.facets = {{"a..b"}};
  const FacetedPage page = memories.search(search);
  BOOST_TEST(page.total == 3U);
  BOOST_TEST(page.facets.empty());
  BOOST_TEST(page.warnings.size() == 1U);
}

BOOST_AUTO_TEST_CASE(values_are_counted_without_a_page) {
  TemporaryDatabase database;
  run_all(*database,
          {"CREATE (:M {tags: ['a', 'b']}), (:M {tags: ['a']}), (:M), (:N {tags: ['a']})"});
  const Snapshot snapshot = must(database->snapshot());
  const Facet facet = must(count_values(snapshot, {.field = "tags"}, Filter::has_label("M")));
  BOOST_REQUIRE(facet.values.size() == 2U);
  BOOST_TEST((facet.values[0] == FacetValue{"a", 2} && facet.values[1] == FacetValue{"b", 1}));
  BOOST_TEST(facet.missing == 1U);
  BOOST_TEST(must(count_values(snapshot, {.field = "tags"})).values.at(0).count == 3U);
  BOOST_TEST(!count_values(snapshot, {.field = "a..b"}).has_value());
  BOOST_TEST(!count_values(snapshot, {.field = "a"}, Filter::where("a.", FilterOperator::exists))
                  .has_value());
}

BOOST_AUTO_TEST_CASE(paths_are_those_that_the_records_have) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:M {a: 1, b: {c: 2, `d.e`: 3}}), (:N {f: 1})"});
  const Snapshot snapshot = must(database->snapshot());
  const auto paths_of = [&](const Filter& filter) {
    const auto paths = must(property_paths(snapshot, filter));
    return std::set<std::vector<std::string>>(paths.begin(), paths.end());
  };
  BOOST_TEST((paths_of(Filter::has_label("M")) ==
              std::set<std::vector<std::string>>{{"a"}, {"b"}, {"b", "c"}, {"b", "d.e"}}));
  BOOST_TEST((paths_of(Filter::has_label("N")) == std::set<std::vector<std::string>>{{"f"}}));
  BOOST_TEST(paths_of(Filter::has_label("O")).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
