#include "engine/vector/coded_scan.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace cairn::engine {
namespace {

constexpr std::size_t room = SecondLook::room;
constexpr std::size_t least_signed = 2'048;  // below, to prepare for signs is not worth it

using Scores = std::array<float, room>;
using Places = std::array<std::uint32_t, room + 16>;

// All signs in order.
void stream(const CodedScan& scan, CodedTop& top) {
  const SignQuery query = scan.codes.prepare_signs(scan.query, scan.sign_reach);
  SecondLook second(scan, top);
  Scores scores;
  Places places;
  for (std::size_t first = 0; first < scan.codes.count(); first += room) {
    const std::size_t count = std::min(room, scan.codes.count() - first);
    scan.codes.signs().score(query, first / SignCodes::block,
                             (count + SignCodes::block - 1) / SignCodes::block, scores.data());
    const std::size_t passing = codec::kernels::places_above(
        scores.data(), count, second.bound(), places.data(), scan.selection.bits_from(first));
    second.add(
        passing, [&](std::size_t i) { return static_cast<std::uint32_t>(first) + places[i]; },
        [](std::uint32_t) { return true; });
  }
  second.flush();
}

void gather(const CodedScan& scan, CodedTop& top) {
  BlockOffering offering(scan, top);
  scan.selection.for_each_block([&](std::span<const std::uint32_t> ranks) {
    scan.codes.score(scan.query, ranks, offering.scores());
    offering.offer(ranks.size(), [&](std::uint32_t i) { return ranks[i]; });
  });
}

// Signs first: most of what is selected needs no second look.
void gather_by_signs(const CodedScan& scan, CodedTop& top) {
  const SignQuery query = scan.codes.prepare_signs(scan.query, scan.sign_reach);
  SecondLook second(scan, top);
  Scores scores;
  Places places;
  scan.selection.for_each_block([&](std::span<const std::uint32_t> block) {
    for (std::size_t at = 0; at < block.size(); at += room) {
      const auto ranks = block.subspan(at, std::min(room, block.size() - at));
      scan.codes.signs().score(query, ranks, scores.data());
      const std::size_t passing =
          codec::kernels::places_above(scores.data(), ranks.size(), second.bound(), places.data());
      second.add(
          passing, [&](std::size_t i) { return ranks[places[i]]; },
          [](std::uint32_t) { return true; });
    }
  });
  second.flush();
}

}  // namespace

void SecondLook::flush() {
  const std::span<const std::uint32_t> ranks(waiting_.data(), size_);
  scan_.codes.score(scan_.query, ranks, offering_.scores());
  offering_.offer(size_, [&](std::uint32_t i) { return ranks[i]; });
  size_ = 0;
  if (const auto score = top_.wanted_score()) bound_ = static_cast<float>(*score);
}

void CodedTop::shrink() {
  const auto middle = items_.begin() + static_cast<std::ptrdiff_t>(keep_);
  std::nth_element(items_.begin(), middle - 1, items_.end(),
                   [](const Item& a, const Item& b) { return a.score > b.score; });
  items_.resize(keep_);
  bound_ = items_.back().score;
}

std::span<const CodedTop::Item> CodedTop::best() {
  if (items_.size() > keep_) shrink();
  return items_;
}

void CodedTop::lead(std::int32_t score) {
  if (leading_.size() == wanted_) {
    std::ranges::pop_heap(leading_, std::greater());
    leading_.back() = score;
  } else {
    leading_.push_back(score);
  }
  std::ranges::push_heap(leading_, std::greater());
}

void scan_codes(const CodedScan& scan, CodedTop& top) {
  if (scan.is_streamed && scan.selection.form() != RankSelection::Form::list) {
    stream(scan, top);
  } else if (scan.selection.count() >= least_signed) {
    gather_by_signs(scan, top);
  } else {
    gather(scan, top);
  }
}

}  // namespace cairn::engine
