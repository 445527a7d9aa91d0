// The flat scan in three forms, by the number of selected vectors:
//
// stream            nearly all: scores all 1-bit codes in order, with the filter as a bit mask
// gather_by_signs   some: scores the 1-bit codes of the selected vectors, at random addresses
// gather            few: scores their 4-bit codes at once
//
// The first two forms have two passes. The 1-bit codes let through the vectors that may be among
// the best, within the measured error. The 4-bit codes of these vectors decide which ones are
// compared in full. The bound only rises, so a vector that was rejected once is never looked at
// again.
#include "engine/vector/coded_scan.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace cairn::engine {
namespace {

constexpr std::size_t room = SecondLook::room;
// With fewer selected vectors, preparing the tables for 1-bit codes does not pay.
constexpr std::size_t least_signed = 768;

using Scores = std::array<float, room>;

constexpr auto is_any = [](std::uint32_t, std::uint32_t) { return true; };

// Scores all 1-bit codes in order.
void stream(const CodedScan& scan, QuantizedTopK& top) {
  const SignQuery query = scan.codes.prepare_signs(scan.query, scan.sign_reach);
  SecondLook second(scan, top);
  Scores scores;
  for (std::size_t first = 0; first < scan.codes.count(); first += room) {
    const std::size_t count = std::min(room, scan.codes.count() - first);
    scan.codes.signs().score(query, first / BinaryCodes::block,
                             (count + BinaryCodes::block - 1) / BinaryCodes::block, scores.data());
    second.look(
        scores.data(), count, scan.selection.bits_from(first),
        [&](std::uint32_t place) { return static_cast<std::uint32_t>(first) + place; }, is_any);
  }
  second.flush();
}

// Scores the 4-bit codes of the selected vectors.
void gather(const CodedScan& scan, QuantizedTopK& top) {
  BlockOffering offering(scan, top);
  scan.selection.for_each_block([&](std::span<const std::uint32_t> ranks) {
    scan.codes.score(scan.query, ranks, offering.scores());
    offering.offer(ranks.size(), [&](std::uint32_t i) { return ranks[i]; });
  });
}

// Scores 1-bit codes first, so that most selected vectors need no 4-bit code. Blocks are large:
// prefetching pauses between two blocks, and the first block sets the bound.
void gather_by_signs(const CodedScan& scan, QuantizedTopK& top) {
  const SignQuery query = scan.codes.prepare_signs(scan.query, scan.sign_reach);
  SecondLook second(scan, top);
  constexpr std::size_t many = 1'024;
  std::array<float, 2 * many> scores;
  scan.selection.for_each_block<many>([&](std::span<const std::uint32_t> ranks) {
    scan.codes.signs().score(query, ranks, scores.data());
    second.look(
        scores.data(), ranks.size(), nullptr, [&](std::uint32_t place) { return ranks[place]; },
        is_any);
  });
  second.flush();
}

}  // namespace

void SecondLook::flush() {
  const std::span<const std::uint32_t> ranks(waiting_.data(), size_);
  scan_.codes.score(scan_.query, ranks, offering_.scores());
  offering_.offer(size_, [&](std::uint32_t i) { return ranks[i]; });
  size_ = 0;
  learn_bound();
}

// Moves the `count` best of the first `among` items to the front and returns the score of the last
// of them. Among equals of the last one, the first ones are left out.
std::int32_t QuantizedTopK::bring_best_to_front(std::size_t count, std::size_t among) {
  const std::int32_t last = codec::kernels::nth_greatest(scores_.data(), among, count);
  std::vector<std::uint32_t> places(among + 16);
  // The kernel finds scores greater than its argument; the score of the last one must be included.
  const std::int32_t below = std::max(last, std::numeric_limits<std::int32_t>::min() + 1) - 1;
  const std::size_t found =
      codec::kernels::places_above(scores_.data(), among, below, places.data());
  std::size_t left = found - std::min(count, found), kept = 0;
  for (const std::uint32_t place : std::span(places).first(found)) {
    if (left > 0 && scores_[place] == last) {
      --left;
      continue;
    }
    std::swap(scores_[kept], scores_[place]);
    std::swap(ranks_[kept++], ranks_[place]);
  }
  return last;
}

// Takes linear time, and runs only after at least `keep` further offers. So an offer has a constant
// amortised cost.
void QuantizedTopK::shrink() {
  bound_ = bring_best_to_front(keep_, scores_.size());
  scores_.resize(keep_);
  ranks_.resize(keep_);
}

std::vector<QuantizedTopK::Item> QuantizedTopK::best(std::size_t first) {
  if (scores_.size() > keep_) bring_best_to_front(keep_, scores_.size());
  given_ = std::min(keep_, scores_.size());
  if (first > 0 && first < given_) bring_best_to_front(first, given_);
  std::vector<Item> items(given_);
  for (std::size_t i = 0; i < given_; ++i) items[i] = {scores_[i], ranks_[i]};
  return items;
}

std::vector<QuantizedTopK::Item> QuantizedTopK::others_above(double bound) const {
  std::vector<Item> items;
  for (std::size_t i = given_; i < scores_.size(); ++i)
    if (scores_[i] > bound) items.push_back({scores_[i], ranks_[i]});
  return items;
}

