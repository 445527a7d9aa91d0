#pragma once
// Metrics: what a database did since it was opened, as counters and histograms.
//
//     std::cout << to_prometheus(database.metrics());

#include <cairn/database.hpp>
#include <cairn/visibility.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace cairn {

/// A number that grows (a counter) or that stands for a state of now (a gauge).
struct Metric {
  std::string name;  ///< as Prometheus would have it: "cairn_commits_total"
  std::string help;  ///< one sentence
  double value = 0;
  bool is_gauge = false;
};

/// How many calls took how long. Bucket i counts calls of at most bounds[i] seconds and of more than
/// bounds[i - 1]; one more bucket counts the rest.
struct Histogram {
  std::string name;  ///< "cairn_statement_seconds"
  std::string help;
  std::vector<double> bounds;          ///< in seconds, ascending
  std::vector<std::uint64_t> buckets;  ///< one more than bounds
  double sum = 0;                      ///< seconds of all calls
};

struct Metrics {
  std::vector<Metric> values;
  std::vector<Histogram> histograms;
};

/// The metrics in Prometheus' text format, version 0.0.4.
[[nodiscard]] CAIRN_EXPORT std::string to_prometheus(const Metrics& metrics);

}  // namespace cairn
