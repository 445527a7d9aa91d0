// A page of the newest among a set of ids, without reading or sorting all of them: a period that
// ends now and holds enough is found over the index, growing it eightfold and then halving, and
// only what lies in it is read.
//
// Order: newest first, then by id, undated last. A record with several dates has its newest.
#include "query/facets/newest_first.hpp"

#include "query/execute/filter/field_lookup.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/functions/filter_test.hpp"
#include "query/functions/time_zone.hpp"
#include "query/plan/cardinality.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace cairn::query {
namespace {

constexpr std::int64_t undated = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t hour = 3'600'000'000;
// Below this it is not worth asking which records are the newest: of records, of dates in memory.
constexpr std::uint64_t few_records = 64;
constexpr std::uint64_t few_dates = 16'384;

class NewestFirst {
 public:
  NewestFirst(ExecutionContext& context, codec::Bitmap ids, const std::vector<std::string>& keys)
      : context_(context),
        ids_(std::move(ids)),
        keys_(keys),
        lookup_(context.graph, codec::EntityKind::node, keys) {}

  /// By offset, or behind a record that a cursor names.
  Result<std::vector<DatedId>> page(const PageRequest& request) {
    const std::uint64_t total = ids_.cardinality();
    const double records = cost::record_read * static_cast<double>(std::min(total, few_records));
    CAIRN_ASSIGN(dates_,
                 FieldLookup(context_.graph, codec::EntityKind::node, keys_, &ids_).dates(records));
    if (request.after) return page_after(*request.after, request.limit);
    if (request.offset >= total) return std::vector<DatedId>();
    const std::uint64_t needed = request.offset + std::min(request.limit, total - request.offset);
    CAIRN_ASSIGN(const codec::Bitmap candidates, find_candidates(needed));
    CAIRN_ASSIGN(std::vector<DatedId> dated, date(candidates));
    return part(std::move(dated), request.offset, request.limit);
  }

 private:
  // Of all of them only those up to the end of the part are sorted.
  static std::vector<DatedId> part(std::vector<DatedId> dated, std::uint64_t offset,
                                   std::uint64_t limit) {
    const std::uint64_t size = dated.size();
    const std::uint64_t end = offset + std::min(limit, size - offset);
    const auto place = [&](std::uint64_t index) {
      return dated.begin() + static_cast<std::ptrdiff_t>(index);
    };
    std::ranges::partial_sort(dated, place(end), std::greater<>());
    return {place(offset), place(end)};
  }

  // What is newer than the place is left out, what is as new must be looked at one by one.
  Result<std::vector<DatedId>> page_after(const DatedId& after, std::uint64_t limit) {
    std::uint64_t needed = ids_.cardinality();
    if (after.time != undated) {
      CAIRN_ASSIGN(const auto newer, dated_since(after.time + 1));
      if (newer) ids_ = codec::subtract(ids_, *newer);
      CAIRN_ASSIGN(const auto as_new, dated_since(after.time));
      const std::uint64_t most = ids_.cardinality();
      if (newer && as_new) needed = std::min(most, std::min(limit, most) + as_new->cardinality());
    }
    CAIRN_ASSIGN(const codec::Bitmap candidates, find_candidates(needed));
    CAIRN_ASSIGN(std::vector<DatedId> dated, date(candidates));
    std::erase_if(dated, [&](const DatedId& one) { return one >= after; });
    return part(std::move(dated), 0, limit);
  }

  // Those of `ids_` that are dated at `time` or later; nothing where no index is sure of them.
  Result<std::optional<codec::Bitmap>> dated_since(std::int64_t time) {
    using Dated = std::optional<codec::Bitmap>;
    CAIRN_ASSIGN(const std::optional<Selection> found, lookup_.since(time));
    if (!found || found->all_but) return Dated();
    return Dated(codec::intersect(found->ids, ids_));
  }

  // A set that has the first `needed` of the order, seldom many more. Periods that end now grow by
  // eight, and the one that is enough is narrowed again. Their borders are whole hours, so that the
  // postings of most of them are cached.
  Result<codec::Bitmap> find_candidates(std::uint64_t needed) {
    if (ids_.cardinality() <= (dates_ ? few_dates : few_records)) return ids_;
    if (needed * 2 > ids_.cardinality()) return ids_;
    const std::int64_t now = context_.now - context_.now % hour;
    std::int64_t hours = 1;
    constexpr std::int64_t most_hours = 8'760 * 300;
    std::optional<codec::Bitmap> best;
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

  /// From the dates in memory, or one read of the store for all candidates.
  Result<std::vector<DatedId>> date(const codec::Bitmap& candidates) {
    CAIRN_TRY(context_.budget.step(candidates.cardinality()));
    if (dates_) return kept_dates(candidates);
    const std::vector<std::uint64_t> ids = candidates.to_vector();
    CAIRN_ASSIGN(const auto values,
                 context_.graph.properties(codec::EntityKind::node, ids, keys_.front()));
    std::vector<DatedId> dated;
    for (std::size_t i = 0; i < ids.size(); ++i) dated.push_back({newest(values[i]), ids[i]});
    return dated;
  }

  std::vector<DatedId> kept_dates(const codec::Bitmap& candidates) const {
    std::vector<DatedId> dated;
    candidates.for_each([&](std::uint64_t id) { dated.push_back({undated, id}); });
    auto place = dated.begin();
    dates_->visit(candidates,
                  [&](std::uint64_t id, std::span<const engine::InstantColumn::Entry> own) {
                    while (place->id != id) ++place;
                    place->time = own.back().instant;
                  });
    return dated;
  }

  std::int64_t newest(const Value& property) const {
    std::vector<Value> reached;
    if (!property.is_null()) append_reached(property, std::span(keys_).subspan(1), reached);
    std::int64_t time = undated;
    for (const Value& value : reached) {
      const List single{value};
      for (const Value& one : value.list() != nullptr ? *value.list() : single)
        time = std::max(time, instant_of(one).value_or(time));
    }
    return time;
  }

  ExecutionContext& context_;
  codec::Bitmap ids_;
  const std::vector<std::string>& keys_;
  FieldLookup lookup_;
  engine::InstantColumn::Ptr dates_;  ///< of all of `ids_`, or null
};

}  // namespace

Result<std::vector<DatedId>> newest_first(ExecutionContext& context, const codec::Bitmap& ids,
                                          const std::vector<std::string>& keys,
                                          const PageRequest& request) {
  return NewestFirst(context, ids, keys).page(request);
}

}  // namespace cairn::query
