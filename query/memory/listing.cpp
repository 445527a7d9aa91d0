// Finding records by conditions: the general search, and the calls with named criteria.
//
//    request -> conditions -> count, then one page: sorted by a field, or nearest by meaning
//
// A condition that the caller writes as text (`where`) is first parsed alone, so that it cannot change the rest of
// the statement. All other input is a parameter or a quoted name.

#include "query/memory/field_check.hpp"
#include "query/memory/memory_impl.hpp"
#include "query/memory/record_writer.hpp"

#include <cairn/select.hpp>
#include <cairn/tokens.hpp>
#include <cairn/value_as.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace cairn::memory {
namespace {

// Checks that a condition is complete: "a) OR (b" would bypass the conditions around it. A condition may come from a
// caller who may only read, so it must not call procedures that need another role.
Status check_condition(const Memory::Impl& impl, const std::string& text) {
  CAIRN_ASSIGN(const auto condition, impl.statements.find("UNWIND [] AS m RETURN CASE WHEN " +
                                                          text + "\nTHEN true END AS fits"));
  if (condition->needed_role() == Role::read && !condition->is_writing()) return {};
  return Error{ErrorCode::invalid_argument,
               "a condition must only read: it cannot call a procedure that needs the role \"" +
                   std::string(to_string(condition->needed_role())) + "\"",
               {}};
}

// True for the default filter, which a request without a filter has.
bool is_every_record(const Filter& filter) { return to_value(filter) == to_value(Filter()); }

// Removes "metadata." from the paths of a filter, as for sort_by: "metadata.tags" is another name for "tags".
Filter with_own_names(Filter filter) {
  filter.field = query::without_metadata(filter.field);
  // Paths within any_element refer to the element, not to the record.
  if (filter.op == FilterOperator::any_element) return filter;
  for (Filter& part : filter.filters) part = with_own_names(std::move(part));
  return filter;
}

// A larger number means the same as the largest integer of the language.
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

// The ORDER BY clause: by creation time, newest first, unless another field is named. Records without the field come last
// in both directions. Versions of the schema are compared as versions, with other values after them. The id is the last
// key, so that pages do not overlap.
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

// Names that begin with an underscore are reserved ($_0, $_skip, $_limit): a caller's parameter of that name could
// replace the session or the filter.
Status check_parameter_names(const Parameters& parameters) {
  for (const auto& [name, value] : parameters) {
    if (!name.starts_with('_')) continue;
    return Error{ErrorCode::invalid_argument,
                 "the parameter \"" + name + "\" begins with an underscore; rename it",
                 {}};
  }
  return {};
}

/// The request as one filter: kinds, filter and session. The caller's filter is not validated here.
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

/// The request restricted to one kind.
SearchRequest of_kind(SearchRequest request, std::string_view kind) {
  request.kinds = {std::string(kind)};
  return request;
}

}  // namespace

// Builds the MATCH and WHERE clauses for the records of a request, which are bound to `m`. Every retriever and list uses
// them unchanged.
Result<Selection> select_records(const Memory::Impl& impl, const SearchRequest& request,
                                 query::Conditions conditions) {
  for (const std::string& kind : request.kinds) CAIRN_TRY(query::check_kind(kind));
  const bool is_narrowed = request.own_only && !impl.options.also_read.empty();
  const bool has_text = !request.where.empty() || !conditions.where().empty() || is_narrowed;
  if (!request.where.empty()) {
    CAIRN_TRY(check_condition(impl, request.where));
    CAIRN_TRY(check_parameter_names(request.parameters));
    conditions.add(request.where, request.parameters);
  }
  if (!is_every_record(request.filter))
    conditions.add("matches_filter(m, " +
                   conditions.parameter(to_value(with_own_names(request.filter))) + ")");
  if (!request.session.empty()) conditions.equals("sessionId", request.session);
  if (is_narrowed)
    conditions.add("m@namespace = " + conditions.parameter(Value(impl.options.name_space)));
  Selection selection{pattern_of(request.kinds), conditions.where(), conditions.parameters(), {}};
  if (!has_text) selection.filter = whole_filter(request);
  return selection;
}

