// The call: what is asked becomes one filter, its ids a page and counts.

#include "engine/access.hpp"
#include "query/facets/facet_counter.hpp"
#include "query/facets/filter_ids.hpp"
#include "query/facets/newest_first.hpp"
#include "query/filter/field_path.hpp"
#include "query/functions/moment.hpp"

#include <cairn/facets.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

constexpr std::int64_t most_page_size = 100;
constexpr std::string_view memory_types[] = {"note", "decision", "task", "reference"};

Error mistake(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), std::nullopt};
}

std::int64_t clock_now() {
  using std::chrono::duration_cast;
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return duration_cast<std::chrono::microseconds>(since).count();
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
  for (const std::string& label : search.labels) labels.push_back(has_label(label));
  if (!labels.empty()) all.push_back(any_of(std::move(labels)));
  if (!search.tags.empty())
    all.push_back(
        where(search.tags_field,
              search.tag_match_all ? FilterOperator::contains_all : FilterOperator::contains_any,
              List(search.tags.begin(), search.tags.end())));
  if (search.memory_type)
    all.push_back(where(search.type_field, FilterOperator::equals, *search.memory_type));
  if (!search.date_from.empty())
    all.push_back(where(search.date_field, FilterOperator::since, search.date_from));
  if (!search.date_to.empty())
    all.push_back(where(search.date_field, FilterOperator::until, search.date_to));
  all.push_back(search.filter);
  // Read back, so that a filter built by hand is checked like any other.
  return filter_from(to_value(all_of(std::move(all))));
}

Result<std::vector<Node>> load_page(query::ExecutionContext& context, const codec::IdSet& ids,
                                    const FacetedSearch& search) {
  CAIRN_ASSIGN(const auto keys, query::parse_field_path(search.date_field));
  const auto size = static_cast<std::uint64_t>(search.page_size);
  const auto before = static_cast<std::uint64_t>(search.page - 1);
  // Pages whose beginning no number holds are behind every end.
  const std::uint64_t offset = before > ids.cardinality() ? ids.cardinality() : before * size;
  CAIRN_ASSIGN(const auto chosen, query::newest_first(context, ids, keys, offset, size));
  std::vector<Node> nodes;
  for (const std::uint64_t id : chosen) {
    CAIRN_ASSIGN(const Value node,
                 context.graph.load(query::entity_value(codec::EntityKind::node, id)));
    nodes.push_back(node.as_node());
  }
  return nodes;
}

bool ends_statement(ErrorCode code) {
  return code == ErrorCode::cancelled || code == ErrorCode::resource_limit ||
         code == ErrorCode::corruption || code == ErrorCode::io_error;
}

Result<FacetedPage> run(query::ExecutionContext& context, const FacetedSearch& search,
                        const Filter& filter) {
  CAIRN_ASSIGN(const codec::IdSet ids, query::filter_ids(context, filter));
  FacetedPage page;
  page.total = ids.cardinality();
  page.page = search.page;
  page.page_size = search.page_size;
  const auto size = static_cast<std::uint64_t>(search.page_size);
  page.total_pages = (page.total + size - 1) / size;
  page.has_more = static_cast<std::uint64_t>(search.page) < page.total_pages;
  CAIRN_ASSIGN(page.nodes, load_page(context, ids, search));
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

Result<FacetedPage> faceted_search(const Snapshot& snapshot, const FacetedSearch& search,
                                   const StatementOptions& options) {
  const std::int64_t now = options.now ? *options.now : clock_now();
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

}  // namespace cairn
