// Values of calls to the host: what they lack is an error, also within their parts.

#include "engine/database/call_values.hpp"

#include <cairn/metrics.hpp>
#include <cairn/scrub.hpp>
#include <cairn/value.hpp>
#include <cairn/vector_executor.hpp>

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::engine;

namespace {

/// The code of reading `map` with `read`, or "read".
template <class Read>
std::string outcome(const Map& map, const Read& read) {
  CallReader reader(map);
  (void)read(reader);
  const Status checked = reader.check();
  return checked ? "read" : std::string(to_string(checked.error().code));
}

Value metrics_with(Map metric, Map histogram) {
  return Map{{"values", List{std::move(metric)}}, {"histograms", List{std::move(histogram)}}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(call_values)

BOOST_AUTO_TEST_CASE(a_metric_that_lacks_an_entry_is_an_error) {
  const Map metric{{"name", "a"}, {"help", "b"}, {"value", 1.5}, {"is_gauge", true}};
  const Map histogram{
      {"name", "c"}, {"help", "d"}, {"bounds", List{}}, {"buckets", List{}}, {"sum", 2.5}};
  const auto read = [](const Value& value) { return outcome(value.as_map(), read_metrics); };
  BOOST_TEST(read(metrics_with(metric, histogram)) == "read");
  for (const auto& [name, value] : metric) {
    Map lacking = metric;
    lacking.erase(name);
    BOOST_TEST(read(metrics_with(lacking, histogram)) == "io_error", name);
  }
  for (const auto& [name, value] : histogram) {
    Map lacking = histogram;
    lacking.erase(name);
    BOOST_TEST(read(metrics_with(metric, lacking)) == "io_error", name);
  }
}

BOOST_AUTO_TEST_CASE(a_name_is_read_as_the_value_that_prints_it) {
  constexpr auto last = VectorExecutor::graph_by_hnswlib;
  for (int number = 0; number <= static_cast<int>(last); ++number) {
    const auto executor = static_cast<VectorExecutor>(number);
    const Map map{{"executor", std::string(to_string(executor))}};
    CallReader reader(map);
    BOOST_TEST((reader.named("executor", last) == executor), to_string(executor));
    BOOST_TEST(reader.check().has_value());
  }
  const auto read = [](CallReader& reader) { return reader.named("executor", last); };
  BOOST_TEST(outcome({{"executor", "unknown"}}, read) == "io_error");
  BOOST_TEST(outcome({}, read) == "io_error");
}

BOOST_AUTO_TEST_CASE(a_backup_of_a_scrub_that_lacks_an_entry_is_an_error) {
  ScrubReceipt receipt;
  receipt.backups.push_back({"/backup", 7, 8});
  Map whole = call_value(receipt).as_map();
  BOOST_TEST(outcome(whole, read_scrub) == "read");
  for (const char* name : {"path", "commit", "made_at"}) {
    Map backup = whole.at("backups").as_list().front().as_map();
    backup.erase(name);
    Map lacking = whole;
    lacking["backups"] = List{std::move(backup)};
    BOOST_TEST(outcome(lacking, read_scrub) == "io_error", name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
