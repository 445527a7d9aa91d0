// Counts the values of one field among a set of ids.
//
// The index has a posting list (bitmap of ids) for each value, so a count is the size of an intersection. If there are
// fewer records than values, the records are read instead. Memory: a count for each value; for nested fields also a
// bitmap, because a record that has a value twice counts once.
#include "query/facets/facet_counter.hpp"

#include "codec/catalog_entry.hpp"
#include "codec/ordered_key.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/index/index_entries.hpp"
#include "engine/index/value_postings.hpp"
#include "engine/view/lookup_result.hpp"
#include "query/execute/filter/field_lookup.hpp"
#include "query/execute/filter/filter_ids.hpp"
#include "query/execute/holding.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/filter/filter_operators.hpp"
#include "query/functions/filter_test.hpp"
#include "query/functions/sequence.hpp"
#include "query/functions/time_zone.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

constexpr auto node = codec::EntityKind::node;

// Counts values by their bytes in the index.
class ValueCounter {
 public:
  ValueCounter(ExecutionContext& context, const codec::Bitmap& ids, std::vector<std::string> keys)
      : context_(context), ids_(ids), keys_(std::move(keys)), held_(context.budget) {}

  /// A field that no record has needs no work. A field without a finished index is read from the records.
  Status count() {
    const engine::Catalog& catalog = context_.graph.catalog();
    const auto path = catalog.find_path(node, engine::join_path(keys_));
    if (!path && (catalog.has_all_paths() || !catalog.find_property(keys_.front()))) return {};
    if (!path || catalog.path(*path)->state != codec::IndexState::online) return read_records();
    if (reading_is_cheaper(*path)) return read_records();
    for (const auto entry : {codec::EntryKind::scalar, codec::EntryKind::element})
      CAIRN_TRY(engine::visit_values(context_.graph.view(), node, *path, entry,
                                     [this](std::string_view value, const codec::Bitmap& having) {
                                       return add(value, having);
                                     }));
    // Values that the index does not contain in full are read from records.
    CAIRN_TRY(read_unindexed_lists(*path));
    return read_long_texts();
  }

  /// Decodes the values from their bytes. The index has only the beginning of long texts, so these were read from
  /// records.
  std::vector<FacetValue> take() {
    std::vector<FacetValue> values;
    for (const auto& [bytes, count] : counts_) {
      const auto known = texts_.find(bytes);
      std::string_view rest = bytes;
      auto value = known != texts_.end() ? Result<Value>(known->second) : codec::read_ordered(rest);
      if (value && !value->is_null()) values.push_back({std::move(value).value(), count});
    }
    return values;
  }

 private:
  // Memory of a value, which is in at most two maps and in the list of the facet.
  static constexpr std::size_t value_bytes = 256;

  // Reading a record costs about as much as four values with cached postings. If the field was never counted, the number
  // of values is unknown: then only few records are read, because a pass over the values makes later counts cheap.
  bool reading_is_cheaper(std::uint32_t path) const {
    constexpr std::uint64_t few_records = 64;
    constexpr std::uint64_t values_a_record = 4;
    const std::uint64_t records = ids_.cardinality();
    const engine::View& view = context_.graph.view();
    const auto scalars = engine::known_value_count(view, node, path, codec::EntryKind::scalar);
    const auto elements = engine::known_value_count(view, node, path, codec::EntryKind::element);
    if (!scalars || !elements) return records <= few_records;
    return records * values_a_record <= *scalars + *elements;
  }

  // Counts a value. Along a nested path, a record may have the value both as a scalar and as an element of a list.
  Status add(std::string_view value, const codec::Bitmap& having) {
    CAIRN_TRY(context_.budget.step());
    if (keys_.size() > 1) {
      const codec::Bitmap own = codec::intersect(having, ids_);
      if (own.empty()) return {};
      codec::Bitmap& all = sets_[std::string(value)];
      all = codec::unite(all, own);
      CAIRN_TRY(held_.add_bytes(value_bytes + value.size()));
      CAIRN_TRY(hold_set(own));
      counts_[std::string(value)] = all.cardinality();
    } else if (const std::uint64_t count = codec::intersection_cardinality(having, ids_)) {
      CAIRN_TRY(raise(value, count));
      if (!is_long(value)) return {};
      codec::Bitmap& own = sets_[std::string(value)] = codec::intersect(having, ids_);
      return hold_set(own);
    }
    return {};
  }

