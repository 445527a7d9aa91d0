#include "query/facets/newest_first.hpp"

#include "query/execute/filter/field_lookup.hpp"
#include "query/functions/filter_test.hpp"
#include "query/functions/moment.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace cairn::query {
namespace {

constexpr auto node = codec::EntityKind::node;
constexpr std::int64_t hour = 3'600'000'000;
// Below this it is not worth asking which records are the newest.
constexpr std::uint64_t few_records = 64;

class NewestFirst {
 public:
  NewestFirst(ExecutionContext& context, const codec::IdSet& ids,
              const std::vector<std::string>& keys)
      : context_(context), ids_(ids), keys_(keys), lookup_(context.graph, node, keys) {}

  Result<std::vector<std::uint64_t>> page(std::uint64_t offset, std::uint64_t limit) {
    const std::uint64_t total = ids_.cardinality();
    if (offset >= total) return std::vector<std::uint64_t>();
    const std::uint64_t needed = offset + std::min(limit, total - offset);
    CAIRN_ASSIGN(const codec::IdSet candidates, find_candidates(needed));
    CAIRN_ASSIGN(std::vector<std::uint64_t> ordered, order(candidates));
    ordered.resize(std::min<std::size_t>(ordered.size(), needed));
    ordered.erase(ordered.begin(), ordered.begin() + static_cast<std::ptrdiff_t>(offset));
    return ordered;
  }

 private:
  // Those of `ids_` that are dated at `time` or later; nothing where no index is sure of them.
  Result<std::optional<codec::IdSet>> dated_since(std::int64_t time) {
    using Dated = std::optional<codec::IdSet>;
    CAIRN_ASSIGN(const std::optional<Selection> found, lookup_.since(time));
    if (!found || found->all_but) return Dated();
    return Dated(codec::intersect(found->ids, ids_));
  }

  // A set that has the first `needed` of the order, seldom many more. Periods that end now grow by
  // eight, and the one that is enough is narrowed again. Their borders are whole hours, so that the
  // postings of most of them are cached.
  Result<codec::IdSet> find_candidates(std::uint64_t needed) {
    if (ids_.cardinality() <= few_records || needed * 2 > ids_.cardinality()) return ids_;
    const std::int64_t now = context_.now - context_.now % hour;
    std::int64_t hours = 1;
    constexpr std::int64_t most_hours = 8'760 * 300;
    std::optional<codec::IdSet> best;
    for (; hours < most_hours; hours *= 8) {
      CAIRN_ASSIGN(best, dated_since(now - hours * hour));
      if (!best) return ids_;
      if (best->cardinality() >= needed) break;
    }
    if (hours >= most_hours) return ids_;
    std::int64_t too_short = hours / 8;
    while (hours - too_short > 1 && best->cardinality() > 4 * needed) {
      const std::int64_t middle = too_short + (hours - too_short) / 2;
      CAIRN_ASSIGN(auto shorter, dated_since(now - middle * hour));
      if (!shorter) return ids_;
      if (shorter->cardinality() < needed) {
        too_short = middle;
        continue;
      }
      hours = middle;
      best = std::move(shorter);
    }
    return std::move(*best);
  }

  Result<std::vector<std::uint64_t>> order(const codec::IdSet& candidates) {
    const std::vector<std::uint64_t> ids = candidates.to_vector();
    CAIRN_TRY(context_.budget.step(ids.size()));
    CAIRN_ASSIGN(const auto values, context_.graph.properties(node, ids, keys_.front()));
    std::vector<std::pair<std::int64_t, std::uint64_t>> dated;
    for (std::size_t i = 0; i < ids.size(); ++i) dated.emplace_back(newest(values[i]), ids[i]);
    std::ranges::sort(dated, std::greater<>());
    std::vector<std::uint64_t> ordered;
    for (const auto& [time, id] : dated) ordered.push_back(id);
    return ordered;
  }

  // The lowest number for a record without a date, which therefore comes last.
  std::int64_t newest(const Value& property) const {
    std::vector<Value> reached;
    if (!property.is_null()) append_reached(property, std::span(keys_).subspan(1), reached);
    std::int64_t time = std::numeric_limits<std::int64_t>::min();
    for (const Value& value : reached) {
      const List single{value};
      for (const Value& one : value.list() != nullptr ? *value.list() : single)
        time = std::max(time, instant_of(one).value_or(time));
    }
    return time;
  }

  ExecutionContext& context_;
  const codec::IdSet& ids_;
  const std::vector<std::string>& keys_;
  FieldLookup lookup_;
};

}  // namespace

Result<std::vector<std::uint64_t>> newest_first(ExecutionContext& context, const codec::IdSet& ids,
                                                const std::vector<std::string>& keys,
                                                std::uint64_t offset, std::uint64_t limit) {
  return NewestFirst(context, ids, keys).page(offset, limit);
}

}  // namespace cairn::query
