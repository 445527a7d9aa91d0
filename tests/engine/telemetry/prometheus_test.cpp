// The text is read back by the rules of the format, version 0.0.4, and compared with what it was made of.
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/metrics.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace cairn;
using test::must;
using test::run_all;

namespace {

double number_of(const std::string& text) {
  if (text == "+Inf") return INFINITY;
  std::size_t end = 0;
  const double number = std::stod(text, &end);
  BOOST_TEST(end == text.size(), text);
  return number;
}

/// The match of "[a-zA-Z_:][a-zA-Z0-9_:]*" at the start of a text.
std::string name_in(const std::string& text) {
  std::size_t end = 0;
  const auto is_in_name = [&](char c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
    return is_letter || (end > 0 && c >= '0' && c <= '9');
  };
  while (end < text.size() && is_in_name(text[end])) ++end;
  BOOST_TEST(end > 0U, text);
  return text.substr(0, end);
}

struct Family {
  std::string help, type;
  double value = 0;
  std::vector<std::pair<double, double>> buckets;  ///< le, count
  double sum = -1, count = -1;
};

/// Reads line by line. Samples follow the HELP and TYPE of their own family.
class Reader {
 public:
  explicit Reader(const std::string& text) {
    BOOST_TEST(text.ends_with("\n"));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("# "))
        read_head(line.substr(2));
      else
        read_sample(line);
  }
  std::map<std::string, Family> families;

 private:
  void read_head(const std::string& line) {
    const std::string keyword = line.substr(0, 5);
    const std::string rest = line.substr(5);
    const std::string name = name_in(rest);
    BOOST_TEST_REQUIRE(rest.substr(name.size(), 1) == " ", line);
    const std::string text = rest.substr(name.size() + 1);
    if (keyword == "HELP ") {
      BOOST_TEST(!families.contains(name), "a second HELP of " + name);
      families[name].help = text;
    } else {
      BOOST_TEST_REQUIRE(keyword == "TYPE ", line);
      BOOST_TEST(families.contains(name), "a TYPE without HELP");
      BOOST_TEST(families[name].type.empty(), "a second TYPE of " + name);
      families[name].type = text;
    }
    current_ = name;
  }

  void read_sample(const std::string& line) {
    Family& family = families.at(current_);
    BOOST_TEST(!family.type.empty(), "a sample before its TYPE: " + line);
    const std::string name = name_in(line);
    const std::size_t blank = line.rfind(' ');
    const double value = number_of(line.substr(blank + 1));
    const std::string labels = line.substr(name.size(), blank - name.size());
    if (family.type != "histogram") {
      BOOST_TEST((name == current_ && labels.empty()), line);
      family.value = value;
    } else if (name == current_ + "_bucket") {
      BOOST_TEST_REQUIRE((labels.starts_with("{le=\"") && labels.ends_with("\"}")), line);
      family.buckets.emplace_back(number_of(labels.substr(5, labels.size() - 7)), value);
    } else {
      BOOST_TEST((name == current_ + "_sum" || name == current_ + "_count"), line);
      (name == current_ + "_sum" ? family.sum : family.count) = value;
    }
  }

  std::string current_;
};

void check_histogram(const Family& family) {
  BOOST_TEST_REQUIRE(!family.buckets.empty());
  for (std::size_t i = 1; i < family.buckets.size(); ++i) {
    BOOST_TEST(family.buckets[i - 1].first < family.buckets[i].first);
    BOOST_TEST(family.buckets[i - 1].second <= family.buckets[i].second);
  }
  BOOST_TEST(std::isinf(family.buckets.back().first));
  BOOST_TEST(family.buckets.back().second == family.count);
  BOOST_TEST(family.sum >= 0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(prometheus)

BOOST_AUTO_TEST_CASE(numbers_and_texts_read_back) {
  const Metrics metrics{{{"a_total", "one \\ two\nthree", 3, false}, {"b", "now", -0.125, true}},
                        {{"c_seconds", "times", {0.001, 0.25}, {2, 0, 5}, 12.5}}};
  const std::string text = to_prometheus(metrics);
  BOOST_TEST(text ==
             "# HELP a_total one \\\\ two\\nthree\n# TYPE a_total counter\na_total 3\n"
             "# HELP b now\n# TYPE b gauge\nb -0.125\n"
             "# HELP c_seconds times\n# TYPE c_seconds histogram\n"
             "c_seconds_bucket{le=\"0.001\"} 2\nc_seconds_bucket{le=\"0.25\"} 2\n"
             "c_seconds_bucket{le=\"+Inf\"} 7\nc_seconds_sum 12.5\nc_seconds_count 7\n");
  check_histogram(Reader(text).families.at("c_seconds"));
}

BOOST_AUTO_TEST_CASE(the_metrics_of_a_database_are_valid_and_complete) {
  test::TemporaryDatabase database;
  run_all(*database, {"UNWIND range(1, 20) AS i CREATE (:A {x: i})", "MATCH (a:A) RETURN a"});
  must(database->checkpoint());
  const Metrics metrics = database->metrics();
  const Reader read(to_prometheus(metrics));
  BOOST_TEST(read.families.size() == metrics.values.size() + metrics.histograms.size());
  for (const Metric& metric : metrics.values) {
    const Family& family = read.families.at(metric.name);
    BOOST_TEST(family.value == metric.value, metric.name);
    BOOST_TEST(family.type == (metric.is_gauge ? "gauge" : "counter"));
    BOOST_TEST(metric.is_gauge == !metric.name.ends_with("_total"), metric.name);
    BOOST_TEST(!family.help.empty());
  }
  for (const Histogram& histogram : metrics.histograms)
    check_histogram(read.families.at(histogram.name));
  BOOST_TEST(read.families.at("cairn_nodes").value == 20);
  BOOST_TEST(read.families.at("cairn_rows_returned_total").value == 20);
}

BOOST_AUTO_TEST_SUITE_END()
