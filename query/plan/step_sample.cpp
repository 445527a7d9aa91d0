// Estimates, from a sample of the nodes of a label, how many relationships a node has and where they lead. Adjacency
// lists in memory make this cheap. Reading the store is worth its cost only if the step processes many nodes.

#include "engine/catalog/catalog.hpp"
#include "engine/segment/adjacency_segment.hpp"
#include "engine/view/segment_view.hpp"
#include "query/plan/cardinality.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::query {
namespace {

constexpr std::size_t most_listed = 64;      // nodes in a sample from memory
constexpr std::size_t most_read = 16;        // nodes in a sample from the store
constexpr std::size_t most_neighbours = 64;  // neighbours examined per node

/// Returns some ids of a set, and the same ids for equal sets. A linear congruential generator draws the ids. If the
/// set is too sparse for this, its first ids are returned.
std::vector<std::uint64_t> sample_of(const codec::Bitmap& set, std::size_t most) {
  std::vector<std::uint64_t> ids;
  if (set.empty()) return ids;
  const std::uint64_t first = *set.first();
  const std::uint64_t range = *set.last() - first + 1;
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < 4 * most && ids.size() < most; ++i) {
    state = state * 6'364'136'223'846'793'005ULL + 1'442'695'040'888'963'407ULL;
    const std::uint64_t id = first + (state >> 16) % range;
    if (set.contains(id)) ids.push_back(id);
  }
  if (ids.size() >= most / 4) return ids;
  ids.resize(most);
  ids.resize(codec::IdCursor(set).next(ids));
  return ids;
}

/// Adds up the relationships of the nodes in a sample.
class FanSum {
 public:
  explicit FanSum(const codec::Bitmap* to) : to_(to) {}

  /// Adds a node with `size` relationships. `neighbour(i)` is the node at the other end of relationship i.
  void add(std::size_t size, const auto& neighbour) {
    sum_.degree += static_cast<double>(size);
    if (to_ == nullptr || size == 0) return;
    const std::size_t looked_at = std::min(size, most_neighbours);
    std::size_t labelled = 0;
    for (std::size_t i = 0; i < looked_at; ++i) labelled += to_->contains(neighbour(i)) ? 1 : 0;
    sum_.labelled +=
        static_cast<double>(size) * static_cast<double>(labelled) / static_cast<double>(looked_at);
  }
  [[nodiscard]] StepFan mean(std::size_t nodes) const {
    const auto count = static_cast<double>(nodes);
    return {sum_.degree / count, (to_ == nullptr ? sum_.degree : sum_.labelled) / count, false};
  }

 private:
  const codec::Bitmap* to_;
  StepFan sum_;
};

// Returns the direction of the step as seen from its start.
engine::Direction direction_of(const StepQuestion& question) {
  if (question.pattern->direction == PatternDirection::any) return engine::Direction::both;
  return (question.pattern->direction == PatternDirection::right) == question.from_left
             ? engine::Direction::outgoing
             : engine::Direction::incoming;
}

}  // namespace

// Returns nullopt if the pattern names only types that no relationship has.
std::optional<std::vector<std::uint32_t>> Statistics::known_types(
    const RelationshipPattern& pattern) const {
  std::vector<std::uint32_t> types;
  for (const std::string& name : pattern.types)
    if (const auto type = catalog().find_type(name)) types.push_back(*type);
  if (types.empty() && !pattern.types.empty()) return std::nullopt;
  std::ranges::sort(types);
  types.erase(std::ranges::unique(types).begin(), types.end());
  return types;
}

// Samples the adjacency lists if they are in memory already; a SegmentNeed of zeros does not build
// them. Otherwise reads the store, but only if `may_read` is set.
Result<std::optional<StepFan>> Statistics::sample(const StepQuestion& question) {
  const auto label = catalog().find_label(question.from_label);
  const auto types = known_types(*question.pattern);
  if (own_only_ || !label || !types) return std::optional<StepFan>();
  std::optional<codec::Bitmap> to;
  if (!question.to_label.empty()) {
    const auto to_label = catalog().find_label(question.to_label);
    if (!to_label) return std::optional<StepFan>();
    CAIRN_ASSIGN(to, view_.labelled(*to_label));
  }
  CAIRN_ASSIGN(const codec::Bitmap from, view_.labelled(*label));
  const engine::Direction direction = direction_of(question);
  const engine::SegmentNeed only_known{0, 0, 0, {}};
  std::vector<engine::AdjacencyView> views;
  for (const bool outgoing : {true, false})
    if (direction != (outgoing ? engine::Direction::incoming : engine::Direction::outgoing))
      views.push_back(view_.adjacency(outgoing, only_known));
  const bool are_listed = std::ranges::all_of(views, [](const auto& view) { return bool{view}; });
  if (!are_listed && !question.may_read) return std::optional<StepFan>();
  const auto ids = sample_of(from, are_listed ? most_listed : most_read);
  if (ids.empty()) return std::optional<StepFan>();
  FanSum sum(to ? &*to : nullptr);
  std::vector<engine::Adjacent> steps;
  for (const std::uint64_t id : ids) {
    if (!are_listed) {
      steps.clear();
      CAIRN_TRY(view_.expand(id, direction, *types, steps));
      sum.add(steps.size(), [&](std::size_t i) { return steps[i].other; });
      continue;
    }
    for (const engine::AdjacencyView& view : views)
      for (const std::uint32_t type : types->empty() ? view.segment->types() : std::span(*types)) {
        const auto list = view.segment->list(id, type);
        sum.add(list.size(), [&](std::size_t i) { return std::uint64_t{list.neighbours[i]}; });
      }
  }
  StepFan fan = sum.mean(ids.size());
  fan.is_listed = are_listed;
  return std::optional(fan);
}

}  // namespace cairn::query
