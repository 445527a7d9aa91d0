// Dates that are cached by id give the same answers as the index and the records: through histories of changes, with
// every form of date, for filters, pages, cursors and periods.

#include "codec/instant.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/database/access.hpp"
#include "engine/index/instant_column.hpp"
#include "engine/view/view.hpp"
#include "tests/query/filter/filter_doors.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/facets.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <limits>
#include <map>

namespace cairn::test {
namespace {

constexpr std::int64_t hour = 3'600'000'000;
constexpr std::int64_t second = 1'000'000;
constexpr std::int64_t undated = std::numeric_limits<std::int64_t>::min();

// Memories whose dates change from round to round.
class Dated {
 public:
  Dated() : random_(test_seed()) {
    change([&](Transaction& transaction) {
      for (int i = 0; i < 300; ++i) add(transaction);
    });
  }

  template <class Change>
  void change(const Change& change) {
    Transaction transaction = must(database_->begin());
    change(transaction);
    must(transaction.commit());
  }
  void add(Transaction& transaction) {
    Properties properties = draw();
    const auto id = must(transaction.create_node({{"Memory"}, properties})).value;
    records_[id] = {{"Memory"}, std::move(properties)};
  }
  // Makes a few changes of each kind.
  void edit() {
    change([&](Transaction& transaction) {
      for (int i = 0; i < 3; ++i) add(transaction);
      for (int i = 0; i < 4; ++i) {
        const auto at = std::next(records_.begin(),
                                  static_cast<std::ptrdiff_t>(random_.below(records_.size())));
        if (i == 0) {
          must(transaction.erase_node(NodeId{at->first}));
          records_.erase(at);
          continue;
        }
        at->second.properties = draw();
        for (const char* name : {"user", "created_at"}) {
          const auto value = at->second.properties.find(name);
          must(transaction.set_property(
              NodeId{at->first}, name,
              value == at->second.properties.end() ? Value() : value->second));
        }
      }
    });
  }

  std::vector<std::uint64_t> expected(const Filter& filter) const {
    std::vector<std::pair<std::int64_t, std::uint64_t>> dated;
    for (const auto& [id, record] : records_)
      if (oracle_passes(filter, record, fixed_now)) dated.emplace_back(newest(record), id);
    std::ranges::sort(dated, std::greater<>());
    std::vector<std::uint64_t> ids;
    for (const auto& [time, id] : dated) ids.push_back(id);
    return ids;
  }
  // Of each period how many have a date in it, of those with one that is not to come.
  std::vector<std::uint64_t> expected_ages(const Filter& filter) const {
    std::vector<std::uint64_t> counts;
    const auto until_now = Filter::where("created_at", FilterOperator::until, "0d");
    for (const char* since : {"7d", "30d", "90d", "365d"})
      counts.push_back(
          expected(Filter::all_of({filter, until_now,
                                   Filter::where("created_at", FilterOperator::since, since)}))
              .size());
    counts.push_back(expected(Filter::all_of({filter, until_now})).size() - counts.back());
    return counts;
  }

  ValueGenerator& random() { return random_; }
  TemporaryDatabase& database() { return database_; }
  bool plain = true;  ///< dates are texts only

