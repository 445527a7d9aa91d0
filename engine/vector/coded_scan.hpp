#pragma once
// The flat scan: codes of every vector that may be returned, and the best of them for a second look.

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

/// Keeps the `keep` best scores that were offered, and some that are not; of the `wanted` best it
/// knows at any time what they reach.
class QuantizedTopK {
 public:
  struct Item {
    std::int32_t score = 0;
    std::uint32_t rank = 0;
  };

  static constexpr std::size_t slack = 256;

  QuantizedTopK(std::size_t keep, std::size_t wanted) : keep_(keep), wanted_(wanted) {
    scores_.reserve(2 * keep + slack);
    ranks_.reserve(2 * keep + slack);
    leading_.reserve(2 * wanted + slack);
  }

  /// What is not above need not be offered.
  [[nodiscard]] std::int32_t bound() const noexcept { return bound_; }
  void offer(Item item) {
    scores_.push_back(item.score);
    ranks_.push_back(item.rank);
    if (item.score > led_) leading_.push_back(item.score);
    if (scores_.size() >= 2 * keep_ + slack) shrink();
    if (leading_.size() >= 2 * wanted_ + slack) settle_leading();
  }
  /// What is not above `bound` is let go unseen, as long as nothing was: others are as many as the heap holds.
  void let_go(std::int32_t bound) noexcept { bound_ = std::max(bound_, bound); }
  [[nodiscard]] std::size_t kept() const noexcept { return keep_; }
  /// Brings the bound up to what was offered, where that is worth it.
  void settle() {
    if (scores_.size() >= 2 * keep_) shrink();
  }
  /// The `first` best in front, in no order. Nothing is offered behind it.
  [[nodiscard]] std::vector<Item> best(std::size_t first = 0);
  /// Behind best(): others that are known, with a score above `bound`.
  [[nodiscard]] std::vector<Item> others_above(double bound) const;
  /// What was let go, if anything was, has no greater score.
  [[nodiscard]] std::optional<std::int32_t> dropped() const noexcept {
    if (bound_ == std::numeric_limits<std::int32_t>::min()) return std::nullopt;
    return bound_;
  }
  [[nodiscard]] std::size_t wanted() const noexcept { return wanted_; }
  /// The score that as many reach as are wanted, if there are so many; of thousands that are wanted it may be
  /// that of some blocks before, which is not greater.
  [[nodiscard]] std::optional<std::int32_t> wanted_score();

 private:
  void settle_leading();
  void shrink();
  std::int32_t bring_best_to_front(std::size_t count, std::size_t among);

  std::size_t keep_, wanted_;
  std::size_t given_ = 0;  // in front
  std::int32_t bound_ = std::numeric_limits<std::int32_t>::min();
  std::vector<std::int32_t> scores_;  // and their ranks
  std::vector<std::uint32_t> ranks_;
  // The best that are wanted are among those leading; what is not above `led_` is not among them.
  std::vector<std::int32_t> leading_;
  std::int32_t led_ = std::numeric_limits<std::int32_t>::min();
};

/// What a scan reads. `live` tells what the state hides.
struct CodedScan {
  const Sq4Codes& codes;
  const CodedQuery& query;
  const OrdinalSelection& selection;
  const LiveIds& live;
  float sign_reach = 0;      ///< what is allowed for errors of 1-bit codes
  bool is_streamed = false;  ///< all codes in order, rather than the selected ones by themselves
};

/// Offers what passes of one block of scores after the other.
class BlockOffering {
 public:
  static constexpr std::size_t block = 256;
  /// Selections come in blocks that may be longer.
  static constexpr std::size_t room = 2 * block;

  BlockOffering(const CodedScan& scan, QuantizedTopK& top) : scan_(scan), top_(top) {}

