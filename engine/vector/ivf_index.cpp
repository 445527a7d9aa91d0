// Decides which partitions a query reads, in which order, and when to stop. Layout:
//
// places      partition 0: 64 64 . | partition 1: 64 . | ...       blocks of 64, the last one padded
// ranks_      the rank of each place
// residuals_  one bit a component of each place
//
// The model: the scores of a partition's members are normally distributed around the score of its
// mean. Their standard deviation is sqrt(spread / width) times the length of the query. The spread
// is the mean squared distance of members from the mean; the width says how many directions share
// it, and is measured with stored vectors as queries. So the number of standard deviations between
// the current k-th best and the mean predicts how much there is to find. A partition is read if this
// number is below the reach.
//
// Nothing here is addressed by slot: filters are tested by rank.
#include "engine/vector/ivf_index.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace cairn::engine {
namespace {

constexpr std::size_t batch = 8;  // partitions between two updates of the bound
// Partitions of a sample query from which the width is learned.
constexpr std::size_t near_partitions = 16;
constexpr std::size_t read_first = 8;  // partitions before the rest is considered as a whole
// Members of a partition whose selection is sampled.
constexpr std::size_t samples = 8;
// Standard deviations that a promise adds to the expected score.
constexpr float usual_reach = 3;
// share_near() tests every fourth member of the most promising partitions.
constexpr std::uint32_t near_stride = 4;
// Quantiles of the errors of residual codes that are allowed for, at a low reach and at a high one.
// At a high reach more is read to find rare hits, so fewer may be missed.
constexpr std::array<double, 2> errors_allowed = {0.97, 0.998};
constexpr double low_reach = 3.5, high_reach = 5;
constexpr float most_width = 4'096;
constexpr std::size_t buckets = 512;            // buckets of the counting sort by promise
constexpr std::size_t room = SecondLook::room;  // scores at once
constexpr std::size_t block = IvfCodes::block;

/// A set of partitions, one bit each, in the layout that keep_groups() reads.
using Groups = std::array<std::uint8_t, codec::kernels::group_bytes>;

void add_group(Groups& groups, std::uint32_t partition) {
  std::uint8_t& byte = groups[partition / 8];
  byte = static_cast<std::uint8_t>(byte | 1U << partition % 8);
}

std::size_t blocks_of(std::size_t members) { return (members + block - 1) / block; }

float length_of(std::span<const float> query) {
  return static_cast<float>(
      std::sqrt(codec::kernels::precise_sums(query.data(), query.data(), query.size()).squared_b));
}

}  // namespace

IvfIndex::IvfIndex(const DistanceMetric& measure, std::span<const float> means,
                   std::span<const std::uint32_t> partition_of,
                   const std::function<const float*(std::uint32_t)>& row_of)
    : measure_(measure) {
  set_means(means);
  place(partition_of);
  residuals_ = IvfCodes(measure, ranks_.size() / block);
  for (std::size_t c = 0; c < sizes_.size(); ++c)
    for (std::uint32_t at = starts_[c]; at < starts_[c] + sizes_[c]; ++at)
      residuals_.set(at, row_of(ranks_[at]), means.data() + c * measure.dimension);
  learn_spreads(means, row_of);
  measure_scales();
  learn_width(row_of);
  measure_scales();
}

bool IvfIndex::settle(const DistanceMetric& measure, std::span<const float> means,
                      std::span<const std::uint32_t> partition_of) {
  measure_ = measure;
  set_means(means);
  place(partition_of);
  // Greater than |x|^2 of any stored vector.
  constexpr float most = 4e37F;
  const auto is_square = [](float x) { return x >= 0 && x <= most; };
  if (spreads_.size() != sizes_.size() || norms_.size() != sizes_.size() ||
      !std::ranges::all_of(spreads_, is_square) || !std::ranges::all_of(norms_, is_square) ||
      !(width_ >= 1 && width_ <= most_width) || !std::ranges::all_of(errors_, is_square))
    return false;
  measure_scales();
  return residuals_.settle(measure, ranks_.size() / block);
}