namespace {

/// The ids in the first column of a table.
std::vector<std::uint64_t> ids_in(const query::Table& table) {
  std::vector<std::uint64_t> ids;
  for (const auto& row : table.rows) ids.push_back(static_cast<std::uint64_t>(row[0].as_integer()));
  return ids;
}

}  // namespace

// If the conditions contain text of the language, the statement is run and its records are named by their ids.
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

/// Appends `limit` rows of a selection, from row `skip` on. This is a statement because ORDER BY with LIMIT keeps only
/// these rows in memory, or reads them from the value index.
Status add_rows(const Memory::Impl& impl, Selection selection, const Snapshot& snapshot,
                const std::string& order, std::uint64_t skip, std::uint64_t limit,
                query::Table& table) {
  selection.parameters.insert_or_assign("_skip", row_count(skip));
  selection.parameters.insert_or_assign("_limit", row_count(limit));
  CAIRN_ASSIGN(
      auto found,
      impl.run(snapshot, selection.match() + " RETURN m" + order + " SKIP $_skip LIMIT $_limit",
               selection.parameters));
  std::ranges::move(found.rows, std::back_inserter(table.rows));
  for (std::string& warning : found.warnings)
    if (std::ranges::count(table.warnings, warning) == 0)
      table.warnings.push_back(std::move(warning));
  return {};
}

/// The selection with one more condition.
Selection with_condition(Selection selection, const std::string& condition) {
  selection.where += (selection.where.empty() ? " WHERE " : " AND ") + condition;
  return selection;
}

/// The property that a page is sorted by, if it is the only key; nullopt for a nested path and for versions.
std::optional<std::string> only_property(const SearchRequest& request) {
  const std::string path = request.sort_by.empty() ? "created_at" : request.sort_by;
  const auto keys = query::field_keys(path);
  if (!keys || keys->size() != 1 || keys->front() == "schemaVersion") return std::nullopt;
  return query::safe_property_text(path);
}

/// Sorts by one property: first the records that have it, then those without it. A key "m.p IS NULL" would do this in one
/// statement, but then the value index could not be used and every record of the selection would be read.
Result<query::Table> rows_by_property(const Memory::Impl& impl, const SearchRequest& request,
                                      const Selection& selection, const Snapshot& snapshot,
                                      const std::string& property) {
  const bool descends = request.sort_by.empty() || request.descending;
  const Selection with = with_condition(selection, property + " IS NOT NULL");
  query::Table table;
  CAIRN_TRY(add_rows(impl, with, snapshot,
                     " ORDER BY " + property + (descends ? " DESC" : "") + ", id(m)",
                     request.offset, request.limit, table));
  if (table.rows.size() >= request.limit) return table;
  CAIRN_ASSIGN(const auto counted,
               impl.run(snapshot, with.match() + " RETURN count(*) AS total", with.parameters));
  const auto before = static_cast<std::uint64_t>(counted.rows.at(0).at(0).as_integer());
  CAIRN_TRY(add_rows(impl, with_condition(selection, property + " IS NULL"), snapshot,
                     " ORDER BY id(m)", request.offset > before ? request.offset - before : 0,
                     request.limit - table.rows.size(), table));
  return table;
}

/// Reads one page in the order of the request.
Result<std::vector<Record>> sorted_records(const Memory::Impl& impl, const SearchRequest& request,
                                           const Selection& selection, const Snapshot& snapshot,
                                           std::vector<std::string>& warnings) {
  query::Table table;
  if (const auto property = only_property(request)) {
    CAIRN_ASSIGN(table, rows_by_property(impl, request, selection, snapshot, *property));
  } else {
    CAIRN_TRY(add_rows(impl, selection, snapshot, order_of(request), request.offset, request.limit,
                       table));
  }
  std::vector<Record> records;
  for (auto& row : table.rows)  // exchanged, so that a page is in memory once
    records.push_back(record_of(std::exchange(row, {})[0].as_node()));
  warnings = std::move(table.warnings);
  return records;
}

