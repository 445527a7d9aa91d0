#include "engine/vector/partition_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace cairn::engine {
namespace {

constexpr std::size_t batch = 8;             // partitions between two looks at what is left
constexpr std::size_t near_partitions = 16;  // to learn from, of a query
constexpr std::size_t samples = 8;        // members of a partition asked whether they are selected
constexpr float prior = 2;                // so many more are taken to be as selected as all are
constexpr std::uint32_t near_stride = 4;  // of the most promising, one member in so many is asked
constexpr float error_allowance = 2;      // in deviations: so much too low may a first score be
constexpr float certain = 1e30F;          // the inverse of no deviation at all
constexpr float most_width = 4'096;
constexpr std::size_t buckets = 512;            // of promises
constexpr std::size_t room = SecondLook::room;  // scores at once
constexpr std::size_t block = ResidualCodes::block;

std::size_t blocks_of(std::size_t members) { return (members + block - 1) / block; }

/// What a hit must have from now on, and how many of these may be missed; 0: not known yet.
struct Standing {
  float bound = 0;
  double missed = 0;
};

// Where the least score leaves fewer than are wanted, as many fewer may be missed.
Standing standing(CodedTop& top, const CodedQuery& query, const PartitionEffort& effort) {
  const auto score = top.score_of(effort.wanted);
  const float bound = score ? query.offset + query.unit * static_cast<float>(*score)
                            : -std::numeric_limits<float>::infinity();
  if (effort.least <= bound) return {bound, score ? effort.missed : 0};
  const auto passing = std::ranges::count_if(top.best(), [&](const CodedTop::Item& item) {
    return query.offset + query.unit * static_cast<float>(item.score) >= effort.least;
  });
  const double hits =
      std::clamp<double>(static_cast<double>(passing), 1,
                         static_cast<double>(std::max<std::size_t>(effort.wanted, 1)));
  return {effort.least,
          effort.missed * hits / static_cast<double>(std::max<std::size_t>(effort.wanted, 1))};
}

float length_of(std::span<const float> query) {
  return static_cast<float>(
      std::sqrt(codec::kernels::precise_sums(query.data(), query.data(), query.size()).squared_b));
}

}  // namespace

PartitionTable::PartitionTable(const Measure& measure, std::span<const float> means,
                               std::span<const std::uint32_t> partition_of,
                               const std::function<const float*(std::uint32_t)>& row_of)
    : measure_(measure), means_(means.begin(), means.end()) {
  place(partition_of);
  residuals_ = ResidualCodes(measure, ranks_.size() / block);
  for (std::size_t c = 0; c < sizes_.size(); ++c)
    for (std::uint32_t at = starts_[c]; at < starts_[c] + sizes_[c]; ++at)
      residuals_.set(at, row_of(ranks_[at]), means_.data() + c * measure.dimension);
  measure_means();
  learn_spreads(row_of);
  learn_width(row_of);
}

bool PartitionTable::settle(const Measure& measure, std::span<const float> means,
                            std::span<const std::uint32_t> partition_of) {
  measure_ = measure;
  means_.assign(means.begin(), means.end());
  place(partition_of);
  measure_means();
  constexpr float most = 4e37F;  // above |x|^2 of any vector that is stored
  const auto is_square = [](float x) { return x >= 0 && x <= most; };
  return spreads_.size() == sizes_.size() && norms_.size() == sizes_.size() &&
         std::ranges::all_of(spreads_, is_square) && std::ranges::all_of(norms_, is_square) &&
         width_ >= 1 && width_ <= most_width && is_square(error_) &&
         residuals_.settle(measure, ranks_.size() / block);
}

void PartitionTable::place(std::span<const std::uint32_t> partition_of) {
  sizes_.resize(means_.size() / measure_.dimension);
  for (const std::uint32_t partition : partition_of) ++sizes_[partition];
  std::uint32_t places = 0;
  for (const std::uint32_t size : sizes_) {
    starts_.push_back(places);
    places += static_cast<std::uint32_t>(blocks_of(size) * block);
  }
  std::vector<std::uint32_t> next = starts_;
  ranks_.resize(places);
  for (std::uint32_t rank = 0; rank < partition_of.size(); ++rank)
    ranks_[next[partition_of[rank]]++] = rank;
  for (std::size_t c = 0; c < sizes_.size(); ++c)
    for (std::size_t i = 0; i < samples; ++i)
      samples_.push_back(sizes_[c] > 0 ? ranks_[starts_[c] + i * sizes_[c] / samples] : 0);
}

void PartitionTable::measure_means() {
  for (std::size_t at = 0; at < means_.size(); at += measure_.dimension) {
    const float* mean = means_.data() + at;
    mean_lengths_.push_back(
        static_cast<float>(codec::kernels::precise_sums(mean, mean, measure_.dimension).squared_b));
  }
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
  }
}

