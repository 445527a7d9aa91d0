// `cairn-bench retrieval DIR --intervals`: reports what each feature gains or loses, by kind of question and for each half
// of the set, with confidence intervals of the paired differences.

#include "tools/bench/retrieval.hpp"
#include "tools/bench/retrieval_data.hpp"

#include <algorithm>
#include <cstddef>
#include <iomanip>
#include <map>
#include <numeric>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {
namespace {

/// Questions that are reported together, by their places.
struct Group {
  std::string name;
  std::vector<std::size_t> places = {};
};

/// All questions, the two halves, and each category that questions have.
std::vector<Group> groups_of(const std::vector<RetrievalQuery>& queries) {
  std::vector<Group> groups = {{"all"}, {"first half"}, {"second half"}};
  std::map<std::string, std::vector<std::size_t>> categories;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    groups[0].places.push_back(i);
    groups[1 + half_of(queries[i], i)].places.push_back(i);
    const auto category = queries[i].metadata.find("category");
    if (category != queries[i].metadata.end()) categories[category->second.to_text()].push_back(i);
  }
  for (auto& [name, places] : categories) groups.push_back({"category " + name, std::move(places)});
  return groups;
}

/// Returns the configuration that this one changes, "text" or "default"; empty for these two and
/// for all others.
std::string_view base_of(std::string_view name) {
  for (const std::string_view base : {"text", "default"})
    if (name.size() > base.size() && name.starts_with(base)) return base;
  return {};
}

/// Prints " | +0.3 [-0.1, +0.7]", in points.
void print_change(const Group& group, const Measured& changed, const Measured& base,
                  double RetrievalFigures::* figure, std::ostream& out) {
  std::vector<double> differences;
  for (const std::size_t i : group.places)
    differences.push_back(100 * (changed.figures[i].*figure - base.figures[i].*figure));
  const Interval change = mean_interval(differences);
  out << " | " << std::showpos << change.mean << " [" << change.low << ", " << change.high << "]"
      << std::noshowpos;
}

}  // namespace

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

void print_intervals(const std::vector<RetrievalQuery>& queries, const std::vector<Measured>& all,
                     std::ostream& out) {
  const std::vector<Group> groups = groups_of(queries);
  out << "\n| change | filter | questions | number | rec@10 | nDCG@10 "
         "|\n|---|---|---|---|---|---|\n"
      << std::fixed << std::setprecision(2);
  for (const Measured& changed : all) {
    const auto base = std::ranges::find_if(all, [&](const Measured& one) {
      return one.name == base_of(changed.name) && one.is_filtered == changed.is_filtered;
    });
    if (base == all.end()) continue;
    for (const Group& group : groups) {
      out << "| " << changed.name << " | " << (changed.is_filtered ? "yes" : "no") << " | "
          << group.name << " | " << group.places.size();
      print_change(group, changed, *base, &RetrievalFigures::recall10, out);
      print_change(group, changed, *base, &RetrievalFigures::ndcg10, out);
      out << " |\n";
    }
  }
}

}  // namespace cairn::tools
