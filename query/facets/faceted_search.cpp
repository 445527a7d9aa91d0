// The call: what is asked becomes one filter, its ids a page and counts.
// One call: filter, page, counts, over one snapshot. The filter is evaluated once; the page takes
// the newest by a date field, and each facet counts over all ids that pass, not over the page.

#include "codec/bitmap.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/database/access.hpp"
#include "engine/database/handles.hpp"
#include "engine/system/clock.hpp"
#include "engine/view/lookup_result.hpp"
#include "engine/view/view.hpp"
#include "query/execute/filter/filter_ids.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/facets/facet_counter.hpp"
#include "query/facets/forwarded_facets.hpp"
#include "query/facets/newest_first.hpp"
#include "query/filter/filter_operators.hpp"
#include "query/functions/time_zone.hpp"
#include "query/plan/name_warnings.hpp"

#include <cairn/facets.hpp>

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

constexpr std::int64_t most_page_size = 100;
constexpr std::string_view cursor_mark = "after:";
constexpr std::string_view memory_types[] = {"note", "decision", "task", "reference"};

Error mistake(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), std::nullopt};
}

// In the order of the requirement's errors: dates, type, page.
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

// Conditions that narrow most stand for themselves: the planner orders them.
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
  // Each alone: a caller's filter may be as deep as a filter can be.
  Filter rest = Filter::all_of(std::move(all));
  CAIRN_TRY(validate(rest));
  CAIRN_TRY(validate(search.filter));
  rest.filters.push_back(search.filter);
  return rest;
}

// cursor := "after:" time ":" id          of the last record of a page, in microseconds
std::string cursor_text(const query::DatedId& last) {
  return std::string(cursor_mark) + std::to_string(last.time) + ":" + std::to_string(last.id);
}

///    mark  time  ":"  id      nothing may be left over
/// A cursor is the place of a page's last record and no number of rows, so that records that come
/// or go in between shift nothing.
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
  return mistake("\"" + std::string(text) + "\" is no cursor that a page gave");
}

// One record more than the page has says whether there is another page.
// With a cursor the page number does not matter: what comes behind the record is asked for.
Status load_page(query::ExecutionContext& context, const codec::Bitmap& ids,
                 const FacetedSearch& search, FacetedPage& page) {
  CAIRN_ASSIGN(const auto keys, query::parse_field_path(search.date_field));
  const auto size = static_cast<std::uint64_t>(search.page_size);
  const auto before = static_cast<std::uint64_t>(search.page - 1);
  // Pages whose beginning no number holds are behind every end.
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

// Misspelt, most likely: the answer would be empty without a word.
void warn_of_fields(const engine::Catalog& catalog, const FacetedSearch& search,
                    const Filter& filter, FacetedPage& page) {
  page.warnings = query::unknown_names(filter, catalog);
  std::vector<std::string> fields;
  for (const FacetRequest& facet : search.facets) fields.push_back(facet.field);
  // Records need not have the date that is asked for by default.
  if (search.date_field != FacetedSearch().date_field) fields.push_back(search.date_field);
  for (const std::string& field : fields) {
    const auto keys = query::parse_field_path(field);
    const auto warning = keys ? query::unknown_field(*keys, catalog) : std::nullopt;
    if (warning && std::ranges::count(page.warnings, *warning) == 0)
      page.warnings.push_back(*warning);
  }
}

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
  warn_of_fields(context.graph.catalog(), search, filter, page);
  for (const FacetRequest& request : search.facets) {
    // A facet is beside the point: without it the page still answers, but for a statement that ends.
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

// Mistakes of the caller are reported as they are; anything else follows what failed.
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

/// A view of a snapshot with the ids of the records that pass a filter.
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
  CAIRN_TRY(Access::check_local(snapshot, "count_values()"));
  FilteredView view(snapshot, options);
  CAIRN_ASSIGN(const codec::Bitmap ids, view.ids(filter));
  return query::count_facet(view.context(), ids, request);
}

// Whether one of the records has a path at all is asked of the index of those that have it.
Result<std::vector<std::vector<std::string>>> property_paths(const Snapshot& snapshot,
                                                             const Filter& filter,
                                                             const StatementOptions& options) {
  CAIRN_TRY(Access::check_local(snapshot, "property_paths()"));
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
