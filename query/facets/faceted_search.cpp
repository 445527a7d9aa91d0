// faceted_search(): one filter, one page of the newest records, and counts of facets, over one snapshot. The filter is
// evaluated once. Each facet counts all records that pass, not only those of the page.

#include "codec/bitmap.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/database/access.hpp"
#include "engine/database/handles.hpp"
#include "engine/system/clock.hpp"
#include "engine/view/lookup_result.hpp"
#include "engine/view/view.hpp"
#include "query/execute/filter/field_lookup.hpp"
#include "query/execute/filter/filter_ids.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/facets/facet_counter.hpp"
#include "query/facets/forwarded_facets.hpp"
#include "query/filter/filter_operators.hpp"
#include "query/functions/filter_test.hpp"
#include "query/functions/time_zone.hpp"
#include "query/plan/cardinality.hpp"
#include "query/plan/name_warnings.hpp"

#include <cairn/facets.hpp>
#include <cairn/result.hpp>

#include <algorithm>
#include <charconv>
#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

// Pages by date, newest first, without reading or sorting all records of the result.
//
// The index of dates finds a period that ends now and contains enough records: the period grows eightfold and is then
// halved. Only records in that period are read. The order is: newest first, then by id, undated records last. A record
// with several dates counts with its newest one.

/// A position in the order of pages: by the newest time, then by id, both descending. Records without a date have the
/// smallest number and so come last.
struct DatedId {
  std::int64_t time = 0;
  std::uint64_t id = 0;
  friend auto operator<=>(const DatedId&, const DatedId&) = default;
};

/// A part of the order: `limit` records from `offset` on. If `after` is set, the part begins after that position, whether
/// or not its record still exists.
struct PageRequest {
  std::uint64_t offset = 0;
  std::uint64_t limit = 0;
  std::optional<DatedId> after = std::nullopt;
};

constexpr std::int64_t undated = std::numeric_limits<std::int64_t>::min();

constexpr std::int64_t hour = 3'600'000'000;

// Below these sizes all records are read or all dates in memory are sorted, without looking for a period.
constexpr std::uint64_t few_records = 64;

constexpr std::uint64_t few_dates = 16'384;

/// Computes one page. Used once for each call.
class NewestFirst {
 public:
  NewestFirst(ExecutionContext& context, codec::Bitmap ids, const std::vector<std::string>& keys)
      : context_(context),
        ids_(std::move(ids)),
        keys_(keys),
        lookup_(context.graph, codec::EntityKind::node, keys) {}

  /// The page at an offset or after a cursor.
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
  // Sorts only up to the end of the part.
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

  // Records newer than the position are excluded by the index. Records with exactly its time are compared one by one.
  Result<std::vector<DatedId>> page_after(const DatedId& after, std::uint64_t limit) {
    std::uint64_t needed = ids_.cardinality();
    // A client may send the greatest possible time as its position. No record is newer, and + 1 would overflow.
    const bool has_newer = after.time != std::numeric_limits<std::int64_t>::max();
    if (after.time != undated && has_newer) {
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

  // The ids with a date at `time` or later; nullopt if no index answers exactly.
  Result<std::optional<codec::Bitmap>> dated_since(std::int64_t time) {
    using Dated = std::optional<codec::Bitmap>;
    CAIRN_ASSIGN(const std::optional<Selection> found, lookup_.since(time));
    if (!found || found->all_but) return Dated();
    return Dated(codec::intersect(found->ids, ids_));
  }

  // A set that contains the first `needed` records of the order and usually not many more. The bounds of the periods
  // are whole hours, so the posting lists of most periods are cached.
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

  /// Attaches dates to the candidates: from memory, or with one read of the store.
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

  /// Dates from memory. Candidates and dates are visited in the order of ids.
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

  /// The newest date among the values of a property; `undated` if none is a date.
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
  engine::InstantColumn::Ptr dates_;  ///< the dates of all `ids_`, or nullptr
};

/// The records of a page by the newest date at `keys`. Reads the dates of only few records more than the page needs.
Result<std::vector<DatedId>> newest_first(ExecutionContext& context, const codec::Bitmap& ids,
                                          const std::vector<std::string>& keys,
                                          const PageRequest& request) {
  return NewestFirst(context, ids, keys).page(request);
}

}  // namespace

}  // namespace cairn::query

namespace cairn {
namespace {

constexpr std::int64_t most_page_size = 100;
constexpr std::string_view cursor_mark = "after:";
constexpr std::string_view memory_types[] = {"note", "decision", "task", "reference"};

Error mistake(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), std::nullopt};
}

