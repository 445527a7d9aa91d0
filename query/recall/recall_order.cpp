// Records of one group that follow each other: neighbours of hits without relationships, and the passages around hits.
//
// The groups of the hits come from the property indexes. Each group is sorted once by the order properties.

#include "codec/ordered_key.hpp"
#include "engine/catalog/catalog.hpp"
#include "query/recall/recall_run.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

using codec::Bitmap;
using codec::EntityKind;
using Operation = engine::IndexPredicate::Operation;

/// Limit of the values of order properties that one recall reads. Further groups are in the order of creation.
constexpr std::uint64_t most_ordered = 4'096;

/// Sorts records by the properties. Records that are equal in all of them stay in their order.
Status sort_by_order(const engine::View& view, const std::vector<std::uint32_t>& keys,
                     std::vector<std::uint64_t>& ids) {
  std::vector<std::vector<Value>> columns;
  for (const std::uint32_t key : keys) {
    CAIRN_ASSIGN(columns.emplace_back(), view.properties(EntityKind::node, ids, key));
  }
  std::vector<std::size_t> order(ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    for (const auto& values : columns)
      if (const int sign = codec::compare_ordered(values[a], values[b]); sign != 0) return sign < 0;
    return false;
  });
  std::vector<std::uint64_t> sorted;
  for (const std::size_t i : order) sorted.push_back(ids[i]);
  ids = std::move(sorted);
  return {};
}

/// Returns the records up to `most` places before and after the one at `place`, and itself. Ends at a taken record.
std::vector<std::uint64_t> around(const std::vector<std::uint64_t>& row, std::size_t place,
                                  std::size_t most, const std::set<std::uint64_t>& taken) {
  std::size_t first = place, last = place;
  while (first > 0 && place - first < most && !taken.contains(row[first - 1])) --first;
  while (last + 1 < row.size() && last - place < most && !taken.contains(row[last + 1])) ++last;
  return {row.begin() + static_cast<std::ptrdiff_t>(first),
          row.begin() + static_cast<std::ptrdiff_t>(last + 1)};
}

}  // namespace

// Returns the index of a node property, if it is complete.
std::optional<std::uint32_t> RecallRun::path_of(std::string_view property) const {
  for (const auto& [path, entry] : view_.catalog().paths())
    if (entry.kind == EntityKind::node && entry.text == property &&
        entry.state == codec::IndexState::online)
      return path;
  return std::nullopt;
}

// Takes the order properties that half of the records have.
Result<std::vector<std::uint32_t>> RecallRun::order_keys(
    const std::vector<std::uint64_t>& ids) const {
  std::vector<std::uint32_t> keys;
  for (const std::string& property : roles_.order.properties) {
    const auto key = view_.catalog().find_property(property);
    if (!key) continue;
    CAIRN_ASSIGN(const auto values, view_.properties(EntityKind::node, ids, *key));
    const auto missing =
        std::ranges::count_if(values, [](const Value& value) { return value.is_null(); });
    if (static_cast<std::size_t>(missing) * 2 <= ids.size()) keys.push_back(*key);
  }
  return keys;
}

// Finds the members whose group properties equal those of each record. Records of one group share an entry.
Result<std::vector<Bitmap>> RecallRun::groups_of(const std::vector<std::uint64_t>& ids,
                                                 std::vector<std::size_t>& group) {
  std::vector<List> names(ids.size());
  std::vector<std::uint32_t> paths;
  for (const std::string& property : roles_.groups.properties) {
    const auto path = path_of(property);
    const auto key = view_.catalog().find_property(property);
    if (!path || !key) continue;
    paths.push_back(*path);
    CAIRN_ASSIGN(const auto values, view_.properties(EntityKind::node, ids, *key));
    for (std::size_t i = 0; i < ids.size(); ++i) names[i].push_back(values[i]);
  }
  std::map<std::string, std::size_t> known;
  std::vector<Bitmap> groups;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto [place, is_new] = known.emplace(Value(names[i]).to_text(), groups.size());
    group.push_back(place->second);
    if (!is_new) continue;
    CAIRN_ASSIGN(groups.emplace_back(), members_with(paths, names[i]));
  }
  return groups;
}

// A property that the record lacks does not restrict the group. A record without any has no group, and neither has
// one whose value the index cannot answer exactly.
Result<Bitmap> RecallRun::members_with(const std::vector<std::uint32_t>& paths,
                                       const List& values) {
  std::optional<Bitmap> group;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (values[i].is_null()) continue;
    std::vector<Bitmap> found;
    CAIRN_TRY(look_up(paths[i], Operation::equals, values[i], {}, found));
    if (found.empty()) return Bitmap();
    group = codec::intersect(group ? *group : members_, found.front());
  }
  return group ? std::move(*group) : Bitmap();
}

