#include "engine/vector/coded_scan.hpp"

#include <algorithm>
#include <vector>

namespace cairn::engine {
namespace {

constexpr std::size_t block = BlockOffering::block;
constexpr double streamed_share = 0.4;

void stream(const CodedScan& scan, CodedTop& top) {
  BlockOffering offering(scan, top);
  for (std::size_t first = 0; first < scan.codes.count(); first += block) {
    const std::size_t count = std::min(block, scan.codes.count() - first);
    scan.codes.score(scan.query, first, count, offering.scores());
    offering.offer(count, false,
                   [&](std::uint32_t i) { return static_cast<std::uint32_t>(first) + i; });
  }
}

void gather(const CodedScan& scan, CodedTop& top) {
  BlockOffering offering(scan, top);
  scan.selection.for_each_block([&](std::span<const std::uint32_t> ranks) {
    scan.codes.score(scan.query, ranks, offering.scores());
    offering.offer(ranks.size(), true, [&](std::uint32_t i) { return ranks[i]; });
  });
}

}  // namespace

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

std::optional<std::int32_t> CodedTop::score_of(std::size_t place) {
  if (items_.size() < place) return std::nullopt;
  const auto at = items_.begin() + static_cast<std::ptrdiff_t>(place - 1);
  std::nth_element(items_.begin(), at, items_.end(),
                   [](const Item& a, const Item& b) { return a.score > b.score; });
  return at->score;
}

bool is_streamed(const RankSelection& selection, std::size_t ranks) {
  return static_cast<double>(selection.count()) >= streamed_share * static_cast<double>(ranks);
}

void scan_codes(const CodedScan& scan, CodedTop& top) {
  if (is_streamed(scan.selection, scan.codes.count())) {
    stream(scan, top);
  } else {
    gather(scan, top);
  }
}

}  // namespace cairn::engine