  // The index has no entries for the elements of a long list of numbers, but it knows which records have such a list:
  // looking up any list that is too long returns them all. These records are read.
  Status read_unindexed_lists(std::uint32_t path) {
    engine::IndexPredicate question;
    question.kind = node;
    question.path = path;
    question.operation = engine::IndexPredicate::Operation::equals;
    question.low = List(engine::max_indexed_numbers + 1, Value(0));
    CAIRN_ASSIGN(const auto found, context_.graph.view().lookup(question));
    for (const std::uint64_t id : codec::intersect(found.ids, ids_).to_vector()) {
      const codec::Bitmap one = codec::Bitmap::from_sorted(std::vector<std::uint64_t>{id});
      std::map<std::string, Value> own;
      CAIRN_TRY(visit_record(
          id, [&](const std::string& bytes, const Value& value) { own.emplace(bytes, value); }));
      for (const auto& [bytes, value] : own) CAIRN_TRY(add(bytes, one));
    }
    return {};
  }

  static bool is_long(std::string_view value) {
    return !value.empty() && value.front() == static_cast<char>(codec::OrderedTag::long_string);
  }

  // The index has only the beginning of a long text. Any record of its posting list has the whole text.
  Status read_long_texts() {
    for (const auto& [value, having] : sets_) {
      if (!is_long(value) || having.empty()) continue;
      CAIRN_TRY(visit_record(*having.first(), [&](const std::string& bytes, const Value& text) {
        if (bytes == value) texts_.emplace(bytes, text);
      }));
    }
    return {};
  }

  // Reads records in batches, so that the store is read rarely and memory stays small.
  Status read_records() {
    const std::vector<std::uint64_t> ids = ids_.to_vector();
    for (std::size_t next = 0; next < ids.size();) {
      const auto rest = std::span(ids).subspan(next);
      CAIRN_ASSIGN(const auto values, context_.graph.some_properties(node, rest, keys_.front()));
      for (const Value& first : values) CAIRN_TRY(count_record(first));
      next += values.size();
    }
    return {};
  }

  /// Counts each distinct value of a record once.
  Status count_record(const Value& first) {
    std::map<std::string, Value> own;
    CAIRN_TRY(context_.budget.step(1 + steps_of(first)));
    visit_values(first,
                 [&](const std::string& bytes, const Value& value) { own.emplace(bytes, value); });
    for (const auto& [bytes, value] : own) {
      CAIRN_TRY(raise(bytes, 1));
      if (is_long(bytes) && texts_.emplace(bytes, value).second) CAIRN_TRY(held_.add_one(value));
    }
    return {};
  }

  /// Raises a count. A value is charged to the statement when it occurs first.
  Status raise(std::string_view value, std::uint64_t count) {
    const auto found = counts_.find(value);
    if (found != counts_.end()) {
      found->second += count;
      return {};
    }
    CAIRN_TRY(held_.add_bytes(value_bytes + value.size()));
    counts_.emplace(std::string(value), count);
    return {};
  }

  // Charges a bitmap at two bytes an id.
  Status hold_set(const codec::Bitmap& set) { return held_.add_bytes(64 + 2 * set.cardinality()); }

  // Visits the values of one record.
  template <class Visit>
  Status visit_record(std::uint64_t id, const Visit& visit) {
    CAIRN_TRY(context_.budget.step(1));
    CAIRN_ASSIGN(const Value first, context_.graph.property(node, id, keys_.front()));
    visit_values(first, visit);
    return {};
  }

  // Visits the scalars at the path below a record's property, including elements of lists.
  template <class Visit>
  void visit_values(const Value& first, const Visit& visit) const {
    if (first.is_null()) return;
    std::vector<Value> reached;
    append_reached(first, std::span(keys_).subspan(1), reached);
    for (const Value& value : reached) {
      const List single{value};
      for (const Value& one : value.list() != nullptr ? *value.list() : single) {
        if (one.is_null() || is_sequence(one) || one.map() != nullptr) continue;
        std::string bytes;
        codec::append_index_value(bytes, one);
        visit(bytes, one);
      }
    }
  }

  ExecutionContext& context_;
  const codec::Bitmap& ids_;
  std::vector<std::string> keys_;
  std::map<std::string, std::uint64_t, std::less<>> counts_;  // by the value's bytes
  std::map<std::string, codec::Bitmap, std::less<>>
      sets_;  // records by value: for nested fields and long texts
  std::map<std::string, Value, std::less<>> texts_;  // long texts by their bytes
  Holding held_;
};

// The number of ids that pass a filter.
Result<std::uint64_t> count_passing(ExecutionContext& context, const codec::Bitmap& ids,
                                    const Filter& filter) {
  CAIRN_ASSIGN(const codec::Bitmap passing, filter_ids(context, filter));
  return codec::intersection_cardinality(passing, ids);
}