 private:
  Properties draw() {
    Properties properties{{"user", "u" + std::to_string(random_.below(40))}};
    const std::int64_t time =
        fixed_now - static_cast<std::int64_t>(random_.below(9'000)) * hour + 100 * hour;
    const std::uint64_t form = random_.below(plain ? 8 : 12);
    if (form < 6) properties["created_at"] = codec::instant_text(time);
    if (form == 6) properties["created_at"] = "someday";
    if (form == 8) properties["created_at"] = DateTime{time / second, 0, 0, {}};
    if (form == 9)
      properties["created_at"] =
          list_of({codec::instant_text(time), codec::instant_text(time - 900 * hour)});
    if (form == 10) properties["created_at"] = 17;
    return properties;
  }
  static std::int64_t newest(const OracleRecord& record) {
    const auto found = record.properties.find("created_at");
    if (found == record.properties.end()) return undated;
    std::int64_t time = undated;
    const List single{found->second};
    for (const Value& one : found->second.list() != nullptr ? found->second.as_list() : single) {
      if (one.string() != nullptr)
        time = std::max(time, codec::parse_instant(one.as_string()).value_or(undated));
      if (const auto* moment = one.get_if<DateTime>())
        time = std::max(time, moment->seconds * second);
    }
    return time;
  }

  ValueGenerator random_;
  TemporaryDatabase database_;
  std::map<std::uint64_t, OracleRecord> records_;
};

Filter date_condition(ValueGenerator& random) {
  const auto ago = [&] { return std::to_string(random.below(370)) + "d"; };
  const auto date = [&] {
    return codec::instant_text(fixed_now - static_cast<std::int64_t>(random.below(9'000)) * hour);
  };
  switch (random.below(8)) {
    case 0:
      return Filter::where("created_at", FilterOperator::until, ago());
    case 1:
      return Filter::where("created_at", FilterOperator::greater_or_equal, date());
    case 2:
      return Filter::where("created_at", FilterOperator::less_than, date());
    case 3:
      return Filter::where("created_at", FilterOperator::between, list_of({date(), date()}));
    case 4:
      return Filter::any_of({Filter::where("created_at", FilterOperator::since, ago()),
                             Filter::where("created_at", FilterOperator::until, ago())});
    case 5:
      return Filter::none_of({Filter::where("created_at", FilterOperator::since, ago())});
    case 6:
      return Filter::where("created_at", FilterOperator::greater_than, "someda");
    default:
      return Filter::where("created_at", FilterOperator::since, ago());
  }
}

std::vector<std::uint64_t> ids_of(const FacetedPage& page) {
  std::vector<std::uint64_t> ids;
  for (const Node& node : page.nodes) ids.push_back(node.id().value);
  return ids;
}

void compare(Dated& dated, const Snapshot& snapshot) {
  const Filter filter =
      Filter::all_of({Filter::where("user", FilterOperator::equals,
                                    "u" + std::to_string(dated.random().below(40))),
                      date_condition(dated.random())});
  FacetedSearch search;
  search.filter = dated.random().below(3) == 0 ? filter.filters[0] : filter;
  search.page_size = 4;
  search.facets = {{"created_at", true}};
  StatementOptions options;
  options.now = fixed_now;
  const auto expected = dated.expected(search.filter);
  std::vector<std::uint64_t> found;
  while (true) {
    const FacetedPage page = must(faceted_search(snapshot, search, options));
    BOOST_REQUIRE_EQUAL(page.total, expected.size());
    for (const std::uint64_t id : ids_of(page)) found.push_back(id);
    std::vector<std::uint64_t> ages;
    for (const FacetValue& one : page.facets.at(0).values) ages.push_back(one.count);
    const auto expected_ages = dated.expected_ages(search.filter);
    BOOST_REQUIRE_EQUAL_COLLECTIONS(ages.begin(), ages.end(), expected_ages.begin(),
                                    expected_ages.end());
    if (!page.has_more) break;
    search.cursor = page.next_cursor;
  }
  BOOST_REQUIRE(found == expected);
}

bool are_kept(const Snapshot& snapshot) {
  const auto view = Access::view(snapshot);
  const auto path = view->catalog().find_path(codec::EntityKind::node, "created_at");
  return must(engine::path_instants(*view, codec::EntityKind::node, path.value(), 0)) != nullptr;
}

// Many searches between two changes, so that the dates come to be kept, and then follow the changes.
void run(Dated& dated) {
  int kept = 0;
  for (int round = 0; round < 12; ++round) {
    const Snapshot snapshot = must(dated.database()->snapshot());
    BOOST_TEST(are_kept(snapshot) <= (kept > 0));
    for (int i = 0; i < 12; ++i) compare(dated, snapshot);
    kept += are_kept(snapshot) ? 1 : 0;
    dated.edit();
  }
  BOOST_TEST(kept > 0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kept_dates)

BOOST_AUTO_TEST_CASE(searches_between_changes_see_every_change_of_a_date) {
  Dated dated;
  run(dated);
}

BOOST_AUTO_TEST_CASE(dates_of_other_types_and_in_lists_are_found_beside_those_in_texts) {
  Dated dated;
  dated.plain = false;
  run(dated);
}

BOOST_AUTO_TEST_CASE(an_older_snapshot_keeps_its_dates) {
  Dated dated;
  const Snapshot before = must(dated.database()->snapshot());
  for (int i = 0; i < 40; ++i) compare(dated, before);
  FacetedSearch search;
  search.filter = Filter::where("user", FilterOperator::equals, "u7");
  search.date_from = "200d";
  search.facets = {{"created_at", true}};
  StatementOptions options;
  options.now = fixed_now;
  const auto ids = ids_of(must(faceted_search(before, search, options)));
  for (int i = 0; i < 30; ++i) dated.edit();
  const Snapshot after = must(dated.database()->snapshot());
  for (int i = 0; i < 20; ++i) compare(dated, after);
  BOOST_TEST((ids_of(must(faceted_search(before, search, options))) == ids));
}

// What a statement reads of a date that it changed itself.
BOOST_AUTO_TEST_CASE(a_transaction_sees_its_own_dates) {
  Dated dated;
  const Snapshot before = must(dated.database()->snapshot());
  for (int i = 0; i < 40; ++i) compare(dated, before);
  Transaction transaction = must(dated.database()->begin());
  Properties properties{{"user", "alone"}, {"created_at", codec::instant_text(fixed_now)}};
  must(transaction.create_node({{"Memory"}, properties}));
  StatementOptions options;
  options.now = fixed_now;
  const Statement statement = must(Statement::parse(
      "MATCH (m:Memory {user: 'alone'}) WHERE filter.since(m.created_at, '1d') RETURN count(*)"));
  Rows rows = must(statement.run(transaction, {}, options));
  BOOST_TEST((*must(rows.next()))[0].as_integer() == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