// Checks the arguments. The order in which mistakes are reported is fixed: dates, type, page.
Status check(const FacetedSearch& search, std::int64_t now) {
  std::int64_t from = 0;
  std::int64_t to = 0;
  if (!search.date_from.empty()) {
    CAIRN_ASSIGN(from, query::parse_moment(search.date_from, now));
  }
  if (!search.date_to.empty()) {
    CAIRN_ASSIGN(to, query::parse_moment(search.date_to, now));
  }
  if (!search.date_from.empty() && !search.date_to.empty() && from > to)
    return mistake("date_from must be <= date_to");
  if (search.memory_type &&
      std::ranges::find(memory_types, *search.memory_type) == std::end(memory_types))
    return mistake("memory_type must be one of: note, decision, task, reference");
  if (search.page < 1) return mistake("page must be >= 1");
  if (search.page_size < 1) return mistake("page_size must be >= 1");
  if (search.page_size > most_page_size) return mistake("page_size must be <= 100");
  return {};
}

// All conditions as one filter. The planner chooses their order.
Result<Filter> whole_filter(const FacetedSearch& search) {
  std::vector<Filter> all;
  std::vector<Filter> labels;
  for (const std::string& label : search.labels) labels.push_back(Filter::has_label(label));
  if (!labels.empty()) all.push_back(Filter::any_of(std::move(labels)));
  if (!search.tags.empty())
    all.push_back(Filter::where(
        search.tags_field,
        search.tag_match_all ? FilterOperator::contains_all : FilterOperator::contains_any,
        List(search.tags.begin(), search.tags.end())));
  if (search.memory_type)
    all.push_back(Filter::where(search.type_field, FilterOperator::equals, *search.memory_type));
  if (!search.date_from.empty())
    all.push_back(Filter::where(search.date_field, FilterOperator::since, search.date_from));
  if (!search.date_to.empty())
    all.push_back(Filter::where(search.date_field, FilterOperator::until, search.date_to));
  // The two filters are validated separately, because the caller's filter may have the maximum depth already.
  Filter rest = Filter::all_of(std::move(all));
  CAIRN_TRY(validate(rest));
  CAIRN_TRY(validate(search.filter));
  rest.filters.push_back(search.filter);
  return rest;
}

// The text of a cursor: "after:" time ":" id, for the last record of a page; the time is in microseconds.
std::string cursor_text(const query::DatedId& last) {
  return std::string(cursor_mark) + std::to_string(last.time) + ":" + std::to_string(last.id);
}

/// Parses a cursor. A cursor is the position of a page's last record and not a number of rows, so new or removed
/// records do not shift the next page.
Result<query::DatedId> read_cursor(std::string_view text) {
  query::DatedId place;
  if (text.starts_with(cursor_mark)) {
    const char* end = text.data() + text.size();
    const auto time = std::from_chars(text.data() + cursor_mark.size(), end, place.time);
    if (time.ec == std::errc() && time.ptr != end && *time.ptr == ':') {
      const auto id = std::from_chars(time.ptr + 1, end, place.id);
      if (id.ec == std::errc() && id.ptr == end) return place;
    }
  }
  return mistake("\"" + std::string(text) + "\" is not a cursor of a page");
}

// One record more than the page is requested, to know whether there is another page. With a cursor the page number is
// ignored.
Status load_page(query::ExecutionContext& context, const codec::Bitmap& ids,
                 const FacetedSearch& search, FacetedPage& page) {
  CAIRN_ASSIGN(const auto keys, query::parse_field_path(search.date_field));
  const auto size = static_cast<std::uint64_t>(search.page_size);
  const auto before = static_cast<std::uint64_t>(search.page - 1);
  // The multiplication could overflow for a huge page number, which is beyond the last record anyway.
  const std::uint64_t offset = before > ids.cardinality() ? ids.cardinality() : before * size;
  query::PageRequest request{offset, size + 1, std::nullopt};
  if (!search.cursor.empty()) {
    CAIRN_ASSIGN(request.after, read_cursor(search.cursor));
  }
  CAIRN_ASSIGN(auto chosen, query::newest_first(context, ids, keys, request));
  page.has_more = chosen.size() > size;
  if (page.has_more) {
    chosen.pop_back();
    page.next_cursor = cursor_text(chosen.back());
  }
  for (const query::DatedId& one : chosen) {
    CAIRN_ASSIGN(const Value node,
                 context.graph.load(query::entity_value(codec::EntityKind::node, one.id)));
    page.nodes.push_back(node.as_node());
  }
  return {};
}

// Warns of unknown fields, because a misspelt field would silently give an empty answer.
void warn_of_fields(const engine::Catalog& catalog, const FacetedSearch& search,
                    const Filter& filter, FacetedPage& page) {
  page.warnings = query::unknown_names(filter, catalog);
  std::vector<std::string> fields;
  for (const FacetRequest& facet : search.facets) fields.push_back(facet.field);
  // The default date field gets no warning, because records need not have it.
  if (search.date_field != FacetedSearch().date_field) fields.push_back(search.date_field);
  for (const std::string& field : fields) {
    const auto keys = query::parse_field_path(field);
    const auto warning = keys ? query::unknown_field(*keys, catalog) : std::nullopt;
    if (warning && std::ranges::count(page.warnings, *warning) == 0)
      page.warnings.push_back(*warning);
  }
}