  [[nodiscard]] std::int32_t* scores() noexcept { return scores_.data(); }
  /// `rank_at(i)` gives the rank of score i, which is selected.
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
  // As long as there is no bound, of a block the best make one: to offer all of them costs more. What is
  // hidden must not be among these.
  void let_go(std::size_t count) {
    const std::size_t some = 2 * top_.kept();
    if (top_.dropped() || count < 2 * some || scan_.live.hidden > 0) return;
    const std::int32_t least = codec::kernels::nth_greatest(scores_.data(), count, some);
    top_.let_go(std::max(least, std::numeric_limits<std::int32_t>::min() + 1) - 1);
  }
  [[nodiscard]] bool is_shown(std::uint32_t rank) const noexcept {
    return scan_.live.hidden == 0 || !scan_.live.is_hidden(scan_.live.map->slot_at(rank));
  }

  const CodedScan& scan_;
  QuantizedTopK& top_;
  std::array<std::int32_t, room> scores_;
  std::array<std::uint32_t, room + 16> places_;
};

/// Ranks that passed a first look wait until there are enough for the codes.
class SecondLook {
 public:
  static constexpr std::size_t room = BlockOffering::block;  ///< for those that wait
  static_assert(room <= codec::kernels::most_floats);

  SecondLook(const CodedScan& scan, QuantizedTopK& top)
      : scan_(scan), top_(top), offering_(scan, top) {
    learn_bound();
  }

  /// What a score must be above for its rank to be worth a look.
  [[nodiscard]] float bound() const noexcept { return bound_; }
  /// Of `count` first scores looks at those above the bound that `is_wanted`; `rank_at` gives the rank
  /// of a place. Where `among` is not null, only those whose bit in it is set.
  template <class RankAt, class IsWanted>
  void look(const float* scores, std::size_t count, const std::uint64_t* among, RankAt&& rank_at,
            IsWanted&& is_wanted) {
    // As long as there is no bound, the best few make one for all the others.
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
  void flush();

 private:
  // The bound is that of the hits wanted and not of the codes held: what cannot be a hit by 1-bit codes is
  // let go, and who may be is looked at by codes.
  void learn_bound() noexcept {
    if (const auto score = top_.wanted_score()) bound_ = static_cast<float>(*score);
  }
  [[nodiscard]] std::size_t few() const noexcept {
    constexpr std::size_t least = 32;
    return std::max(least, 2 * top_.wanted());
  }

  /// A score that few() reach, and hardly more. Each of the greatest of so many groups as there is room for
  /// stands for one of them at least.
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

  // By parts, since what is looked at in one of them may raise the bound for the next.
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
      waiting_[size_] = rank;  // without a branch, which nobody could predict
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

/// Offer the selected vectors that the state shows, all that can be among the best that are wanted.
void scan_codes(const CodedScan& scan, QuantizedTopK& top);

// By how much 4-bit codes have erred for one query, seen at the vectors that were compared in full; and
// which others may therefore be hits.

/// The nth least distance of some; 1 <= nth <= their number.
[[nodiscard]] float nth_distance(std::span<const SlotDistance> some, std::size_t nth);

/// How far a hit lies, whatever the length of the query: a number that is not negative and grows with it, of
/// its own for each metric.
[[nodiscard]] double farness(const DistanceMetric& measure, std::span<const float> query,
                             float distance);

struct CodeErrorInput {
  const DistanceMetric& measure;
  std::span<const float> query;
  const CodedQuery& coded;
  const InternalIds& slots;
  std::span<const QuantizedTopK::Item> items;
  /// Those of the items whose distances are known: mostly all, and in the same order.
  std::span<const SlotDistance> compared;
};
/// Who has no greater score by its code is not among the nearest `k`, as far as errors were seen; below all
/// scores where fewer are known.
[[nodiscard]] double least_hit_score(const CodeErrorInput& input, std::size_t k);
/// The same where only those that are best by their codes were compared, whose errors say less of others.
[[nodiscard]] double least_hit_score_of_best(const CodeErrorInput& input, std::size_t k);

}  // namespace cairn::engine
