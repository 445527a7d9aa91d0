#pragma once
// Metrics: counters and histograms of a database since it was opened.
//
//     std::cout << to_prometheus(database.metrics());

#include <cairn/database.hpp>
#include <cairn/visibility.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace cairn {

/// A counter, which only grows, or a gauge, which is a current value.
struct Metric {
  std::string name;  ///< in Prometheus' style: "cairn_commits_total"
  std::string help;  ///< one sentence
  double value = 0;
  bool is_gauge = false;
};

/// A distribution of call durations. Bucket i counts calls that took at most bounds[i] seconds and
/// more than bounds[i - 1]; the last bucket counts the rest.
struct Histogram {
  std::string name;  ///< "cairn_statement_seconds"
  std::string help;
  std::vector<double> bounds;          ///< in seconds, ascending
  std::vector<std::uint64_t> buckets;  ///< one more than bounds
  double sum = 0;                      ///< seconds of all calls
};

/// All metrics of a database.
struct Metrics {
  std::vector<Metric> values;
  std::vector<Histogram> histograms;
};

/// Formats metrics in Prometheus' text format, version 0.0.4.
[[nodiscard]] CAIRN_EXPORT std::string to_prometheus(const Metrics& metrics);

}  // namespace cairn
