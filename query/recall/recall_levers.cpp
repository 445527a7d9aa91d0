// The levers that look beyond the text: values and dates that the question names, what stands next
// to a hit, and the group it belongs to.

#include "query/recall/question.hpp"
#include "query/recall/recall_run.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace cairn::query {
namespace {

using codec::EntityKind;
using codec::IdSet;
using Operation = engine::IndexLookup::Operation;

/// Hits whose scores spread; those behind them have little to give.
constexpr std::size_t spreading_hits = 50;
/// A node with more neighbours says little of each of them.
constexpr std::size_t most_neighbours = 64;
/// Properties that are asked for what the question names, oldest first: bounds the cost.
constexpr std::size_t most_paths = 64;

}  // namespace

void RecallRun::lift(const IdSet& ids, double share) {
  for (auto& [id, hit] : hits_)
    if (ids.contains(id)) hit.text *= 1 + share;
}

// The texts that were searched are no values that a question names: they answer it already.
std::vector<std::uint32_t> RecallRun::mention_paths() const {
  std::set<std::string> searched;
  for (const std::uint32_t property : entry_.properties)
    searched.insert(view_.catalog().name(codec::CatalogKind::property, property));
  std::vector<std::uint32_t> paths;
  for (const auto& [path, entry] : view_.catalog().paths()) {
    if (paths.size() == most_paths) break;
    if (entry.kind == EntityKind::node && entry.state == codec::IndexState::online &&
        !searched.contains(entry.text))
      paths.push_back(path);
  }
  return paths;
}

Status RecallRun::look_up(std::uint32_t path, Operation operation, const Value& low,
                          const Value& high, std::vector<IdSet>& found) {
  CAIRN_TRY(context_.budget.step(1));
  engine::IndexLookup lookup;
  lookup.path = path;
  lookup.operation = operation;
  lookup.low = low;
  lookup.high = high;
  CAIRN_ASSIGN(auto result, view_.lookup(lookup));
  if (result.exact && !result.ids.empty()) found.push_back(std::move(result.ids));
  return {};
}

// The indexes of the properties know who has a value: no record is read.
Status RecallRun::lift_named(std::string_view question) {
  const auto texts = named_texts(question);
  const auto times = named_times(question);
  std::vector<IdSet> named, dated;
  for (const std::uint32_t path : mention_paths()) {
    std::vector<IdSet> lists;
    if (options_.levers.mention_weight > 0) {
      CAIRN_TRY(look_up(path, Operation::of_type, Value(List{}), {}, lists));
      for (const std::string& text : texts) {
        CAIRN_TRY(look_up(path, Operation::equals, text, {}, named));
        if (!lists.empty()) CAIRN_TRY(look_up(path, Operation::element, text, {}, named));
      }
    }
    if (options_.levers.date_weight > 0)
      for (const TimeRange& time : times)
        CAIRN_TRY(look_up(path, Operation::instant, time.first, time.last, dated));
  }
  lift(codec::unite_all(named), options_.levers.mention_weight);
  lift(codec::unite_all(dated), options_.levers.date_weight);
  return {};
}

Status RecallRun::spread() {
  const RecallLevers& levers = options_.levers;
  for (const std::string& name : levers.relationship_types)
    if (const auto type = view_.catalog().find_type(name)) types_.push_back(*type);
  if (types_.empty() && !levers.relationship_types.empty()) return {};
  std::sort(types_.begin(), types_.end());
  types_.erase(std::unique(types_.begin(), types_.end()), types_.end());
  CAIRN_ASSIGN(relationships_, context_.graph.restriction(EntityKind::relationship));
  for (std::size_t i = 0; i < std::min(spreading_hits, by_text_.size()); ++i)
    CAIRN_TRY(spread_from(by_text_[i], hits_[by_text_[i]].text));
  return {};
}

// Breadth first, so that each record is reached by the shortest way and once. What may not be found
// is no way to anything either.
Status RecallRun::spread_from(std::uint64_t id, double score) {
  std::set<std::uint64_t> reached = {id};
  std::vector<std::uint64_t> edge = {id};
  for (std::size_t hop = 0; hop < options_.levers.hops && !edge.empty(); ++hop) {
    score *= options_.levers.neighbour_weight;
    std::vector<std::uint64_t> next;
    for (const std::uint64_t from : edge) {
      CAIRN_ASSIGN(const auto others, neighbours(from));
      for (const std::uint64_t other : others) {
        if (!reached.insert(other).second) continue;
        next.push_back(other);
        RecallHit& hit = hits_[other];
        hit.id = other;
        hit.neighbours += score;
      }
    }
    edge = std::move(next);
  }
  return {};
}

// Kept, because hits that stand together are reached from each other.
Result<std::vector<std::uint64_t>> RecallRun::neighbours(std::uint64_t id) {
  if (const auto kept = neighbours_.find(id); kept != neighbours_.end()) return kept->second;
  std::vector<engine::Adjacent> steps;
  CAIRN_TRY(view_.expand(id, engine::Direction::both, types_, steps));
  CAIRN_TRY(context_.budget.step(1 + steps.size()));
  std::vector<std::uint64_t> others;
  for (const engine::Adjacent& step : steps)
    if (members_.contains(step.other) &&
        (relationships_ == nullptr || relationships_->contains(step.relationship)))
      others.push_back(step.other);
  if (others.size() > most_neighbours) others.clear();
  return neighbours_[id] = std::move(others);
}

Result<std::vector<std::string>> RecallRun::group_names(
    const std::vector<std::uint64_t>& ids) const {
  std::vector<std::string> names(ids.size());
  for (const std::string& property : options_.levers.group_properties) {
    const auto key = view_.catalog().find_property(property);
    if (!key) continue;
    CAIRN_ASSIGN(const auto values, view_.properties(EntityKind::node, ids, *key));
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (!values[i].is_null()) names[i] += values[i].to_text() + "\n";
  }
  return names;
}

// A group is worth what its members' texts are worth together; the best one counts as 1.
Status RecallRun::add_groups() {
  std::vector<std::uint64_t> ids;
  for (const auto& [id, hit] : hits_) ids.push_back(id);
  std::sort(ids.begin(), ids.end());
  CAIRN_ASSIGN(const auto names, group_names(ids));
  std::map<std::string, double> sums;
  double best = 0;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (!names[i].empty()) best = std::max(best, sums[names[i]] += hits_[ids[i]].text);
  if (best == 0 || sums.size() < 2) return {};
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (!names[i].empty())
      hits_[ids[i]].group = options_.levers.group_weight * sums[names[i]] / best;
  return {};
}

}  // namespace cairn::query
