#include "tools/bench/intervals.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>

namespace cairn::tools {

Interval mean_interval(const std::vector<double>& values) {
  constexpr std::size_t samples = 1'000;
  constexpr std::size_t outside = samples / 40;
  if (values.empty()) return {};
  const auto count = static_cast<double>(values.size());
  std::mt19937_64 random(1);
  std::vector<double> means;
  for (std::size_t i = 0; i < samples; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < values.size(); ++j) sum += values[random() % values.size()];
    means.push_back(sum / count);
  }
  std::ranges::sort(means);
  return {std::accumulate(values.begin(), values.end(), 0.0) / count, means[outside],
          means[samples - 1 - outside]};
}

}  // namespace cairn::tools
