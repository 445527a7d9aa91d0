#pragma once
// The flat scan: scores the codes of all selected vectors and returns the best candidates for a
// comparison in full precision. Also the observed errors of codes, which decide how many candidates
// that takes.

#include "engine/vector/beam_search.hpp"
#include "engine/vector/ordinal_selection.hpp"
#include "engine/vector/sq4_codes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace cairn::engine {

/// Holds the `keep` best of the offered scores, and temporarily some more. It also maintains the
/// score of the last of the `wanted` best, which rises while scores are offered.
///
/// Offering is cheap: candidates accumulate in a buffer, which is cut to the best by a linear
/// selection when it is twice as long.
class QuantizedTopK {
 public:
  struct Item {
    std::int32_t score = 0;
    std::uint32_t rank = 0;
  };

  /// Spare room of the buffers, so that small ones are not cut at every few offers.
  static constexpr std::size_t slack = 256;

  QuantizedTopK(std::size_t keep, std::size_t wanted) : keep_(keep), wanted_(wanted) {
    scores_.reserve(2 * keep + slack);
    ranks_.reserve(2 * keep + slack);
    leading_.reserve(2 * wanted + slack);
  }

  /// A score that is not greater than this need not be offered.
  [[nodiscard]] std::int32_t bound() const noexcept { return bound_; }
  void offer(Item item) {
    scores_.push_back(item.score);
    ranks_.push_back(item.rank);
    if (item.score > led_) leading_.push_back(item.score);
    if (scores_.size() >= 2 * keep_ + slack) shrink();
    if (leading_.size() >= 2 * wanted_ + slack) settle_leading();
  }
  /// Raises the bound without having seen the scores below it. Requires that no bound is set, and
  /// that at least `keep` visible scores are above it.
  void let_go(std::int32_t bound) noexcept { bound_ = std::max(bound_, bound); }
  /// The number of items to hold.
  [[nodiscard]] std::size_t kept() const noexcept { return keep_; }
  /// Updates the bound if enough items were offered since.
  void settle() {
    if (scores_.size() >= 2 * keep_) shrink();
  }
  /// Returns the held items, the best `first` of them in front, otherwise in no particular order.
  /// Nothing may be offered afterwards.
  [[nodiscard]] std::vector<Item> best(std::size_t first = 0);
  /// After best(): returns items that were offered but not among the best, with scores above
  /// `bound`.
  [[nodiscard]] std::vector<Item> others_above(double bound) const;
  /// The greatest score that dropped items can have; nullopt if none was dropped.
  [[nodiscard]] std::optional<std::int32_t> dropped() const noexcept {
    if (bound_ == std::numeric_limits<std::int32_t>::min()) return std::nullopt;
    return bound_;
  }
  [[nodiscard]] std::size_t wanted() const noexcept { return wanted_; }
  /// The score of the last of the `wanted` best; nullopt if fewer were offered. If thousands are
  /// wanted it may lag by some blocks and be lower.
  [[nodiscard]] std::optional<std::int32_t> wanted_score();

 private:
  void settle_leading();
  void shrink();
  std::int32_t bring_best_to_front(std::size_t count, std::size_t among);

  std::size_t keep_, wanted_;
  std::size_t given_ = 0;  // size of the result of best()
  std::int32_t bound_ = std::numeric_limits<std::int32_t>::min();
  // Scores and, in parallel, their ranks.
  std::vector<std::int32_t> scores_;
  std::vector<std::uint32_t> ranks_;
  // Scores above `led_` since it was last set, and the `wanted` best at that time. Lower scores
  // cannot be among the best.
  std::vector<std::int32_t> leading_;
  std::int32_t led_ = std::numeric_limits<std::int32_t>::min();
};

/// What a scan reads. `live` excludes vectors that are hidden in the searched state.
struct CodedScan {
  const Sq4Codes& codes;
  const CodedQuery& query;
  const OrdinalSelection& selection;
  const LiveIds& live;
  float sign_reach = 0;  ///< error allowed for 1-bit codes
  /// True to read all codes in order, false to read only the selected ones.
  bool is_streamed = false;
};