std::optional<std::int32_t> QuantizedTopK::wanted_score() {
  if (wanted_ == 0 || leading_.size() < wanted_) return std::nullopt;
  // If very many are wanted, settling at each block would cost more than a bound that lags a
  // little.
  const std::size_t late = wanted_ / 1'024 * 64;
  const bool is_known = led_ != std::numeric_limits<std::int32_t>::min();
  if (!is_known || leading_.size() - wanted_ >= late) settle_leading();
  return led_;
}

// Selects the `wanted` best in linear time, once for all scores that were offered meanwhile. A heap
// would cost a mispredicted branch for each score.
void QuantizedTopK::settle_leading() {
  if (wanted_ == 0) return leading_.clear();
  led_ = codec::kernels::nth_greatest(leading_.data(), leading_.size(), wanted_);
  std::erase_if(leading_, [this](std::int32_t score) { return score <= led_; });
  // Fewer than `wanted` scores are greater; the rest equals `led_`.
  leading_.resize(wanted_, led_);
}

void scan_codes(const CodedScan& scan, QuantizedTopK& top) {
  if (scan.is_streamed && scan.selection.form() != OrdinalSelection::Form::list) {
    stream(scan, top);
  } else if (scan.selection.count() >= least_signed) {
    gather_by_signs(scan, top);
  } else {
    gather(scan, top);
  }
}

// A code's score represents offset + unit * score: a dot product, under the Euclidean metric
// reduced by |x|^2 / 2 (sq4_codes.hpp). Conversely, each exact distance gives the score that a code
// without an error would have. The errors of one query at its nearest vectors are similar. So the
// errors of the compared vectors predict the errors of others: mean and standard deviation, as of a
// normal distribution.

namespace {

// Of the vectors exactly as far as the last hit, one in a hundred has a greater error.
constexpr double deviations = 2.33;
// A wider margin, because a few chosen vectors predict less reliably.
constexpr double deviations_of_best = 4;

double squared_norm(std::span<const float> query) {
  return codec::kernels::precise_sums(query.data(), query.data(), query.size()).squared_b;
}

/// The errors of the codes of compared vectors.
class Errors {
 public:
  explicit Errors(const CodeErrorInput& input)
      : input_(input),
        squared_(input.measure.metric == codec::Metric::euclidean ? squared_norm(input.query) : 0) {
    std::size_t at = 0;
    for (const SlotDistance& one : input.compared) {
      // `compared` may skip items, so the loop advances to the item of the same slot, which is
      // near.
      while (input.slots.slot_at(input.items[at].rank) != one.slot)
        at = (at + 1) % input.items.size();
      const double error = score_of(one.distance) - input.items[at].score;
      sum_ += error;
      squares_ += error * error;
    }
  }

  [[nodiscard]] double mean() const { return sum_ / count(); }
  /// Mean of the squared errors.
  [[nodiscard]] double square() const { return squares_ / count(); }
  /// The score that the code of the nth nearest compared vector would have without an error.
  [[nodiscard]] double nth_score(std::size_t nth) const {
    return score_of(nth_distance(input_.compared, nth));
  }

 private:
  [[nodiscard]] double count() const { return static_cast<double>(input_.compared.size()); }
  [[nodiscard]] double score_of(float distance) const {
    const bool is_euclidean = input_.measure.metric == codec::Metric::euclidean;
    const double product = is_euclidean ? (squared_ - double{distance}) / 2 : -double{distance};
    return (product - double{input_.coded.offset}) / double{input_.coded.unit};
  }

  const CodeErrorInput& input_;
  double squared_;
  double sum_ = 0, squares_ = 0;
};

}  // namespace

// Small sets are selected by a kernel without branches.
float nth_distance(std::span<const SlotDistance> some, std::size_t nth) {
  std::vector<float> nearness;
  nearness.reserve(some.size());
  for (const SlotDistance& one : some) nearness.push_back(-one.distance);
  if (nearness.size() <= codec::kernels::most_floats)
    return -codec::kernels::nth_greatest(nearness.data(), nearness.size(), nth);
  const auto last = nearness.begin() + static_cast<std::ptrdiff_t>(nth - 1);
  std::ranges::nth_element(nearness, last, std::greater());
  return -*last;
}

double farness(const DistanceMetric& measure, std::span<const float> query, float distance) {
  if (measure.metric == codec::Metric::euclidean) return double{distance};
  if (measure.metric == codec::Metric::cosine) return std::max(1 + double{distance}, 0.0);
  const double length = std::sqrt(squared_norm(query));
  const double each = length > 0 ? double{distance} / length : 0;
  // Maps `each`, which may be any number, to a number between 0 and 2.
  return 1 + each / (1 + std::abs(each));
}

double least_hit_score(const CodeErrorInput& input, std::size_t k) {
  if (input.compared.size() < k || k == 0) return -std::numeric_limits<double>::infinity();
  const Errors seen(input);
  const double deviation = std::sqrt(std::max(seen.square() - seen.mean() * seen.mean(), 0.0));
  return seen.nth_score(k) - seen.mean() - deviations * deviation;
}

// The best codes are best partly through errors in their favour, and others may have equal errors
// against them. So errors are measured from zero and not from their mean.
double least_hit_score_of_best(const CodeErrorInput& input, std::size_t k) {
  if (input.compared.size() < k || k == 0) return -std::numeric_limits<double>::infinity();
  const Errors seen(input);
  return seen.nth_score(k) - deviations_of_best * std::sqrt(seen.square());
}

}  // namespace cairn::engine
