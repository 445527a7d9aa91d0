#include "query/execute/type_order.hpp"

#include "engine/catalog/catalog.hpp"

#include <string>
#include <tuple>
#include <utility>

namespace cairn::query {

namespace {

/// Most statements meet fewer types. From this number on, all names of the catalog are sorted at once: to insert each by
/// itself would take quadratic time.
constexpr std::size_t most_inserted = 64;

}  // namespace

void TypeOrder::add(std::uint32_t type) {
  const engine::Catalog& catalog = view_.catalog();
  const auto name_of = [&](std::uint32_t one) -> const std::string& {
    return catalog.name(codec::CatalogKind::relationship_type, one);
  };
  if (known_.size() < most_inserted)
    known_.insert(std::ranges::lower_bound(known_, name_of(type), {}, name_of), type);
  else
    take_all(type);
  const std::uint32_t last = std::ranges::max(known_);
  if (last >= ranks_.size()) ranks_.resize(last + std::size_t{1});
  for (std::uint32_t place = 0; place < known_.size(); ++place) ranks_[known_[place]] = place + 1;
}

// The catalog has the type, unless it is damaged.
void TypeOrder::take_all(std::uint32_t type) {
  auto names = view_.catalog().names(codec::CatalogKind::relationship_type);
  std::ranges::sort(names, {}, &std::pair<std::uint32_t, std::string>::second);
  known_.clear();
  for (const auto& [id, name] : names) known_.push_back(id);
  if (std::ranges::find(known_, type) == known_.end()) known_.push_back(type);
}

void TypeOrder::sort_steps(std::span<engine::Adjacent> steps) {
  if (steps.empty()) return;
  bool is_mixed = false;
  std::uint32_t last = steps.front().type;
  for (const engine::Adjacent& step : steps) {
    if (step.type == last) continue;
    learn(std::exchange(last, step.type));
    is_mixed = true;
  }
  if (!is_mixed) return;
  learn(last);
  const auto rank_of = [this](const engine::Adjacent& step) { return rank(step.type); };
  if (std::ranges::is_sorted(steps, {}, rank_of)) return;
  std::ranges::sort(steps, {}, [&](const engine::Adjacent& step) {
    return std::tuple(rank_of(step), step.other, step.relationship);
  });
}

}  // namespace cairn::query