// True for errors that end the whole statement.
bool ends_statement(ErrorCode code) {
  return code == ErrorCode::cancelled || code == ErrorCode::resource_limit ||
         code == ErrorCode::corruption || code == ErrorCode::io_error;
}

Result<FacetedPage> run(query::ExecutionContext& context, const FacetedSearch& search,
                        const Filter& filter) {
  CAIRN_ASSIGN(const codec::Bitmap ids, query::filter_ids(context, filter));
  FacetedPage page;
  page.total = ids.cardinality();
  page.page = search.page;
  page.page_size = search.page_size;
  const auto size = static_cast<std::uint64_t>(search.page_size);
  page.total_pages = (page.total + size - 1) / size;
  CAIRN_TRY(load_page(context, ids, search, page));
  if (query::may_tell_names(context.options))
    warn_of_fields(context.graph.catalog(), search, filter, page);
  for (const FacetRequest& request : search.facets) {
    // An invalid facet becomes a warning, because the page is useful without it. Errors that end the statement are
    // returned.
    auto facet = query::count_facet(context, ids, request);
    if (facet)
      page.facets.push_back(std::move(facet).value());
    else if (ends_statement(facet.error().code))
      return std::move(facet).error();
    else
      page.warnings.push_back("no facet " + request.field + ": " + facet.error().message);
  }
  return page;
}

}  // namespace

// Mistakes of the caller are reported unchanged; other errors get a prefix that names the call.
Result<FacetedPage> faceted_search(const Snapshot& snapshot, const FacetedSearch& search,
                                   const StatementOptions& options) {
  if (auto* const way = Access::forwarding(snapshot)) {
    CAIRN_ASSIGN(const Value page, way->call("faceted_search", query::facets_map(search), options));
    return query::read_page(page);
  }
  const std::int64_t now = options.now ? *options.now : engine::system_time();
  CAIRN_TRY(check(search, now));
  CAIRN_ASSIGN(const Filter filter, whole_filter(search));
  const auto view = Access::view(snapshot);
  const Parameters parameters;
  query::ExecutionContext context(*view, nullptr, parameters, options, now);
  auto page = run(context, search, filter);
  if (page || page.error().code == ErrorCode::invalid_argument) return page;
  Error problem = std::move(page).error();
  problem.message = "Failed to execute faceted search: " + problem.message;
  return problem;
}

namespace {

/// A view of a snapshot in which filters can be evaluated.
class FilteredView {
 public:
  FilteredView(const Snapshot& snapshot, const StatementOptions& options)
      : view_(Access::view(snapshot)),
        context_(*view_, nullptr, parameters_, options,
                 options.now ? *options.now : engine::system_time()) {}

  [[nodiscard]] Result<codec::Bitmap> ids(const Filter& filter) {
    CAIRN_TRY(query::validate_parts(filter));
    return query::filter_ids(context_, filter);
  }
  [[nodiscard]] query::ExecutionContext& context() noexcept { return context_; }

 private:
  std::shared_ptr<const engine::View> view_;  // owners: this and the snapshot
  Parameters parameters_;
  query::ExecutionContext context_;
};

}  // namespace

Result<Facet> count_values(const Snapshot& snapshot, const FacetRequest& request,
                           const Filter& filter, const StatementOptions& options) {
  if (auto* const way = Access::forwarding(snapshot)) {
    CAIRN_TRY(query::validate_parts(filter));
    Map arguments = query::request_map(request);
    arguments.emplace("filter", to_value(filter));
    return engine::read_result<Facet>(way->call("count_values", std::move(arguments), options),
                                      query::read_facet);
  }
  FilteredView view(snapshot, options);
  CAIRN_ASSIGN(const codec::Bitmap ids, view.ids(filter));
  return query::count_facet(view.context(), ids, request);
}

// A path is listed if the index has it for at least one of the records.
Result<std::vector<std::vector<std::string>>> property_paths(const Snapshot& snapshot,
                                                             const Filter& filter,
                                                             const StatementOptions& options) {
  if (auto* const way = Access::forwarding(snapshot)) {
    CAIRN_TRY(query::validate_parts(filter));
    CAIRN_ASSIGN(const Value paths,
                 way->call("property_paths", {{"filter", to_value(filter)}}, options));
    return query::read_paths(paths);
  }
  FilteredView view(snapshot, options);
  CAIRN_ASSIGN(const codec::Bitmap ids, view.ids(filter));
  const engine::View& graph = view.context().graph.view();
  std::vector<std::vector<std::string>> paths;
  for (const auto& [number, entry] : graph.catalog().paths()) {
    if (entry.kind != codec::EntityKind::node) continue;
    CAIRN_TRY(view.context().budget.step());
    engine::IndexPredicate present;
    present.path = number;
    CAIRN_ASSIGN(const auto found, graph.lookup(present));
    if (codec::intersection_cardinality(found.ids, ids) > 0)
      paths.push_back(engine::split_path(entry.text));
  }
  return paths;
}

}  // namespace cairn
