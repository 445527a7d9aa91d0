#include "engine/vector/partition_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace cairn::engine {
namespace {

constexpr std::size_t batch = 16;  // partitions between two looks at what is left
constexpr double tail_reach = 6;   // in deviations; beyond it nothing is expected
constexpr int tail_steps = 64;     // of the table, a deviation

// Upper tail of the normal distribution.
double tail(double deviations) {
  static const std::vector<float> table = [] {
    std::vector<float> values;
    for (int i = 0; i <= static_cast<int>(tail_reach) * tail_steps; ++i)
      values.push_back(static_cast<float>(0.5 * std::erfc(i / (tail_steps * std::sqrt(2.0)))));
    return values;
  }();
  if (deviations >= tail_reach) return 0;
  const double at = std::abs(deviations) * tail_steps;
  if (deviations < 0)
    return deviations < -tail_reach ? 1.0 : 1.0 - double{table[static_cast<std::size_t>(at)]};
  return double{table[static_cast<std::size_t>(at)]};
}

}  // namespace

PartitionTable::PartitionTable(const Measure& measure, const CodeTable& codes,
                               std::span<const float> means,
                               std::span<const std::uint32_t> partition_of,
                               const std::function<const float*(std::uint32_t)>& row_of)
    : measure_(measure), means_(means.begin(), means.end()) {
  const std::size_t count = means.size() / measure.dimension;
  sizes_.resize(count);
  starts_.resize(count);
  for (const std::uint32_t partition : partition_of) ++sizes_[partition];
  for (std::size_t c = 1; c < count; ++c) starts_[c] = starts_[c - 1] + sizes_[c - 1];
  std::vector<std::uint32_t> next = starts_;
  ranks_.resize(partition_of.size());
  for (std::uint32_t rank = 0; rank < partition_of.size(); ++rank)
    ranks_[next[partition_of[rank]]++] = rank;
  codes_ = codes.reordered(ranks_);
  learn_spreads(row_of);
  learn_width(row_of);
}

void PartitionTable::learn_spreads(const std::function<const float*(std::uint32_t)>& row_of) {
  for (std::size_t c = 0; c < sizes_.size(); ++c) {
    const float* mean = means_.data() + c * measure_.dimension;
    double spread = 0, norm = 0;
    for (std::uint32_t i = 0; i < sizes_[c]; ++i) {
      const auto sums =
          codec::kernels::precise_sums(mean, row_of(ranks_[starts_[c] + i]), measure_.dimension);
      spread += sums.squared_difference;
      norm += sums.squared_b;
    }
    const double members = std::max<double>(sizes_[c], 1);
    spreads_.push_back(static_cast<float>(spread / members));
    norms_.push_back(static_cast<float>(norm / members));
    mean_lengths_.push_back(
        static_cast<float>(codec::kernels::precise_sums(mean, mean, measure_.dimension).squared_b));
  }
}

