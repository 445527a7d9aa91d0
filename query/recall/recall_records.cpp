// Reads texts, neighbours and groups of records.
//
// Groups are found by the property indexes. Their order comes from the values of the order properties.
#include "query/recall/recall_records.hpp"

#include "codec/instant.hpp"
#include "codec/ordered_key.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/view/lookup_result.hpp"

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
void parse_instants(std::vector<Value>& values) {
  for (Value& value : values)
    if (value.string() != nullptr)
      if (const auto instant = codec::parse_instant(*value.string())) value = Value(*instant);
}

/// A record with more neighbours counts as having none, because a link to one of many is weak evidence.
constexpr std::size_t most_neighbours = 64;

}  // namespace

// Joins all properties of the index, each text on a line of its own. Reads property by property; lists are joined
// element by element.
Result<std::vector<std::string>> indexed_texts(const engine::View& view,
                                               const codec::IndexEntry& index,
                                               std::span<const std::uint64_t> ids) {
  std::vector<std::string> texts(ids.size());
  const auto append = [](const Value& value, std::string& text) {
    if (value.string() != nullptr) text += *value.string() + "\n";
  };
  for (const std::uint32_t key : index.properties) {
    CAIRN_ASSIGN(const auto values, view.properties(EntityKind::node, ids, key));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      append(values[i], texts[i]);
      if (values[i].list() == nullptr) continue;
      for (const Value& item : *values[i].list()) append(item, texts[i]);
    }
  }
  return texts;
}

// An inexact result of an index is dropped, because checking it would mean reading records.
Status find_exact_ids(ExecutionContext& context, std::uint32_t path, Operation operation,
                      const Value& low, const Value& high, std::vector<Bitmap>& found) {
  CAIRN_TRY(context.budget.step(1));
  engine::IndexPredicate lookup;
  lookup.path = path;
  lookup.operation = operation;
  lookup.low = low;
  lookup.high = high;
  lookup.high_inclusive = operation != Operation::range;
  CAIRN_ASSIGN(auto result, context.graph.view().lookup(lookup));
  if (result.exact && !result.ids.empty()) found.push_back(std::move(result.ids));
  return {};
}

// Unknown types are ignored. If all types are unknown, no relationship is followed.
Status RecallNeighbours::find_types() {
  for (const std::string& name : names_)
    if (const auto type = context_.graph.view().catalog().find_type(name)) types_.push_back(*type);
  follows_ = names_.empty() || !types_.empty();
  std::sort(types_.begin(), types_.end());
  types_.erase(std::unique(types_.begin(), types_.end()), types_.end());
  CAIRN_ASSIGN(relationships_, context_.graph.restriction(EntityKind::relationship));
  return {};
}

// Cached, because hits that are near to each other share neighbours.
Result<std::vector<std::uint64_t>> RecallNeighbours::of(std::uint64_t id) {
  if (!follows_) return std::vector<std::uint64_t>();
  if (const auto kept = known_.find(id); kept != known_.end()) return kept->second;
  std::vector<engine::Adjacent> steps;
  CAIRN_TRY(context_.graph.expand(id, engine::Direction::both, types_, steps));
  CAIRN_TRY(context_.budget.step(1 + steps.size()));
  std::vector<std::uint64_t> others;
  for (const engine::Adjacent& step : steps)
    if (members_.contains(step.other) &&
        (relationships_ == nullptr || relationships_->contains(step.relationship)))
      others.push_back(step.other);
  if (others.size() > most_neighbours) others.clear();
  return known_[id] = std::move(others);
}

// Records that are equal in all of the properties keep their order. Most groups are already in order, because records
// are created in the order of their times.
Status RecallGroups::sort(const std::vector<std::string>& properties,
                          std::vector<std::uint64_t>& ids) const {
  std::vector<std::vector<Value>> columns;
  for (const std::string& property : properties) {
    CAIRN_ASSIGN(columns.emplace_back(),
                 context_.graph.properties(EntityKind::node, ids, property));
    parse_instants(columns.back());
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

// Returns the path of a node property, if its index is online.
std::optional<std::uint32_t> RecallGroups::path_of(std::string_view property) const {
  const auto path = view_.catalog().find_path(EntityKind::node, property);
  const bool is_online =
      path && view_.catalog().paths().at(*path).state == codec::IndexState::online;
  return is_online ? path : std::nullopt;
}

// Takes the order properties that at least half of the records have.
Result<std::vector<std::string>> RecallGroups::order_properties(
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
Result<std::vector<Bitmap>> RecallGroups::of(const std::vector<std::uint64_t>& ids,
                                             std::vector<std::size_t>& group_of) const {
  std::vector<List> keys(ids.size());
  std::vector<std::uint32_t> paths;
  for (const std::string& property : roles_.groups.properties) {
    const auto path = path_of(property);
    if (!path || !view_.catalog().find_property(property)) continue;
    paths.push_back(*path);
    CAIRN_ASSIGN(const auto values, context_.graph.properties(EntityKind::node, ids, property));
    for (std::size_t i = 0; i < ids.size(); ++i) keys[i].push_back(values[i]);
  }
  std::map<std::string, std::size_t> known;
  std::vector<Bitmap> groups;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto [place, is_new] = known.emplace(Value(keys[i]).to_text(), groups.size());
    group_of.push_back(place->second);
    if (!is_new) continue;
    CAIRN_ASSIGN(groups.emplace_back(), members_with(paths, keys[i]));
  }
  return groups;
}

// Records of a group have the same values and lack the same properties. A record without any of the properties has no
// group. A record with a value that the index cannot look up exactly (a list or a long text) has no group either.
Result<Bitmap> RecallGroups::members_with(const std::vector<std::uint32_t>& paths,
                                          const List& values) const {
  const auto is_null = [](const Value& value) { return value.is_null(); };
  if (std::ranges::all_of(values, is_null)) return Bitmap();
  Bitmap group = members_;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    std::vector<Bitmap> found;
    const auto operation = values[i].is_null() ? Operation::present : Operation::equals;
    CAIRN_TRY(find_exact_ids(context_, paths[i], operation, values[i], {}, found));
    if (found.empty() && !values[i].is_null()) return Bitmap();
    if (!found.empty())
      group = values[i].is_null() ? codec::subtract(group, found.front())
                                  : codec::intersect(group, found.front());
  }
  return group;
}

// If the group has more order values (records times properties) than `room`, it stays in the order of creation.
Result<std::vector<std::uint64_t>> RecallGroups::in_order(
    const Bitmap& group, const std::vector<std::string>& properties, std::uint64_t& room) const {
  std::vector<std::uint64_t> ids;
  group.for_each([&](std::uint64_t id) { ids.push_back(id); });
  CAIRN_TRY(context_.budget.step(1 + ids.size()));
  const std::uint64_t values = ids.size() * properties.size();
  if (values > room) return ids;
  room -= values;
  CAIRN_TRY(sort(properties, ids));
  return ids;
}

}  // namespace cairn::query