// Reads one page by meaning: the nearest records of the whole selection, however far. The rank determines which records
// are on a page; `sort_by` only sorts them within the page. So each record is on exactly one page.
// This is a recall without a minimum score, with as many hits as the end of the page needs. If there are fewer, then these
// are all, and `total` becomes their number: words alone may find only a part of the selection.
Result<std::vector<Record>> nearest_records(const Memory::Impl& impl, const SearchRequest& request,
                                            query::Conditions conditions, std::uint64_t& total,
                                            std::vector<std::string>& warnings) {
  RecallRequest recall;
  recall.query = request.query;
  recall.scope = request;
  recall.scope.sort_by.clear();
  const std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t wanted =
      request.limit > no_end - request.offset ? no_end : request.offset + request.limit;
  recall.limit = wanted;
  recall.min_score = -1;
  recall.ranking.oversample = 1;
  CAIRN_ASSIGN(auto found, recall_records(impl, recall, std::move(conditions)));
  warnings = std::move(found.warnings);
  if (found.hits.size() < wanted) total = found.hits.size();
  const std::uint64_t before = std::min<std::uint64_t>(request.offset, found.hits.size());
  found.hits.erase(found.hits.begin(), found.hits.begin() + static_cast<std::ptrdiff_t>(before));
  sort_hits(found.hits, request);
  std::vector<Record> records;
  for (Hit& hit : found.hits) records.push_back(record_of(std::exchange(hit, {})));
  return records;
}

// A name that no record has sorts nothing and is probably a mistake. Selects no record by a filter on the field, only to
// get the warnings.
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

// The ids in ascending order, 8 bytes of memory each. The callers change these records, so only records of the memory's
// own namespace are selected.
Result<std::vector<NodeId>> selected_ids(const Memory::Impl& impl, const query::Source& source,
                                         const SearchRequest& request,
                                         std::vector<std::string>* warnings,
                                         query::Conditions conditions) {
  SearchRequest own = request;
  own.own_only = true;
  CAIRN_ASSIGN(const Selection selection, select_records(impl, own, std::move(conditions)));
  CAIRN_ASSIGN(query::Table table,
               impl.run(source, selection.match() + " RETURN id(m) AS id ORDER BY id",
                        selection.parameters));
  std::vector<NodeId> ids;
  for (const std::uint64_t id : ids_in(table)) ids.push_back(NodeId{id});
  if (warnings != nullptr)
    warnings->insert(warnings->end(), table.warnings.begin(), table.warnings.end());
  return ids;
}

Error refuse_deleted(const char* done) {
  return {ErrorCode::unsupported,
          "include_deleted is for dry runs only, because deleted records cannot be " +
              std::string(done) + "; unset it, or restore the records first",
          {}};
}

bool selects_everything(const SearchRequest& request) {
  return request.kinds.empty() && is_every_record(request.filter) && request.where.empty() &&
         request.session.empty();
}

namespace {

// Counting and reading use the same snapshot.
Result<Page> read_page_once(const Memory::Impl& impl, const SearchRequest& request,
                            query::Conditions conditions) {
  CAIRN_ASSIGN(const auto order, query::field_keys(request.sort_by));
  // A search by meaning finds only records with a vector, so the total must count only these.
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
                 nearest_records(impl, request, std::move(conditions), page.total, page.warnings));
  }
  for (const Record& record : page.records) impl.note_access(record.id);
  if (!order.empty()) CAIRN_TRY(warn_of_order(impl, request, snapshot, page.warnings));
  // Nothing follows an empty page: a search may find fewer records than the selection has.
  page.has_next_page = !page.records.empty() && request.offset < page.total &&
                       page.records.size() < page.total - request.offset;
  return page;
}

}  // namespace

Result<Page> read_page(const Memory::Impl& impl, const SearchRequest& request,
                       query::Conditions conditions) {
  return again([&] { return read_page_once(impl, request, conditions); });
}

Result<Page> Memory::search(const SearchRequest& request) const {
  return read_page(*impl_, request);
}

// Criteria are combined with the request by AND. A criterion that is not set is ignored.
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

// Every cognitive process has a processType, whatever its kind.
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

// list_episodes and list_insights: fixed criteria, newest first, with the limits and error texts of the tools that
// clients used before. Clients compare these texts, so they must not change.