/// The age groups; a year has 365 days.
constexpr std::pair<const char*, const char*> periods[] = {
    {"last_7d", "7d"}, {"last_30d", "30d"}, {"last_90d", "90d"}, {"last_year", "1y"}};

struct AgeCounts {
  std::uint64_t past = 0;
  std::array<std::uint64_t, std::size(periods)> within{};
};

// Counts ages from dates in memory. A record may have several dates. A record is past if its earliest date is past, and
// within a period if its latest date is within the period.
Result<AgeCounts> count_kept_ages(const engine::InstantColumn& dates, const codec::Bitmap& ids,
                                  std::int64_t now) {
  AgeCounts counts;
  std::array<std::int64_t, std::size(periods)> begins{};
  for (std::size_t i = 0; i < begins.size(); ++i) {
    CAIRN_ASSIGN(begins[i], parse_moment(periods[i].second, now));
  }
  dates.visit(ids, [&](std::uint64_t, std::span<const engine::InstantColumn::Entry> own) {
    if (own.front().instant > now) return;
    ++counts.past;
    for (std::size_t i = 0; i < begins.size(); ++i)
      counts.within[i] += own.back().instant >= begins[i] ? 1 : 0;
  });
  return counts;
}

/// Counts ages with filters. Future dates are removed first, so they are in no period. Periods overlap: a record within
/// 7 days is also within 30 days.
Result<AgeCounts> count_ages_by_filters(ExecutionContext& context, const codec::Bitmap& ids,
                                        const std::string& field) {
  AgeCounts counts;
  CAIRN_ASSIGN(const codec::Bitmap passing,
               filter_ids(context, Filter::where(field, FilterOperator::until, "0d")));
  const codec::Bitmap past = codec::intersect(passing, ids);
  counts.past = past.cardinality();
  for (std::size_t i = 0; i < counts.within.size(); ++i) {
    CAIRN_ASSIGN(counts.within[i],
                 count_passing(context, past,
                               Filter::where(field, FilterOperator::since, periods[i].second)));
  }
  return counts;
}

// Counts records by age. Each period includes the shorter ones; older records are counted separately, and future dates
// are in no period. Uses the dates in memory if they are loaded, otherwise filters.
Status count_ages(ExecutionContext& context, const codec::Bitmap& ids,
                  const std::vector<std::string>& keys, Facet& facet) {
  constexpr double filters_microseconds = 100;  // measured cost of the filters
  CAIRN_ASSIGN(const auto dates,
               FieldLookup(context.graph, node, keys, &ids).dates(filters_microseconds));
  CAIRN_ASSIGN(const AgeCounts counts, dates ? count_kept_ages(*dates, ids, context.now)
                                             : count_ages_by_filters(context, ids, facet.field));
  for (std::size_t i = 0; i < counts.within.size(); ++i)
    facet.values.push_back({periods[i].first, counts.within[i]});
  facet.values.push_back({"older", counts.past - counts.within.back()});
  facet.distinct = facet.values.size();
  return {};
}

/// Sorts by count, then by value, and cuts at the limit (0: no limit). `distinct` is the number before the cut.
void sort_and_cut(Facet& facet, std::size_t limit) {
  const auto is_before = [](const FacetValue& a, const FacetValue& b) {
    if (a.count != b.count) return a.count > b.count;
    return codec::compare_ordered(a.value, b.value) < 0;
  };
  facet.distinct = facet.values.size();
  const std::size_t kept = limit == 0 ? facet.values.size() : std::min(limit, facet.values.size());
  const auto end = facet.values.begin() + static_cast<std::ptrdiff_t>(kept);
  std::partial_sort(facet.values.begin(), end, facet.values.end(), is_before);
  facet.values.erase(end, facet.values.end());
}

}  // namespace

// Records whose field is null or missing are counted separately, by filters.
Result<Facet> count_facet(ExecutionContext& context, const codec::Bitmap& ids,
                          const FacetRequest& request) {
  Facet facet;
  facet.field = request.field;
  CAIRN_ASSIGN(std::vector<std::string> keys, parse_field_path(request.field));
  CAIRN_ASSIGN(const std::uint64_t present,
               count_passing(context, ids, Filter::where(request.field, FilterOperator::exists)));
  facet.missing = ids.cardinality() - present;
  CAIRN_ASSIGN(
      facet.nulls,
      count_passing(context, ids, Filter::where(request.field, FilterOperator::equals, nullptr)));
  if (request.by_age) {
    CAIRN_TRY(count_ages(context, ids, keys, facet));
    return facet;
  }
  ValueCounter counter(context, ids, std::move(keys));
  CAIRN_TRY(counter.count());
  facet.values = counter.take();
  sort_and_cut(facet, request.limit);
  return facet;
}

}  // namespace cairn::query