/// Offers blocks of 4-bit scores to a QuantizedTopK.
class BlockOffering {
 public:
  static constexpr std::size_t block = 256;
  /// Room for the blocks of a selection, which may be longer.
  static constexpr std::size_t room = 2 * block;

  BlockOffering(const CodedScan& scan, QuantizedTopK& top) : scan_(scan), top_(top) {}

  [[nodiscard]] std::int32_t* scores() noexcept { return scores_.data(); }
  /// Offers the first `count` scores. `rank_at(i)` returns the rank that score i belongs to; this
  /// rank must be selected.
  template <class RankAt>
  void offer(std::size_t count, RankAt&& rank_at) {
    let_go(count);
    const std::size_t passing =
        codec::kernels::places_above(scores_.data(), count, top_.bound(), places_.data());
    for (std::size_t i = 0; i < passing; ++i) {
      const std::uint32_t rank = rank_at(places_[i]);
      if (is_shown(rank)) top_.offer({scores_[places_[i]], rank});
    }
    top_.settle();
  }

 private:
  // If no bound is set yet, derives one from the best scores of a large block, because offering the
  // whole block would cost more. Does nothing if vectors are hidden: the best scores could be
  // theirs.
  void let_go(std::size_t count) {
    const std::size_t some = 2 * top_.kept();
    if (top_.dropped() || count < 2 * some || scan_.live.hidden > 0) return;
    const std::int32_t least = codec::kernels::nth_greatest(scores_.data(), count, some);
    top_.let_go(std::max(least, std::numeric_limits<std::int32_t>::min() + 1) - 1);
  }
  // True unless the searched state hides the vector.
  [[nodiscard]] bool is_shown(std::uint32_t rank) const noexcept {
    return scan_.live.hidden == 0 || !scan_.live.is_hidden(scan_.live.map->slot_at(rank));
  }

  const CodedScan& scan_;
  QuantizedTopK& top_;
  std::array<std::int32_t, room> scores_;
  std::array<std::uint32_t, room + 16> places_;
};

/// Collects ranks that passed the 1-bit codes and scores their 4-bit codes in batches.
class SecondLook {
 public:
  /// Size of a batch.
  static constexpr std::size_t room = BlockOffering::block;
  static_assert(room <= codec::kernels::most_floats);

  SecondLook(const CodedScan& scan, QuantizedTopK& top)
      : scan_(scan), top_(top), offering_(scan, top) {
    learn_bound();
  }

  /// A 1-bit score must be greater than this for the 4-bit code to be read.
  [[nodiscard]] float bound() const noexcept { return bound_; }
  /// Looks at `count` 1-bit scores and collects the ranks whose score is above the bound and for
  /// which `is_wanted` is true. `rank_at` returns the rank of a place. `among` is a bitmap of
  /// places, or nullptr; places whose bit is 0 are skipped.
  template <class RankAt, class IsWanted>
  void look(const float* scores, std::size_t count, const std::uint64_t* among, RankAt&& rank_at,
            IsWanted&& is_wanted) {
    // If no bound is set yet, the best few are scored first to get one for the others.
    float seen = std::numeric_limits<float>::infinity();
    if (std::isinf(bound_) && count >= 2 * few() && few() <= room / 2) {
      seen = score_of_few(scores, count);
      add_all(scores, count, seen, among, rank_at, is_wanted);
      flush();
    }
    add_all(scores, count, bound_, among, rank_at, [&](std::uint32_t place, std::uint32_t rank) {
      return scores[place] <= seen && is_wanted(place, rank);
    });
  }
  /// Scores the collected ranks and updates the bound.
  void flush();

 private:
  // The bound is the score of the last wanted hit, not of the last candidate held: a vector that
  // cannot be a hit by its 1-bit code is dropped, and one that may be is scored by its 4-bit code.
  void learn_bound() noexcept {
    if (const auto score = top_.wanted_score()) bound_ = static_cast<float>(*score);
  }
  // How many vectors give the first bound.
  [[nodiscard]] std::size_t few() const noexcept {
    constexpr std::size_t least = 32;
    return std::max(least, 2 * top_.wanted());
  }

