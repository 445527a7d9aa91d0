#include "query/execute/type_order.hpp"

#include "engine/catalog/catalog.hpp"

#include <string>
#include <tuple>
#include <utility>

namespace cairn::query {

// Statements meet few types, so all ranks are set again.
void TypeOrder::add(std::uint32_t type) {
  const engine::Catalog& catalog = view_.catalog();
  const auto name_of = [&](std::uint32_t one) -> const std::string& {
    return catalog.name(codec::CatalogKind::relationship_type, one);
  };
  known_.insert(std::ranges::lower_bound(known_, name_of(type), {}, name_of), type);
  if (type >= ranks_.size()) ranks_.resize(type + std::size_t{1});
  for (std::uint32_t place = 0; place < known_.size(); ++place) ranks_[known_[place]] = place + 1;
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