namespace {

constexpr std::array<std::string_view, 4> io_categories = {"self", "ethr", "shared",
                                                           "relationship"};
constexpr std::array<std::string_view, 5> memory_sectors = {"emotional", "episodic", "semantic",
                                                            "procedural", "reflective"};

Error refuse(std::string message) { return {ErrorCode::invalid_argument, std::move(message), {}}; }

/// The limits of both lists.
Status check_paging(std::int64_t limit, std::int64_t offset) {
  if (limit < 1 || limit > 100) return refuse("limit must be between 1 and 100");
  if (offset < 0) return refuse("offset must be >= 0");
  return {};
}

/// An unknown word would return an empty page, which looks as if there were no records yet.
Status check_word(std::string_view name, const std::optional<std::string>& word,
                  std::span<const std::string_view> known) {
  if (!word || std::ranges::count(known, *word) > 0) return {};
  std::string text = "Invalid " + std::string(name) + ": " + *word + "; must be one of";
  for (const std::string_view one : known)
    text += (one == known[0] ? " " : ", ") + std::string(one);
  return refuse(text);
}

/// Parses a time; nullopt if it is not set. Errors: invalid_argument for a text that is not a time.
Result<std::optional<std::int64_t>> instant_of(const std::optional<std::string>& text) {
  if (!text) return std::optional<std::int64_t>();
  const auto instant = to_instant(Value(*text));
  if (!instant) return refuse("Invalid ISO 8601 timestamp: " + *text);
  return instant;
}

/// created_at is stored as text in one fixed form (time_text), so comparing texts compares times.
Status add_dates(query::Conditions& conditions, const std::optional<std::string>& from_text,
                 const std::optional<std::string>& to_text,
                 const std::optional<std::string>& since_text) {
  CAIRN_ASSIGN(auto from, instant_of(from_text));
  CAIRN_ASSIGN(const auto to, instant_of(to_text));
  CAIRN_ASSIGN(const auto since, instant_of(since_text));
  if (since) from = std::max(from.value_or(*since), *since);
  if (from && to && *from > *to) return refuse("date_from and since must not be after date_to");
  if (from) conditions.compare("created_at", ">=", time_text(*from));
  if (to) conditions.compare("created_at", "<=", time_text(*to));
  return {};
}

void add_tags(query::Conditions& conditions, const std::vector<std::string>& tags) {
  // Tags are normalised as they were when they were stored.
  for (const Value& tag : tag_set(List(tags.begin(), tags.end())))
    conditions.has_element("tags", tag);
}

// The search request of a list.
SearchRequest request_of(std::string_view kind, std::int64_t limit, std::int64_t offset) {
  SearchRequest request;
  request.kinds = {std::string(kind)};
  request.limit = static_cast<std::uint64_t>(limit);
  request.offset = static_cast<std::uint64_t>(offset);
  return request;
}

}  // namespace

// The category of an episode is the beginning of its query: "[category] ...".
Result<Page> Memory::list_episodes(const EpisodeList& request) const {
  CAIRN_TRY(check_paging(request.limit, request.offset));
  query::Conditions conditions;
  add_tags(conditions, request.tags);
  if (request.category) conditions.compare("query", "STARTS WITH", "[" + *request.category + "]");
  CAIRN_TRY(add_dates(conditions, request.date_from, request.date_to, request.since));
  return read_page(*impl_, request_of("episode", request.limit, request.offset),
                   std::move(conditions));
}

// Newest first, one page.
Result<Page> Memory::list_insights(const InsightList& request) const {
  CAIRN_TRY(check_paging(request.limit, request.offset));
  CAIRN_TRY(check_word("io_category", request.io_category, io_categories));
  CAIRN_TRY(check_word("memory_sector", request.memory_sector, memory_sectors));
  query::Conditions conditions;
  add_tags(conditions, request.tags);
  CAIRN_TRY(add_dates(conditions, request.date_from, request.date_to, {}));
  if (request.io_category) conditions.equals("io_category", *request.io_category);
  if (request.is_identity) conditions.equals("is_identity", *request.is_identity);
  if (request.memory_sector) conditions.equals("memory_sector", *request.memory_sector);
  return read_page(*impl_, request_of("insight", request.limit, request.offset),
                   std::move(conditions));
}

}  // namespace cairn::memory