// A group of more records than `room` stays in the order of creation.
Result<std::vector<std::uint64_t>> RecallRun::in_order(const Bitmap& group,
                                                       const std::vector<std::uint32_t>& keys,
                                                       std::uint64_t& room) const {
  std::vector<std::uint64_t> ids;
  group.for_each([&](std::uint64_t id) { ids.push_back(id); });
  CAIRN_TRY(context_.budget.step(1 + ids.size()));
  const std::uint64_t values = ids.size() * keys.size();
  if (values > room) return ids;
  room -= values;
  CAIRN_TRY(sort_by_order(view_, keys, ids));
  return ids;
}

// Each hit reaches the records up to `hops` places before and after it in its group.
Result<std::vector<std::vector<RecallRun::Reached>>> RecallRun::reached_in_groups(
    const std::vector<std::uint64_t>& ids) {
  std::vector<std::size_t> group;
  CAIRN_ASSIGN(const auto groups, groups_of(ids, group));
  CAIRN_ASSIGN(const auto keys, order_keys(ids));
  std::vector<std::vector<std::uint64_t>> sorted;
  std::uint64_t room = most_ordered;
  for (const Bitmap& one : groups) {
    CAIRN_ASSIGN(sorted.emplace_back(), in_order(one, keys, room));
  }
  std::vector<std::vector<Reached>> reached(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::vector<std::uint64_t>& row = sorted[group[i]];
    const auto place =
        static_cast<std::size_t>(std::find(row.begin(), row.end(), ids[i]) - row.begin());
    double share = 1;
    for (std::size_t hop = 1; hop <= std::min(options_.features.hops, row.size()); ++hop) {
      share *= options_.features.propagation_weight;
      if (place >= hop && place < row.size()) reached[i].push_back({row[place - hop], share});
      if (place + hop < row.size()) reached[i].push_back({row[place + hop], share});
    }
  }
  return reached;
}

// Breadth first along relationships, for a record without a group. The nearest records are taken, as many as a group
// gives at most.
Result<std::vector<std::uint64_t>> RecallRun::passage_by_steps(
    std::uint64_t id, const std::vector<std::uint32_t>& keys,
    const std::set<std::uint64_t>& taken) {
  std::vector<std::uint64_t> passage = {id};
  std::set<std::uint64_t> seen = {id};
  std::size_t begin = 0;
  for (std::size_t step = 0; step < options_.context; ++step) {
    const std::size_t end = passage.size();
    for (; begin < end; ++begin) {
      CAIRN_ASSIGN(const auto others, neighbours(passage[begin]));
      for (const std::uint64_t other : others)
        if (!taken.contains(other) && seen.insert(other).second &&
            passage.size() <= 2 * options_.context)
          passage.push_back(other);
    }
    if (begin == passage.size()) break;
  }
  std::sort(passage.begin(), passage.end());
  CAIRN_TRY(sort_by_order(view_, keys, passage));
  return passage;
}

// Best hits first, so that each record is in the passage of the best hit near to it.
Status RecallRun::add_passages(std::vector<RankedRecord>& hits) {
  std::vector<std::uint64_t> ids;
  for (const RankedRecord& hit : hits) ids.push_back(hit.id);
  std::vector<std::size_t> group;
  CAIRN_ASSIGN(const auto groups, groups_of(ids, group));
  CAIRN_ASSIGN(const auto keys, order_keys(ids));
  std::vector<std::vector<std::uint64_t>> sorted(groups.size());
  std::uint64_t room = most_ordered;
  std::set<std::uint64_t> taken;
  std::vector<RankedRecord> chosen;
  for (std::size_t i = 0; i < hits.size() && chosen.size() < options_.limit; ++i) {
    if (taken.contains(ids[i])) continue;
    std::vector<std::uint64_t>& row = sorted[group[i]];
    if (row.empty()) {
      CAIRN_ASSIGN(row, in_order(groups[group[i]], keys, room));
    }
    RankedRecord& hit = chosen.emplace_back(std::move(hits[i]));
    const auto place = std::find(row.begin(), row.end(), hit.id);
    if (place != row.end()) {
      hit.passage =
          around(row, static_cast<std::size_t>(place - row.begin()), options_.context, taken);
    } else {
      CAIRN_ASSIGN(hit.passage, passage_by_steps(hit.id, keys, taken));
    }
    taken.insert(hit.passage.begin(), hit.passage.end());
  }
  hits = std::move(chosen);
  return {};
}

}  // namespace cairn::query