// A spread is shared by many directions. How many, stored vectors as queries tell: by how much the
// members of their best partitions differ from the means. Likewise what the residual codes miss.
void PartitionTable::learn_width(const std::function<const float*(std::uint32_t)>& row_of) {
  std::mt19937 random(3);
  double shares = 0, errors = 0, seen = 0;
  std::array<float, block> scores;
  for (int i = 0; i < 32 && !ranks_.empty(); ++i) {
    const std::size_t own_partition = random() % sizes_.size();
    if (sizes_[own_partition] == 0) continue;
    const std::uint32_t own = ranks_[starts_[own_partition] + random() % sizes_[own_partition]];
    const std::span<const float> query(row_of(own), measure_.dimension);
    const float length = length_of(query);
    const ResidualQuery residual = residuals_.prepare(query);
    const Outlook outlook = look_out(query);
    for (const std::uint32_t c :
         std::span(outlook.order).first(std::min(near_partitions, outlook.order.size()))) {
      residuals_.score(residual, starts_[c] / block, 1, outlook.products[c], {}, scores.data());
      for (std::uint32_t m = 0; m < std::min<std::size_t>(sizes_[c], block); ++m) {
        const std::uint32_t rank = ranks_[starts_[c] + m];
        const float scale = length * residuals_.factor(starts_[c] + m);
        if (rank == own || outlook.inverse_deviations[c] >= certain || scale <= 0) continue;
        const auto sums =
            codec::kernels::precise_sums(query.data(), row_of(rank), measure_.dimension);
        const double score =
            sums.dot - (measure_.metric == codec::Metric::euclidean ? sums.squared_b / 2 : 0);
        const double off =
            (score - double{outlook.means[c]}) * double{outlook.inverse_deviations[c]};
        const double missed = (score - double{scores[m]}) / double{scale};
        shares += off * off;  // the width was 1 so far
        errors += missed * missed;
        ++seen;
      }
    }
  }
  if (shares > 0) width_ = static_cast<float>(std::clamp(seen / shares, 1.0, double{most_width}));
  if (seen > 0) error_ = static_cast<float>(std::sqrt(errors / seen));
}

// Of x = mean + r the score is that of the mean, and what r has in the direction of the query; under
// the Euclidean metric in the direction from the mean to the query, |x|^2 / 2 being taken off.
PartitionTable::Outlook PartitionTable::look_out(std::span<const float> query) const {
  const std::size_t count = sizes_.size();
  std::vector<const float*> rows;
  rows.reserve(count);
  for (std::size_t c = 0; c < count; ++c) rows.push_back(means_.data() + c * measure_.dimension);
  Outlook all;
  all.products.resize(count);
  const auto kernels = codec::kernels::negated_dot_kernels();
  kernels.rows(query.data(), rows.data(), count, query.size(), all.products.data());
  const float length = -kernels.pair(query.data(), query.data(), query.size());
  const bool is_euclidean = measure_.metric == codec::Metric::euclidean;
  all.means.resize(count);
  all.inverse_deviations.resize(count);
  all.weights.resize(count);
  std::vector<float> promises(count);
  for (std::uint32_t c = 0; c < count; ++c) {
    const float product = all.products[c] = -all.products[c];
    const float reach =
        is_euclidean ? std::max(length - 2 * product + mean_lengths_[c], 0.0F) : length;
    const float deviation = std::sqrt(reach) * std::sqrt(spreads_[c] / width_);
    all.means[c] = is_euclidean ? product - norms_[c] / 2 : product;
    all.inverse_deviations[c] = deviation > 1 / certain ? 1 / deviation : certain;
    all.weights[c] = static_cast<float>(sizes_[c]);
    promises[c] = all.means[c] + 3 * deviation;
  }
  all.put_in_order(promises, sizes_);
  return all;
}

// By counting: the best are few and far between, and so lie in buckets of their own; in the crowd
// order means little.
void PartitionTable::Outlook::put_in_order(std::span<const float> promises,
                                           std::span<const std::uint32_t> sizes) {
  const auto [least, most] = std::ranges::minmax(promises);
  const float scale = most > least ? (buckets - 1) / (most - least) : 0;
  std::vector<std::uint16_t> bucket_of(promises.size());
  std::array<std::uint32_t, buckets + 1> next{};
  for (std::size_t c = 0; c < promises.size(); ++c) {
    bucket_of[c] = static_cast<std::uint16_t>((most - promises[c]) * scale);
    if (sizes[c] > 0) ++next[bucket_of[c] + 1];
  }
  for (std::size_t b = 1; b <= buckets; ++b) next[b] += next[b - 1];
  order.resize(next[buckets]);
  for (std::uint32_t c = 0; c < promises.size(); ++c)
    if (sizes[c] > 0) order[next[bucket_of[c]]++] = c;
}