  /// Returns a score that at least few() of the scores reach, and hardly more. Divides the scores
  /// into groups, and returns the few()-th greatest of their maxima, each of which is a score.
  [[nodiscard]] float score_of_few(const float* scores, std::size_t count) const noexcept {
    std::array<float, room> greatest;
    const std::size_t groups = std::min(count, room);
    std::copy_n(scores, groups, greatest.begin());
    std::size_t at = groups;
    for (; at + room <= count; at += room)
      for (std::size_t i = 0; i < room; ++i)
        greatest[i] = scores[at + i] > greatest[i] ? scores[at + i] : greatest[i];
    for (std::size_t i = 0; at + i < count; ++i)
      greatest[i] = std::max(greatest[i], scores[at + i]);
    return codec::kernels::nth_greatest(greatest.data(), groups, few());
  }

  // Adds in parts, since scoring a part may raise the bound for the next one. `bound` is a
  // reference for that reason.
  template <class RankAt, class IsWanted>
  void add_all(const float* scores, std::size_t count, const float& bound,
               const std::uint64_t* among, RankAt&& rank_at, IsWanted&& is_wanted) {
    for (std::size_t first = 0; first < count; first += room)
      add(scores, first, std::min(room, count - first), bound, among, rank_at, is_wanted);
  }

  template <class RankAt, class IsWanted>
  void add(const float* scores, std::size_t first, std::size_t count, float bound,
           const std::uint64_t* among, RankAt&& rank_at, IsWanted&& is_wanted) {
    std::array<std::uint32_t, room + 16> places;
    const std::size_t passing = codec::kernels::places_above(
        scores + first, count, bound, places.data(), among == nullptr ? among : among + first / 64);
    const std::size_t before = size_;
    for (std::size_t i = 0; i < passing; ++i) {
      const auto place = static_cast<std::uint32_t>(first) + places[i];
      const std::uint32_t rank = rank_at(place);
      waiting_[size_] = rank;  // without a branch, which would be mispredicted often
      size_ += is_wanted(place, rank) ? 1 : 0;
    }
    for (std::size_t i = before; i < size_; ++i) scan_.codes.fetch(waiting_[i]);
    if (size_ >= room) flush();
  }

  const CodedScan& scan_;
  QuantizedTopK& top_;
  BlockOffering offering_;
  float bound_ = -std::numeric_limits<float>::infinity();
  std::array<std::uint32_t, 2 * room> waiting_;
  std::size_t size_ = 0;
};

/// Offers to `top` all selected and visible vectors that can be among the `top.wanted()` best.
void scan_codes(const CodedScan& scan, QuantizedTopK& top);

/// The nth smallest distance; 1 <= nth <= number of distances.
[[nodiscard]] float nth_distance(std::span<const SlotDistance> some, std::size_t nth);

/// How far away a hit is, independent of the length of the query: a non-negative number that grows
/// with the distance and is comparable only within one metric.
[[nodiscard]] double farness(const DistanceMetric& measure, std::span<const float> query,
                             float distance);

/// Candidates of one query and the exact distances of those that were compared in full.
struct CodeErrorInput {
  const DistanceMetric& measure;
  std::span<const float> query;
  const CodedQuery& coded;
  const InternalIds& slots;
  std::span<const QuantizedTopK::Item> items;
  /// The items that were compared: usually nearly all of `items`, in the same order.
  std::span<const SlotDistance> compared;
};
/// Returns a code score such that a vector with a lower one is not among the nearest `k`, according
/// to the observed errors of codes. Returns minus infinity if fewer than `k` were compared.
[[nodiscard]] double least_hit_score(const CodeErrorInput& input, std::size_t k);
/// Like least_hit_score(), for the case that only the items with the best codes were compared.
/// Their errors are biased, so a wider margin is used.
[[nodiscard]] double least_hit_score_of_best(const CodeErrorInput& input, std::size_t k);

}  // namespace cairn::engine
