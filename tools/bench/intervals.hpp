#pragma once
// Confidence intervals of means.

#include <vector>

namespace cairn::tools {

/// A mean and the range in which it is with 95 % confidence.
struct Interval {
  double mean = 0;
  double low = 0;
  double high = 0;
};

/// Returns the mean of the values with its interval by bootstrap (Efron 1979): the means of 1,000
/// samples of the same size, drawn with replacement; 25 of them are below and 25 above. Equal calls
/// return equal results. No values give zeros.
[[nodiscard]] Interval mean_interval(const std::vector<double>& values);

}  // namespace cairn::tools