double PartitionTable::Outlook::expected(float score) const {
  return double{codec::kernels::weighted_tails(means.data(), inverse_deviations.data(),
                                               weights.data(), means.size(), score)};
}

// From a few members, and as if some more had been asked that are selected as often as all are.
void PartitionTable::weigh(const RankSelection& selection, std::vector<float>& weights) const {
  if (selection.form() == RankSelection::Form::all) return;
  const std::size_t members = std::max<std::size_t>(selection.ranks(), 1);
  const float usual = static_cast<float>(selection.count()) / static_cast<float>(members);
  for (std::size_t c = 0; c < sizes_.size(); ++c) {
    if (sizes_[c] == 0) continue;
    unsigned selected = 0;
    for (std::size_t i = 0; i < samples; ++i)
      selected += selection.contains(samples_[c * samples + i]) ? 1 : 0;
    weights[c] *= (static_cast<float>(selected) + prior * usual) / (samples + prior);
  }
}

PartitionTable::Outlook PartitionTable::look_out(std::span<const float> query,
                                                 const RankSelection& selection) const {
  Outlook outlook = look_out(query);
  weigh(selection, outlook.weights);
  return outlook;
}

double PartitionTable::share_near(const Outlook& outlook, const RankSelection& selection) const {
  if (selection.form() == RankSelection::Form::all) return 1;
  std::size_t asked = 0, selected = 0;
  for (const std::uint32_t partition :
       std::span(outlook.order).first(std::min(batch, outlook.order.size()))) {
    const std::uint32_t end = starts_[partition] + sizes_[partition];
    for (std::uint32_t place = starts_[partition]; place < end; place += near_stride, ++asked)
      selected += selection.contains(ranks_[place]) ? 1 : 0;
  }
  return asked > 0 ? static_cast<double>(selected) / static_cast<double>(asked) : 0;
}

/// One search: what passes the residual codes is looked up in the code table.
class PartitionTable::Reading {
 public:
  Reading(const PartitionTable& table, std::span<const float> query, const CodedScan& scan,
          std::size_t wanted, CodedTop& top)
      : table_(table),
        scan_(scan),
        query_(table.residuals_.prepare(query)),
        second_(scan, wanted, top) {
    units_.add = -scan.query.offset;
    units_.times = 1 / scan.query.unit;
    units_.more = error_allowance * table.error_ * length_of(query);
  }

  /// `upcoming` is the partition to be read after this one.
  void read(std::uint32_t partition, float product, std::uint32_t upcoming) {
    const std::uint32_t start = table_.starts_[partition], size = table_.sizes_[partition];
    for (std::uint32_t at = 0; at < size; at += room) {
      const std::size_t count = std::min<std::size_t>(room, size - at);
      std::array<float, room> scores;
      table_.residuals_.score(
          query_, (start + at) / block, blocks_of(count), product, units_, scores.data(),
          at < table_.sizes_[upcoming] ? (table_.starts_[upcoming] + at) / block : 0);
      std::array<std::uint32_t, room + 16> places;
      const std::size_t passing =
          codec::kernels::places_above(scores.data(), count, second_.bound(), places.data());
      second_.add(
          passing, [&](std::size_t i) { return table_.ranks_[start + at + places[i]]; },
          [&](std::uint32_t rank) { return scan_.selection.contains(rank); });
    }
  }

  void flush() { second_.flush(); }

 private:
  const PartitionTable& table_;
  const CodedScan& scan_;
  ResidualQuery query_;
  ResidualCodes::Units units_;
  SecondLook second_;
};

void PartitionTable::search(std::span<const float> query, const CodedScan& scan,
                            const PartitionEffort& effort, Outlook outlook, CodedTop& top) const {
  Reading reading(*this, query, scan, effort.wanted, top);
  const std::vector<std::uint32_t>& order = outlook.order;
  for (std::size_t at = 0; at < order.size() && scan.selection.count() > 0;) {
    for (const std::size_t end = std::min(at + batch, order.size()); at < end; ++at) {
      const std::uint32_t partition = order[at];
      outlook.weights[partition] = 0;
      reading.read(partition, outlook.products[partition],
                   order[std::min(at + 1, order.size() - 1)]);
    }
    reading.flush();
    const Standing now = standing(top, scan.query, effort);
    if (now.missed > 0 && outlook.expected(now.bound) < now.missed) return;
  }
}

std::size_t PartitionTable::memory_bytes() const noexcept {
  return residuals_.memory_bytes() + (ranks_.size() + samples_.size()) * sizeof(std::uint32_t) +
         (means_.size() + 5 * sizes_.size()) * sizeof(float);
}

}  // namespace cairn::engine
