// Records of one group that follow each other, as neighbours of hits without relationships.
//
// The groups of the hits come from the property indexes. Each group is sorted once by the order properties.

#include "codec/instant.hpp"
#include "codec/ordered_key.hpp"
#include "engine/catalog/catalog.hpp"
#include "query/recall/recall_run.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

using codec::Bitmap;
using codec::EntityKind;
using Operation = engine::IndexPredicate::Operation;

/// Times are written in several ways, so they are compared as instants.
void read_instants(std::vector<Value>& values) {
  for (Value& value : values)
    if (value.string() != nullptr)
      if (const auto instant = codec::parse_instant(*value.string())) value = Value(*instant);
}

}  // namespace

// Records that are equal in all of the properties keep their order. Most groups are already in order, because records
// are created in the order of their times.
Status RecallRun::sort_by_order(const std::vector<std::string>& properties,
                                std::vector<std::uint64_t>& ids) const {
  std::vector<std::vector<Value>> columns;
  for (const std::string& property : properties) {
    CAIRN_ASSIGN(columns.emplace_back(),
                 context_.graph.properties(EntityKind::node, ids, property));
    read_instants(columns.back());
  }
  const auto comes_before = [&](std::size_t a, std::size_t b) {
    for (const auto& values : columns)
      if (const int sign = codec::compare_ordered(values[a], values[b]); sign != 0) return sign < 0;
    return false;
  };
  std::vector<std::size_t> order(ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (std::is_sorted(order.begin(), order.end(), comes_before)) return {};
  std::stable_sort(order.begin(), order.end(), comes_before);
  std::vector<std::uint64_t> sorted;
  for (const std::size_t i : order) sorted.push_back(ids[i]);
  ids = std::move(sorted);
  return {};
}

// Returns the index of a node property, if it is complete.
std::optional<std::uint32_t> RecallRun::path_of(std::string_view property) const {
  const auto path = view_.catalog().find_path(EntityKind::node, property);
  const bool is_complete =
      path && view_.catalog().paths().at(*path).state == codec::IndexState::online;
  return is_complete ? path : std::nullopt;
}

// Takes the order properties that half of the records have.
Result<std::vector<std::string>> RecallRun::order_properties(
    const std::vector<std::uint64_t>& ids) const {
  std::vector<std::string> properties;
  for (const std::string& property : roles_.order.properties) {
    if (!view_.catalog().find_property(property)) continue;
    CAIRN_ASSIGN(const auto values, context_.graph.properties(EntityKind::node, ids, property));
    const auto missing =
        std::ranges::count_if(values, [](const Value& value) { return value.is_null(); });
    if (static_cast<std::size_t>(missing) * 2 <= ids.size()) properties.push_back(property);
  }
  return properties;
}

// Finds the members whose group properties equal those of each record. Records of one group share an entry.
Result<std::vector<Bitmap>> RecallRun::groups_of(const std::vector<std::uint64_t>& ids,
                                                 std::vector<std::size_t>& group) {
  std::vector<List> names(ids.size());
  std::vector<std::uint32_t> paths;
  for (const std::string& property : roles_.groups.properties) {
    const auto path = path_of(property);
    if (!path || !view_.catalog().find_property(property)) continue;
    paths.push_back(*path);
    CAIRN_ASSIGN(const auto values, context_.graph.properties(EntityKind::node, ids, property));
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

// Records of a group have the same values and lack the same properties. A record without any of the properties has no
// group. A record with a value that the index cannot look up exactly (a list or a long text) has no group either.
Result<Bitmap> RecallRun::members_with(const std::vector<std::uint32_t>& paths,
                                       const List& values) {
  const auto is_null = [](const Value& value) { return value.is_null(); };
  if (std::ranges::all_of(values, is_null)) return Bitmap();
  Bitmap group = members_;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    std::vector<Bitmap> found;
    const auto operation = values[i].is_null() ? Operation::present : Operation::equals;
    CAIRN_TRY(look_up(paths[i], operation, values[i], {}, found));
    if (found.empty() && !values[i].is_null()) return Bitmap();
    if (!found.empty())
      group = values[i].is_null() ? codec::subtract(group, found.front())
                                  : codec::intersect(group, found.front());
  }
  return group;
}

// A group of more records than `room` stays in the order of creation.
Result<std::vector<std::uint64_t>> RecallRun::in_order(const Bitmap& group,
                                                       const std::vector<std::string>& properties,
                                                       std::uint64_t& room) const {
  std::vector<std::uint64_t> ids;
  group.for_each([&](std::uint64_t id) { ids.push_back(id); });
  CAIRN_TRY(context_.budget.step(1 + ids.size()));
  const std::uint64_t values = ids.size() * properties.size();
  if (values > room) return ids;
  room -= values;
  CAIRN_TRY(sort_by_order(properties, ids));
  return ids;
}

// Each hit reaches the records up to `hops` places before and after it in its group.
Result<std::vector<std::vector<RecallRun::Reached>>> RecallRun::reached_in_groups(
    const std::vector<std::uint64_t>& ids) {
  std::vector<std::size_t> group;
  CAIRN_ASSIGN(const auto groups, groups_of(ids, group));
  CAIRN_ASSIGN(const auto properties, order_properties(ids));
  std::vector<std::vector<std::uint64_t>> sorted;
  std::uint64_t room = most_ordered;
  for (const Bitmap& one : groups) {
    CAIRN_ASSIGN(sorted.emplace_back(), in_order(one, properties, room));
  }
  std::vector<std::vector<Reached>> reached(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::vector<std::uint64_t>& row = sorted[group[i]];
    CAIRN_TRY(context_.budget.step(1 + row.size() / 64));
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

}  // namespace cairn::query