// A spread is shared by many directions. How many, stored vectors as queries tell: by how much the
// members of their best partitions differ from the means.
void PartitionTable::learn_width(const std::function<const float*(std::uint32_t)>& row_of) {
  std::mt19937 random(3);
  double shares = 0, seen = 0;
  for (int i = 0; i < 32 && !ranks_.empty(); ++i) {
    const auto own = static_cast<std::uint32_t>(random() % ranks_.size());
    const float* query = row_of(own);
    const std::vector<Outlook> all = outlooks({query, measure_.dimension});
    for (std::size_t c = 0; c < std::min(batch, all.size()); ++c) {
      const std::uint32_t partition = all[c].partition;
      for (std::uint32_t m = 0; m < std::min(sizes_[partition], 32U); ++m) {
        const std::uint32_t rank = ranks_[starts_[partition] + m];
        if (rank == own || all[c].deviation <= 0) continue;
        const auto sums = codec::kernels::precise_sums(query, row_of(rank), measure_.dimension);
        const double score =
            sums.dot - (measure_.metric == codec::Metric::euclidean ? sums.squared_b / 2 : 0);
        const double off = (score - double{all[c].mean}) / double{all[c].deviation};
        shares += off * off;  // the width was 1 so far
        ++seen;
      }
    }
  }
  if (shares > 0) width_ = static_cast<float>(std::clamp(seen / shares, 1.0, 4'096.0));
}

// Of x = mean + r the score is that of the mean, and what r has in the direction of the query; under
// the Euclidean metric in the direction from the mean to the query, |x|^2 / 2 being taken off.
std::vector<PartitionTable::Outlook> PartitionTable::outlooks(std::span<const float> query) const {
  std::vector<const float*> rows;
  for (std::size_t c = 0; c < sizes_.size(); ++c)
    rows.push_back(means_.data() + c * measure_.dimension);
  std::vector<float> products(rows.size());
  const auto kernels = codec::kernels::negated_dot_kernels();
  kernels.rows(query.data(), rows.data(), rows.size(), query.size(), products.data());
  const float length = -kernels.pair(query.data(), query.data(), query.size());
  const bool is_euclidean = measure_.metric == codec::Metric::euclidean;
  std::vector<Outlook> all;
  for (std::uint32_t c = 0; c < rows.size(); ++c) {
    if (sizes_[c] == 0) continue;
    const float product = -products[c];
    const float reach =
        is_euclidean ? std::max(length - 2 * product + mean_lengths_[c], 0.0F) : length;
    all.push_back({is_euclidean ? product - norms_[c] / 2 : product,
                   std::sqrt(reach * (spreads_[c] / width_)), c});
  }
  std::ranges::sort(all, std::ranges::greater(), &Outlook::promise);
  return all;
}

double PartitionTable::expected(std::span<const Outlook> rest, float score) const {
  double sum = 0;
  for (const Outlook& outlook : rest) {
    if (outlook.deviation <= 0) {
      if (outlook.mean >= score) sum += sizes_[outlook.partition];
      continue;
    }
    sum += sizes_[outlook.partition] * tail(double{(score - outlook.mean) / outlook.deviation});
  }
  return sum;
}

std::size_t PartitionTable::scan_partition(std::size_t partition, const CodedScan& scan,
                                           bool is_streamed, BlockOffering& offering) const {
  const std::uint32_t end = starts_[partition] + sizes_[partition];
  std::size_t selected = 0;
  for (std::uint32_t first = starts_[partition]; first < end;) {
    const std::uint32_t count = std::min<std::uint32_t>(BlockOffering::block, end - first);
    if (is_streamed) {
      codes_.score(scan.query, first, count, offering.scores());
      offering.offer(count, false, [&](std::uint32_t i) { return ranks_[first + i]; });
      selected += count;
    } else {
      std::array<std::uint32_t, BlockOffering::block> places;
      std::size_t size = 0;
      for (std::uint32_t place = first; place < first + count; ++place) {
        places[size] = place;  // without a branch, which nobody could predict
        size += scan.selection.contains(ranks_[place]) ? 1 : 0;
      }
      codes_.score(scan.query, std::span(places).first(size), offering.scores());
      offering.offer(size, true, [&](std::uint32_t i) { return ranks_[places[i]]; });
      selected += size;
    }
    first += count;
  }
  return selected;
}

// The share of selected vectors in what is left is known exactly; near the query it may be larger,
// and then it was so in the partitions before.
void PartitionTable::search(std::span<const float> query, const CodedScan& scan,
                            const PartitionEffort& effort, CodedTop& top) const {
  const std::vector<Outlook> all = outlooks(query);
  const bool streamed = is_streamed(scan.selection, ranks_.size());
  BlockOffering offering(scan, top);
  std::size_t members_left = ranks_.size(), selected_left = scan.selection.count();
  for (std::size_t at = 0; at < all.size() && selected_left > 0;) {
    const std::size_t end = std::min(at + batch, all.size());
    std::size_t members = 0, selected = 0;
    for (; at < end; ++at) {
      members += sizes_[all[at].partition];
      selected += scan_partition(all[at].partition, scan, streamed, offering);
    }
    members_left -= members;
    selected_left -= std::min(selected_left, streamed ? 0 : selected);
    const auto score = top.score_of(effort.wanted);
    if (!score || members_left == 0) continue;
    const double near = static_cast<double>(selected) / static_cast<double>(members);
    const double left = static_cast<double>(selected_left) / static_cast<double>(members_left);
    const float bound = scan.query.offset + scan.query.unit * static_cast<float>(*score);
    const double share = std::min(std::max(near, left), 1.0);
    if (share * expected(std::span(all).subspan(at), bound) < effort.missed) return;
  }
}

std::size_t PartitionTable::memory_bytes() const noexcept {
  return codes_.memory_bytes() + ranks_.size() * sizeof(std::uint32_t) +
         (means_.size() + 5 * sizes_.size()) * sizeof(float);
}

}  // namespace cairn::engine
