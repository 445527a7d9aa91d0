#include "tests/query/memory/support.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::memory {
namespace {

using test::must;

SearchRequest of_project(const std::string& name) {
  SearchRequest selection;
  selection.filter = Filter::where("project", FilterOperator::equals, name);
  return selection;
}

struct Projects : MemoryFixture {
  /// Of project x `count`, of y three.
  void fill(std::size_t count) {
    std::vector<NewRecord> records(count, note("n", {{"project", "x"}}));
    records.insert(records.end(), 3, note("other", {{"project", "y"}}));
    must(memory.add(records));
  }
  std::uint64_t total(bool include_deleted = false) {
    SearchRequest request;
    request.include_deleted = include_deleted;
    return must(memory.search(request)).total;
  }
  std::uint64_t commits() { return must(database->statistics()).commits; }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(memory_bulk_removal, Projects)

BOOST_AUTO_TEST_CASE(all_of_a_selection_are_hidden_in_bounded_steps) {
  fill(2'500);
  const std::uint64_t before = commits();
  BOOST_TEST(must(memory.remove_all(of_project("x"))) == 2'500U);
  BOOST_TEST(commits() == before + 3);
  BOOST_TEST(total() == 3U);
  BOOST_TEST(total(true) == 2'503U);
  BOOST_TEST(must(memory.remove_all(of_project("x"))) == 0U);
}

BOOST_AUTO_TEST_CASE(what_is_hidden_so_comes_back_as_after_remove) {
  const NodeId id = add("n", {{"project", "x"}});
  BOOST_TEST(must(memory.remove_all(of_project("x"))) == 1U);
  BOOST_TEST(!must(memory.find(id)).has_value());
  BOOST_TEST(must(memory.find(id, {.include_deleted = true})).value().is_deleted);
  BOOST_TEST(must(memory.restore(id)));
  BOOST_TEST(must(memory.find(id)).has_value());
}

// A name is a text of its user. The session of a hidden record stays, because the record may come back.
BOOST_AUTO_TEST_CASE(the_name_of_a_session_goes_with_its_last_record) {
  const NodeId first = add("a", {{"sessionId", "s1"}});
  add("b", {{"sessionId", "s1"}, {"project", "x"}});
  add("c", {{"sessionId", "titled"}, {"project", "x"}});
  test::run_all(*database, {"MATCH (s:Session {id: 'titled'}) SET s.title = 'mine'"});
  const auto sessions = [&] {
    return test::result_of(*database, "MATCH (s:Session) RETURN s.id ORDER BY s.id");
  };
  BOOST_TEST(must(memory.remove(first)));
  BOOST_TEST(must(memory.purge_all(of_project("x"))) == 2U);
  BOOST_TEST(sessions() == "'s1'; 'titled'");
  BOOST_TEST(must(memory.purge(first)));
  BOOST_TEST(sessions() == "'titled'");
  add("d", {{"sessionId", "s1"}});
  BOOST_TEST(sessions() == "'s1'; 'titled'");
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(purging_erases_for_good_and_hidden_ones_where_asked_to) {
  fill(5);
  const auto hidden = must(memory.search(of_project("x"))).records.front().id;
  BOOST_TEST(must(memory.remove(hidden)));
  BOOST_TEST(must(memory.purge_all(of_project("x"))) == 4U);
  BOOST_TEST(total(true) == 4U);
  SearchRequest with_hidden = of_project("x");
  with_hidden.include_deleted = true;
  BOOST_TEST(must(memory.purge_all(with_hidden)) == 1U);
  BOOST_TEST(total(true) == 3U);
}

// The order in which a text and its chunks come must not matter.
BOOST_AUTO_TEST_CASE(chunks_go_along_and_count_where_they_were_selected) {
  const auto remember = [&] {
    return must(memory.remember("one two three four five six seven", {{"project", "x"}},
                                {.chunks = {.size = 10, .overlap = 2}}));
  };
  const std::size_t chunks = remember().chunks.size();
  BOOST_REQUIRE(chunks > 2U);
  SearchRequest texts = of_project("x");
  texts.kinds = {"note"};
  BOOST_TEST(must(memory.remove_all(texts)) == 1U);
  BOOST_TEST(total() == 0U);
  remember();
  BOOST_TEST(must(memory.purge_all(of_project("x"))) == chunks + 1);
  SearchRequest all = texts;
  all.include_deleted = true;
  BOOST_TEST(must(memory.purge_all(all)) == 1U);
  BOOST_TEST(test::result_of(*database, "MATCH (n:Memory) RETURN count(*)") == "0");
}

BOOST_AUTO_TEST_CASE(every_record_must_be_said) {
  fill(2);
  for (SearchRequest selection : {SearchRequest(), [] {
                                    SearchRequest request;
                                    request.filter = Filter::all_of({});
                                    request.limit = 1;
                                    return request;
                                  }()}) {
    const auto refused = memory.remove_all(selection);
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().code == ErrorCode::invalid_argument));
    BOOST_TEST(refused.error().message.find("every_record") != std::string::npos);
    BOOST_TEST(!memory.purge_all(selection).has_value());
  }
  BOOST_TEST(total() == 5U);
  BOOST_TEST(must(memory.remove_all({}, {.every_record = true})) == 5U);
  BOOST_TEST(total() == 0U);
}

BOOST_AUTO_TEST_CASE(a_query_and_a_broken_filter_remove_nothing) {
  fill(2);
  SearchRequest asked = of_project("x");
  asked.query = "n";
  BOOST_TEST((memory.remove_all(asked).error().code == ErrorCode::invalid_argument));
  SearchRequest broken;
  broken.filter.field = "project";
  broken.filter.value = "x";
  BOOST_TEST(!memory.purge_all(broken).has_value());
  BOOST_TEST(total() == 5U);
}

BOOST_AUTO_TEST_CASE(another_namespace_is_left_alone) {
  fill(2);
  MemoryOptions options = at(test_now);
  options.name_space = "acme";
  Memory other = must(Memory::open(*database, options));
  must(other.add(note("n", {{"project", "x"}})));
  BOOST_TEST(must(other.purge_all(of_project("x"))) == 1U);
  BOOST_TEST(total() == 5U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory
