// Records by conditions: the general search, and the calls that name their criteria.
//    request -> conditions -> count, then one page: sorted, or nearest by meaning
// Text that a caller writes (`where`) is parsed alone first; everything else from outside is a
// parameter or a quoted name.

#include "query/memory/memory_impl.hpp"
#include "query/memory/record_writer.hpp"

#include <cairn/select.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace cairn::memory {
namespace {

// A condition must be whole: "a) OR (b" would otherwise undo the conditions around it.
Status check_condition(const Memory::Impl& impl, const std::string& text) {
  CAIRN_TRY(
      impl.statements.find("UNWIND [] AS m RETURN CASE WHEN " + text + "\nTHEN true END AS fits"));
  return {};
}

// The filter of a request that was not given one; anything that was set must be read or refused.
bool is_every_record(const Filter& filter) { return to_value(filter) == to_value(Filter()); }

// Metadata stands at the top of a record, as in sort_by: "metadata.tags" is another name of "tags".
Filter with_own_names(Filter filter) {
  filter.field = query::without_metadata(filter.field);
  // The fields below an element are those of the element.
  if (filter.op == FilterOperator::any_element) return filter;
  for (Filter& part : filter.filters) part = with_own_names(std::move(part));
  return filter;
}

// More than a number of the language holds is behind every end.
std::int64_t row_count(std::uint64_t count) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return static_cast<std::int64_t>(std::min(count, most));
}

/// (m:Memory&(Kind|Kind)). The labels come from the kinds' names and are quoted.
std::string pattern_of(const std::vector<std::string>& kinds) {
  std::string text = "(m:" + std::string(memory_label);
  for (std::size_t i = 0; i < kinds.size(); ++i)
    text += (i == 0 ? "&(" : "|") + query::quoted_name(label_of(kinds[i]));
  return text += kinds.empty() ? ")" : "))";
}

// Records without the field come last in both directions, equal ones by id.
// By creation, newest first, unless another field is named. Versions of the schema as versions, and
// other values after them. Ids last, so that pages do not overlap.
std::string order_of(const SearchRequest& request) {
  const bool by_time = request.sort_by.empty();
  const std::string field = query::safe_property_text(by_time ? "created_at" : request.sort_by);
  const std::string direction = by_time || request.descending ? " DESC" : "";
  const auto by = [&](const std::string& value) {
    return value + " IS NULL, " + value + direction + ", ";
  };
  const bool is_version = field == query::safe_property_text("schemaVersion");
  return " ORDER BY " + (is_version ? by("version(" + field + ")") : "") + by(field) + "id(m)";
}

void add_id(query::Conditions& conditions, std::string_view path,
            const std::optional<StructuredId>& id) {
  if (id) conditions.equals(path, *id);
}

void add_text(query::Conditions& conditions, std::string_view path,
              const std::optional<std::string>& text) {
  if (text) conditions.equals(path, *text);
}

// One that took the place of our own would take session and filter out of the statement.
// Names with an underscore are ours: $_0, $_skip, $_limit.
Status check_parameter_names(const Parameters& parameters) {
  for (const auto& [name, value] : parameters) {
    if (!name.starts_with('_')) continue;
    return Error{ErrorCode::invalid_argument,
                 "the parameter \"" + name + "\" begins with an underscore; rename it",
                 {}};
  }
  return {};
}

/// Kinds, filter and session. The caller's filter may be as deep as a filter can be, and is not checked here.
Filter whole_filter(const SearchRequest& request) {
  std::vector<Filter> all = {Filter::has_label(std::string(memory_label))};
  std::vector<Filter> kinds;
  for (const std::string& kind : request.kinds) kinds.push_back(Filter::has_label(label_of(kind)));
  if (!kinds.empty()) all.push_back(Filter::any_of(std::move(kinds)));
  if (!is_every_record(request.filter)) all.push_back(with_own_names(request.filter));
  if (!request.session.empty())
    all.push_back(Filter::where("sessionId", FilterOperator::equals, request.session));
  return Filter::all_of(std::move(all));
}

SearchRequest of_kind(SearchRequest request, std::string_view kind) {
  request.kinds = {std::string(kind)};
  return request;
}

}  // namespace

// The selection is of `m`, and every retriever and list uses it unchanged.
Result<Selection> select_records(const Memory::Impl& impl, const SearchRequest& request,
                                 query::Conditions conditions) {
  for (const std::string& kind : request.kinds) CAIRN_TRY(query::check_kind(kind));
  const bool has_text = !request.where.empty() || !conditions.where().empty();
  if (!request.where.empty()) {
    CAIRN_TRY(check_condition(impl, request.where));
    CAIRN_TRY(check_parameter_names(request.parameters));
    conditions.add(request.where, request.parameters);
  }
  if (!is_every_record(request.filter))
    conditions.add("matches_filter(m, " +
                   conditions.parameter(to_value(with_own_names(request.filter))) + ")");
  if (!request.session.empty()) conditions.equals("sessionId", request.session);
  Selection selection{pattern_of(request.kinds), conditions.where(), conditions.parameters(), {}};
  if (!has_text) selection.filter = whole_filter(request);
  return selection;
}

namespace {

/// The ids in the one column of a table.
std::vector<std::uint64_t> ids_in(const query::Table& table) {
  std::vector<std::uint64_t> ids;
  for (const auto& row : table.rows) ids.push_back(static_cast<std::uint64_t>(row[0].as_integer()));
  return ids;
}

}  // namespace

// What is text of the language has been asked then, and its records are named by their ids.
Result<Filter> filter_of(const Memory::Impl& impl, const Snapshot& snapshot,
                         const SearchRequest& request, const Selection& selection,
                         std::vector<std::string>& warnings) {
  CAIRN_TRY(validate(request.filter));
  if (selection.filter) return *selection.filter;
  CAIRN_ASSIGN(query::Table table,
               impl.run(snapshot, selection.match() + " RETURN id(m) AS id ORDER BY id",
                        selection.parameters));
  warnings = std::move(table.warnings);
  return Filter::has_id(ids_in(table));
}

namespace {

/// As a statement, because ORDER BY with LIMIT keeps no more rows than offset + limit, or reads
/// them off the value index. The parameters' names begin with "_" so that no parameter of a caller
/// is hidden.
Result<std::vector<Record>> sorted_records(const Memory::Impl& impl, const SearchRequest& request,
                                           Selection selection, const Snapshot& snapshot,
                                           std::vector<std::string>& warnings) {
  selection.parameters.insert_or_assign("_skip", row_count(request.offset));
  selection.parameters.insert_or_assign("_limit", row_count(request.limit));
  CAIRN_ASSIGN(auto found, impl.run(snapshot,
                                    selection.match() + " RETURN m" + order_of(request) +
                                        " SKIP $_skip LIMIT $_limit",
                                    selection.parameters));
  std::vector<Record> records;
  for (const auto& row : found.rows) records.push_back(record_of(row[0].as_node()));
  warnings = std::move(found.warnings);
  return records;
}

// By meaning: the nearest of all records of the selection, however far. The rank says which hits are
// on the page and `sort_by` only how they stand there: so each is on one page, and on no other.
// A recall without a least score over as many hits as lead up to the page's end.
Result<std::vector<Record>> nearest_records(const Memory::Impl& impl, const SearchRequest& request,
                                            query::Conditions conditions,
                                            std::vector<std::string>& warnings) {
  RecallRequest recall;
  recall.query = request.query;
  recall.scope = request;
  recall.scope.sort_by.clear();
  const std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();
  recall.limit = request.limit > no_end - request.offset ? no_end : request.offset + request.limit;
  recall.min_score = -1;
  recall.ranking.oversample = 1;
  CAIRN_ASSIGN(auto found, recall_records(impl, recall, std::move(conditions)));
  warnings = std::move(found.warnings);
  const std::uint64_t before = std::min<std::uint64_t>(request.offset, found.hits.size());
  found.hits.erase(found.hits.begin(), found.hits.begin() + static_cast<std::ptrdiff_t>(before));
  sort_hits(found.hits, request);
  std::vector<Record> records;
  for (const Hit& hit : found.hits) records.push_back(record_of(hit));
  return records;
}

// A name that no record has orders nothing, which is most likely a slip. A filter on the field is asked for its
// warnings, and for no record.
Status warn_of_order(const Memory::Impl& impl, const SearchRequest& request,
                     const Snapshot& snapshot, std::vector<std::string>& warnings) {
  const Filter has_field =
      Filter::where(query::without_metadata(request.sort_by), FilterOperator::exists);
  SelectOptions none;
  none.limit = 0;
  CAIRN_ASSIGN(const Rows rows, select_nodes(snapshot, has_field, none, impl.statement_options()));
  for (const std::string& warning : rows.warnings())
    if (std::ranges::count(warnings, warning) == 0) warnings.push_back(warning);
  return {};
}

}  // namespace

// Ascending. All of them are held: 8 bytes each.
Result<std::vector<NodeId>> selected_ids(const Memory::Impl& impl, const query::Source& source,
                                         const SearchRequest& request,
                                         std::vector<std::string>* warnings,
                                         query::Conditions conditions) {
  CAIRN_ASSIGN(const Selection selection, select_records(impl, request, std::move(conditions)));
  CAIRN_ASSIGN(query::Table table,
               impl.run(source, selection.match() + " RETURN id(m) AS id ORDER BY id",
                        selection.parameters));
  std::vector<NodeId> ids;
  for (const std::uint64_t id : ids_in(table)) ids.push_back(NodeId{id});
  if (warnings != nullptr) *warnings = std::move(table.warnings);
  return ids;
}

bool selects_everything(const SearchRequest& request) {
  return request.kinds.empty() && is_every_record(request.filter) && request.where.empty() &&
         request.session.empty();
}

// Counting and reading see one snapshot.
Result<Page> read_page(const Memory::Impl& impl, const SearchRequest& request,
                       query::Conditions conditions) {
  CAIRN_ASSIGN(const auto order, query::field_keys(request.sort_by));
  // Only what has a vector is ever found by meaning; the total must not promise more.
  if (!request.query.empty()) conditions.add("m.embedding IS NOT NULL");
  CAIRN_ASSIGN(const Selection selection, select_records(impl, request, conditions));
  CAIRN_ASSIGN(const Snapshot snapshot, impl.snapshot(request.include_deleted));
  CAIRN_ASSIGN(
      const auto counted,
      impl.run(snapshot, selection.match() + " RETURN count(*) AS total", selection.parameters));
  Page page;
  page.total = static_cast<std::uint64_t>(counted.rows.at(0).at(0).as_integer());
  page.limit = request.limit;
  page.offset = request.offset;
  if (request.query.empty()) {
    CAIRN_ASSIGN(page.records, sorted_records(impl, request, selection, snapshot, page.warnings));
  } else {
    CAIRN_ASSIGN(page.records,
                 nearest_records(impl, request, std::move(conditions), page.warnings));
  }
  for (const Record& record : page.records) impl.note_access(record.id);
  if (!order.empty()) CAIRN_TRY(warn_of_order(impl, request, snapshot, page.warnings));
  page.has_next_page =
      request.offset < page.total && page.records.size() < page.total - request.offset;
  return page;
}

Result<Page> Memory::search(const SearchRequest& request) const {
  return read_page(*impl_, request);
}

// Criteria of the kind are joined to those of the request: all must hold. What is not given is no
// criterion.
Result<Page> Memory::search_messages(const MessageCriteria& criteria,
                                     const SearchRequest& more) const {
  query::Conditions conditions;
  add_id(conditions, "userId", criteria.user);
  add_id(conditions, "agentId", criteria.agent);
  add_id(conditions, "chatId", criteria.chat);
  add_text(conditions, "role", criteria.role);
  add_text(conditions, "thread.id", criteria.thread);
  add_text(conditions, "messageType", criteria.message_type);
  return read_page(*impl_, of_kind(more, "message"), std::move(conditions));
}

// Every process has a processType, whatever its kind.
Result<Page> Memory::search_cognitive_processes(const CognitiveCriteria& criteria,
                                                const SearchRequest& more) const {
  query::Conditions conditions;
  add_id(conditions, "agentId", criteria.agent);
  add_text(conditions, "processType", criteria.process_type);
  if (!criteria.process_type) conditions.add("m.processType IS NOT NULL");
  add_text(conditions, "contextId", criteria.context);
  if (criteria.related_to) conditions.has_element("relatedTo", *criteria.related_to);
  return read_page(*impl_, more, std::move(conditions));
}

Result<Page> Memory::search_documents(const DocumentCriteria& criteria,
                                      const SearchRequest& more) const {
  query::Conditions conditions;
  add_text(conditions, "source", criteria.source);
  add_id(conditions, "agentId", criteria.agent);
  add_id(conditions, "userId", criteria.user);
  add_text(conditions, "title", criteria.title);
  add_text(conditions, "contentType", criteria.content_type);
  return read_page(*impl_, of_kind(more, "document"), std::move(conditions));
}

Result<Page> Memory::search_tasks(const TaskCriteria& criteria, const SearchRequest& more) const {
  query::Conditions conditions;
  add_id(conditions, "agentId", criteria.agent);
  add_id(conditions, "assignedTo", criteria.assigned_to);
  add_text(conditions, "status", criteria.status);
  add_text(conditions, "priority", criteria.priority);
  add_text(conditions, "parentTaskId", criteria.parent_task);
  return read_page(*impl_, of_kind(more, "task"), std::move(conditions));
}

}  // namespace cairn::memory