// With more partitions than fit in Groups (2,048, from about two million vectors on) these arrays
// stay empty. Then the rest is always read partition by partition.
void IvfIndex::group(std::span<const std::uint32_t> partition_of) {
  if (sizes_.size() > 8 * codec::kernels::group_bytes) return;
  const std::size_t words = (partition_of.size() + 63) / 64;
  group_bytes_.resize(words * 64);
  group_bits_.resize(words * 64);
  for (std::size_t rank = 0; rank < partition_of.size(); ++rank) {
    group_bytes_[rank] = static_cast<std::uint8_t>(partition_of[rank] / 8);
    group_bits_[rank] = static_cast<std::uint8_t>(1U << partition_of[rank] % 8);
  }
}

// Orders members by ascending rank within a partition, so that a filter's bitmap is read forward.
void IvfIndex::place(std::span<const std::uint32_t> partition_of) {
  group(partition_of);
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

// Stores the means in blocks, as dot_blocks() scores them.
void IvfIndex::set_means(std::span<const float> means) {
  const std::size_t dimension = measure_.dimension, count = means.size() / dimension;
  sizes_.resize(count);
  means_.resize((count + codec::kernels::dot_block - 1) / codec::kernels::dot_block *
                codec::kernels::dot_block * dimension);
  for (std::size_t c = 0; c < count; ++c) {
    const float* mean = means.data() + c * dimension;
    for (std::size_t j = 0; j < dimension; ++j)
      means_[codec::kernels::dot_place(c, j, dimension)] = mean[j];
    mean_lengths_.push_back(
        static_cast<float>(codec::kernels::precise_sums(mean, mean, dimension).squared_b));
  }
}

// Only the part of the spread in the query's direction changes a score.
void IvfIndex::measure_scales() {
  scales_.resize(spreads_.size());
  std::ranges::transform(spreads_, scales_.begin(),
                         [this](float spread) { return std::sqrt(spread / width_); });
}

// Computes the mean of |x - mean|^2 and of |x|^2 for each partition.
void IvfIndex::learn_spreads(std::span<const float> means,
                             const std::function<const float*(std::uint32_t)>& row_of) {
  for (std::size_t c = 0; c < sizes_.size(); ++c) {
    const float* mean = means.data() + c * measure_.dimension;
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

// Learns `width_` and `errors_` with stored vectors as queries: how much the scores of members vary
// in the most promising partitions, and by how much residual codes score too low.
void IvfIndex::learn_width(const std::function<const float*(std::uint32_t)>& row_of) {
  std::mt19937 random(3);
  double shares = 0;
  std::vector<float> errors;
  std::array<float, block> scores;
  for (int i = 0; i < 32 && !ranks_.empty(); ++i) {
    const std::size_t own_partition = random() % sizes_.size();
    if (sizes_[own_partition] == 0) continue;
    const std::uint32_t own = ranks_[starts_[own_partition] + random() % sizes_[own_partition]];
    const std::span<const float> query(row_of(own), measure_.dimension);
    const float length = length_of(query);
    const BinaryTables residual = residuals_.prepare(query);
    const ProbePlan probe_plan = plan_probes(query);
    for (const std::uint32_t c :
         std::span(probe_plan.order).first(std::min(near_partitions, probe_plan.order.size()))) {
      residuals_.score(residual, starts_[c] / block, 1, probe_plan.products[c], {}, scores.data());
      for (std::uint32_t m = 0; m < std::min<std::size_t>(sizes_[c], block); ++m) {
        const std::uint32_t rank = ranks_[starts_[c] + m];
        const float scale = length * residuals_.factor(starts_[c] + m);
        if (rank == own || probe_plan.deviations[c] <= 0 || scale <= 0) continue;
        const auto sums =
            codec::kernels::precise_sums(query.data(), row_of(rank), measure_.dimension);
        const double score =
            sums.dot - (measure_.metric == codec::Metric::euclidean ? sums.squared_b / 2 : 0);
        const double off = (score - double{probe_plan.means[c]}) / double{probe_plan.deviations[c]};
        // `width_` is still 1 here. If the whole spread were in one direction, the mean of these
        // squares would be 1; with n directions it is 1 / n.
        shares += off * off;
        errors.push_back(static_cast<float>((score - double{scores[m]}) / double{scale}));
      }
    }
  }
  if (errors.empty()) return;
  const auto seen = static_cast<double>(errors.size());
  if (shares > 0) width_ = static_cast<float>(std::clamp(seen / shares, 1.0, double{most_width}));
  for (std::size_t i = 0; i < errors_.size(); ++i) {
    const auto most = errors.begin() + static_cast<std::ptrdiff_t>((seen - 1) * errors_allowed[i]);
    std::ranges::nth_element(errors, most);
    errors_[i] = std::max(*most, 0.0F);
  }
}

// The error allowed for a product of residual codes, for a query of length 1: a product is rarely
// too low by more.
float IvfIndex::allowance(double reach) const noexcept {
  const double part = std::clamp((reach - low_reach) / (high_reach - low_reach), 0.0, 1.0);
  return errors_[0] + static_cast<float>(part) * (errors_[1] - errors_[0]);
}

// For x = mean + r, the score is the score of the mean plus the part of r in the query's direction.
// Under the Euclidean metric, where |x|^2 / 2 is subtracted, it is the part in the direction from
// the mean to the query.
IvfIndex::ProbePlan IvfIndex::plan_probes(std::span<const float> query) const {
  const std::size_t count = sizes_.size();
  const std::size_t blocks = means_.size() / codec::kernels::dot_block / query.size();
  ProbePlan all;
  all.products.resize(blocks * codec::kernels::dot_block);
  codec::kernels::dot_blocks(query.data(), means_.data(), blocks, query.size(),
                             all.products.data());
  const float length = length_of(query) * length_of(query);
  const bool is_euclidean = measure_.metric == codec::Metric::euclidean;
  all.means.resize(count);
  all.deviations.resize(count);
  std::vector<float> promises(count);
  for (std::uint32_t c = 0; c < count; ++c) {
    const float product = all.products[c];
    const float reach =
        is_euclidean ? std::max(length - 2 * product + mean_lengths_[c], 0.0F) : length;
    all.means[c] = is_euclidean ? product - norms_[c] / 2 : product;
    all.deviations[c] = std::sqrt(reach) * scales_[c];
    promises[c] = all.means[c] + usual_reach * all.deviations[c];
  }
  all.put_in_order(promises, sizes_);
  return all;
}

// A counting sort with 512 buckets. It is linear; sorting a thousand promises exactly would cost
// more than scoring their means. The best partitions are far apart and so get buckets of their own.
// Among the many others order matters little.
void IvfIndex::ProbePlan::put_in_order(std::span<const float> promises,
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

double IvfIndex::share_near(const ProbePlan& probe_plan, const OrdinalSelection& selection) const {
  if (selection.form() == OrdinalSelection::Form::all) return 1;
  const auto near = std::span(probe_plan.order).first(std::min(batch, probe_plan.order.size()));
  // Tests some hundred bits, or, if the filter is a short list, looks up the partition of each of
  // its ranks.
  const bool is_by_member =
      selection.form() == OrdinalSelection::Form::list && !group_bytes_.empty();
  return is_by_member ? share_of_list(near, selection.list()) : share_asked(near, selection);
}

// Tests every near_stride-th member of the partitions.
double IvfIndex::share_asked(std::span<const std::uint32_t> partitions,
                             const OrdinalSelection& selection) const {
  std::size_t asked = 0, selected = 0;
  for (const std::uint32_t partition : partitions) {
    const std::uint32_t end = starts_[partition] + sizes_[partition];
    for (std::uint32_t place = starts_[partition]; place < end; place += near_stride, ++asked)
      selected += selection.contains(ranks_[place]) ? 1 : 0;
  }
  return asked > 0 ? static_cast<double>(selected) / static_cast<double>(asked) : 0;
}

// Counts how many of the selected ranks belong to the partitions.
double IvfIndex::share_of_list(std::span<const std::uint32_t> partitions,
                               std::span<const std::uint32_t> ranks) const {
  Groups groups{};
  std::size_t members = 0, selected = 0;
  for (const std::uint32_t partition : partitions) {
    members += sizes_[partition];
    add_group(groups, partition);
  }
  for (const std::uint32_t rank : ranks)
    selected += (groups[group_bytes_[rank]] & group_bits_[rank]) != 0 ? 1 : 0;
  return members > 0 ? static_cast<double>(selected) / static_cast<double>(members) : 0;
}

/// Reads partitions for one search. Vectors that pass the residual codes are scored by their 4-bit
/// codes.
class IvfIndex::Reading {
 public:
  Reading(const IvfIndex& table, std::span<const float> query, const CodedScan& scan, double reach,
          QuantizedTopK& top)
      : table_(table), scan_(scan), query_(table.residuals_.prepare(query)), second_(scan, top) {
    units_.add = -scan.query.offset;
    units_.times = 1 / scan.query.unit;
    // Bounded to a finite value, because a damaged file may hold any error, and infinity times 0 is
    // not a number.
    constexpr float most = 1e30F;
    units_.more = std::min(table.allowance(reach) * length_of(query), most);
  }

  /// Reads one partition and prefetches `upcoming`, which is read next.
  void read(std::uint32_t partition, float product, std::uint32_t upcoming) {
    const std::uint32_t start = table_.starts_[partition], size = table_.sizes_[partition];
    for (std::uint32_t at = 0; at < size; at += room) {
      const std::size_t count = std::min<std::size_t>(room, size - at);
      for (std::size_t i = 0; i < count; i += 16)
        __builtin_prefetch(&table_.ranks_[start + at + i]);
      std::array<float, room> scores;
      table_.residuals_.score(
          query_, (start + at) / block, blocks_of(count), product, units_, scores.data(),
          at < table_.sizes_[upcoming] ? (table_.starts_[upcoming] + at) / block : 0);
      // The filter is tested last, on the few vectors that pass the residual codes.
      second_.look(
          scores.data(), count, nullptr,
          [&](std::uint32_t place) { return table_.ranks_[start + at + place]; },
          [&](std::uint32_t, std::uint32_t rank) { return scan_.selection.contains(rank); });
    }
  }

  void flush() { second_.flush(); }
  /// The score of the last of the wanted hits known so far.
  [[nodiscard]] float bound() const {
    return scan_.query.offset + scan_.query.unit * second_.bound();
  }

 private:
  const IvfIndex& table_;
  const CodedScan& scan_;
  BinaryTables query_;
  IvfCodes::Units units_;
  SecondLook second_;
};

/// Decides whether to read a partition. In the tail of a normal distribution, each standard
/// deviation reduces what is left by about the factor exp(-reach). So a partition of which the
/// filter selects f times more than usual is worth log(f) / reach additional standard deviations.
class IvfIndex::Promise {
 public:
  Promise(const IvfIndex& table, const OrdinalSelection& selection, const ProbePlan& probe_plan,
          double reach)
      : table_(table), selection_(selection), probe_plan_(probe_plan) {
    const double usual = static_cast<double>(selection.count()) /
                         static_cast<double>(std::max<std::size_t>(selection.ranks(), 1));
    // Weight of the usual share, in samples.
    const double prior = std::max(1 / usual, 2.0);
    for (std::size_t i = 0; i <= samples; ++i) {
      // Eight samples are few, so the observed share is averaged with the usual one.
      const double share = (static_cast<double>(i) + prior * usual) / (samples + prior);
      reaches_[i] = static_cast<float>(reach + std::log(share / usual) /
                                                   std::max(reach, double{least_reach}));
    }
    if (selection.form() == OrdinalSelection::Form::all || reach >= ProbeBounds::everything)
      reaches_.fill(static_cast<float>(reach));
  }

  /// True if a partition has to be read when the current k-th best has the score `bound`.
  [[nodiscard]] bool is_kept(std::uint32_t partition, float bound) const {
    if (reaches_[0] >= static_cast<float>(ProbeBounds::everything)) return true;
    const float ahead = bound - probe_plan_.means[partition];
    const float deviation = probe_plan_.deviations[partition];
    // Tries the lowest and the highest possible sample result first: most partitions are decided
    // without sampling.
    if (ahead >= reaches_[samples] * deviation) return false;
    return ahead < reaches_[0] * deviation || ahead < reaches_[selected(partition)] * deviation;
  }

 private:
  static constexpr float least_reach = 1.5;

  // Number of the sampled members that are selected.
  [[nodiscard]] std::size_t selected(std::uint32_t partition) const {
    std::size_t found = 0;
    for (std::size_t i = 0; i < samples; ++i)
      found += selection_.contains(table_.samples_[partition * samples + i]) ? 1 : 0;
    return found;
  }

  const IvfIndex& table_;
  const OrdinalSelection& selection_;
  const ProbePlan& probe_plan_;
  std::array<float, samples + 1> reaches_{};  // limit by number of selected samples
};

/// The partitions that remain after the nearest ones. They are either read one by one, or the
/// selected vectors of all of them are scored together.
class IvfIndex::Remainder {
 public:
  Remainder(const IvfIndex& table, const Promise& promise, const ProbePlan& probe_plan,
            std::size_t from, float bound)
      : table_(table) {
    for (const std::uint32_t partition : std::span(probe_plan.order).subspan(from)) {
      if (!promise.is_kept(partition, bound)) continue;
      places_ += table.sizes_[partition];
      add_group(groups_, partition);
    }
  }

  /// True if the filter is a bitmap and the partition of each rank is stored.
  [[nodiscard]] static bool is_possible(const IvfIndex& table, const OrdinalSelection& selection) {
    return selection.form() == OrdinalSelection::Form::bits && !table.group_bytes_.empty();
  }
  /// True if scoring the selected vectors is cheaper than reading the partitions. To find them, a
  /// bit of every vector in the segment is read.
  [[nodiscard]] bool is_gathered(const OrdinalSelection& selection,
                                 const ProbeBounds& effort) const {
    const auto ranks = static_cast<double>(selection.ranks());
    const auto all_selected = static_cast<double>(selection.count());
    const double finding =
        ranks / 64 * word_ns + (codec::kernels::keeps_groups_by_word() ? 0 : all_selected * bit_ns);
    const double selected = static_cast<double>(places_) * all_selected / ranks;
    return finding + selected * effort.gather_ns < static_cast<double>(places_) * effort.place_ns;
  }

  void gather(const CodedScan& scan, QuantizedTopK& top) const {
    const OrdinalSelection some = scan.selection.only(
        {table_.group_bytes_.data(), table_.group_bits_.data()}, groups_.data());
    scan_codes({scan.codes, scan.query, some, scan.live, scan.sign_reach, false}, top);
  }

 private:
  // The cost of filtering 64 ranks by their partition, and the additional cost of each selected
  // rank if the processor lacks the instructions for the filter.
  static constexpr double word_ns = 3;
  static constexpr double bit_ns = 1;

  const IvfIndex& table_;
  std::size_t places_ = 0;
  Groups groups_{};
};

void IvfIndex::search(std::span<const float> query, const CodedScan& scan,
                      const ProbeBounds& effort, const ProbePlan& probe_plan,
                      QuantizedTopK& top) const {
  if (scan.selection.count() == 0) return;
  Reading reading(*this, query, scan, effort.reach, top);
  const Promise promise(*this, scan.selection, probe_plan, effort.reach);
  float bound = effort.least;
  std::size_t read = 0, next_look = 1;
  for (std::size_t at = 0; at < probe_plan.order.size(); ++at) {
    const std::uint32_t partition = probe_plan.order[at];
    if (!promise.is_kept(partition, bound)) continue;
    reading.read(partition, probe_plan.products[partition],
                 probe_plan.order[std::min(at + 1, probe_plan.order.size() - 1)]);
    // The bound is updated after 1, 2, 4 and 8 partitions and then after every 8: the first
    // partitions bring a bound soon, later ones share a flush.
    if (++read < next_look) continue;
    next_look += std::min(read, batch);
    reading.flush();
    bound = std::max(effort.least, reading.bound());
    if (read != read_first || !Remainder::is_possible(*this, scan.selection)) continue;
    const Remainder rest(*this, promise, probe_plan, at + 1, bound);
    if (rest.is_gathered(scan.selection, effort)) return rest.gather(scan, top);
  }
  reading.flush();
}

std::size_t IvfIndex::memory_bytes() const noexcept {
  return residuals_.memory_bytes() + group_bytes_.size() + group_bits_.size() +
         (ranks_.size() + samples_.size()) * sizeof(std::uint32_t) +
         (means_.size() + 6 * sizes_.size()) * sizeof(float);
}

}  // namespace cairn::engine
