// Encodes and decodes the entries of the extension. An absent or invalid entry means its default, so that processes of
// different library versions understand each other.
#include "query/bolt/attached.hpp"

#include "codec/meta.hpp"
#include "codec/packstream_values.hpp"
#include "codec/value_extent.hpp"
#include "engine/system/clock.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::query::bolt {
namespace {

/// The entry with the key; nullptr if it is absent or of another type.
template <class T>
const T* entry(const Map& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : found->second.get_if<T>();
}

const List* list_entry(const Map& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : found->second.list();
}

// The integer at an index of a list; 0 if it is absent or of another type.
std::int64_t integer_at(const List& list, std::size_t place) {
  const auto* integer = place < list.size() ? list[place].get_if<std::int64_t>() : nullptr;
  return integer == nullptr ? 0 : *integer;
}

/// A size as an integer of the language; a larger size becomes the largest integer.
Value size_value(std::size_t size) {
  return static_cast<std::int64_t>(
      std::min(size, static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max())));
}

List texts_of(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

// The texts of a list; other values are dropped.
std::vector<std::string> texts_in(const List& list) {
  std::vector<std::string> texts;
  for (const Value& value : list)
    if (value.string() != nullptr) texts.push_back(*value.string());
  return texts;
}

// All counters of Changes in the order in which they are sent. Append new ones at the end.
constexpr std::array counts = {
    &Changes::nodes_created,         &Changes::nodes_deleted,      &Changes::relationships_created,
    &Changes::relationships_deleted, &Changes::properties_set,     &Changes::labels_added,
    &Changes::labels_removed,        &Changes::indexes_added,      &Changes::indexes_removed,
    &Changes::constraints_added,     &Changes::constraints_removed};
static_assert(sizeof(Changes) == counts.size() * sizeof(std::uint64_t), "a count is missing");

}  // namespace

// The value is [code, message] or [code, message, begin, end, line, column].
Value value_of(const Error& error) {
  List fields{static_cast<std::int64_t>(error.code), error.message};
  if (error.where)
    for (const std::size_t field :
         {error.where->begin, error.where->end, error.where->line, error.where->column})
      fields.emplace_back(size_value(field));
  return fields;
}

Error error_of(const Value& value) {
  const List* fields = value.list();
  const bool is_error = fields != nullptr && (fields->size() == 2 || fields->size() == 6) &&
                        (*fields)[1].string() != nullptr;
  if (!is_error)
    return {ErrorCode::io_error, "the host failed with an unreadable error: " + value.to_text(),
            std::nullopt};
  Error error{static_cast<ErrorCode>(integer_at(*fields, 0)), *(*fields)[1].string(), std::nullopt};
  const auto field = [&](std::size_t place) {
    return static_cast<std::size_t>(integer_at(*fields, place));
  };
  if (fields->size() == 6) error.where = TextRange{field(2), field(3), field(4), field(5)};
  return error;
}

// The keys are part of the protocol and must not change.
Map statement_map_of(const StatementOptions& options) {
  static const StatementOptions usual;
  Map map;
  if (options.timeout != usual.timeout)
    map.emplace("timeout", std::int64_t{options.timeout.count()});
  if (options.memory_bytes != usual.memory_bytes)
    map.emplace("memory", size_value(options.memory_bytes));
  if (options.max_rows != usual.max_rows) map.emplace("rows", size_value(options.max_rows));
  if (options.now) map.emplace("now", *options.now);
  if (!options.name_space.empty()) map.emplace("name_space", options.name_space);
  if (!options.also_read.empty()) map.emplace("also_read", texts_of(options.also_read));
  if (!options.author.empty()) map.emplace("author", options.author);
  if (options.listed_name_spaces) map.emplace("listed", texts_of(*options.listed_name_spaces));
  if (!options.use_files) map.emplace("files", false);
  if (options.threads != 0) map.emplace("threads", std::int64_t{options.threads});
  if (!options.disabled_rules.empty()) map.emplace("rules", options.disabled_rules);
  if (!options.caller.empty()) map.emplace("caller", options.caller);
  return map;
}

StatementOptions statement_options_of(const Map& map) {
  StatementOptions options;
  if (const auto* time = entry<std::int64_t>(map, "timeout"))
    options.timeout = std::chrono::milliseconds(*time);
  if (const auto* bytes = entry<std::int64_t>(map, "memory"))
    options.memory_bytes = static_cast<std::size_t>(*bytes);
  if (const auto* rows = entry<std::int64_t>(map, "rows"))
    options.max_rows = static_cast<std::size_t>(*rows);
  if (const auto* now = entry<std::int64_t>(map, "now")) options.now = *now;
  if (const auto* name = entry<std::string>(map, "name_space")) options.name_space = *name;
  if (const List* names = list_entry(map, "also_read")) options.also_read = texts_in(*names);
  if (const auto* name = entry<std::string>(map, "author")) options.author = *name;
  if (const List* listed = list_entry(map, "listed"))
    options.listed_name_spaces = texts_in(*listed);
  if (const auto* files = entry<bool>(map, "files")) options.use_files = *files;
  if (const auto* threads = entry<std::int64_t>(map, "threads"))
    options.threads = static_cast<std::uint32_t>(*threads);
  if (const auto* rules = entry<std::string>(map, "rules")) options.disabled_rules = *rules;
  if (const auto* caller = entry<std::string>(map, "caller")) options.caller = *caller;
  return options;
}

AttachedRequest request_of(const Map& said) {
  return {statement_options_of(said), said.contains(deleted_entry), note_of(said)};
}

std::optional<CommitNote> note_of(const Map& said) {
  const List* note = list_entry(said, "note");
  if (note == nullptr || note->size() != 2 || (*note)[0].string() == nullptr) return std::nullopt;
  return CommitNote{*(*note)[0].string(), integer_at(*note, 1)};
}

namespace {

constexpr std::size_t most_row_bytes = std::size_t{64} << 10;  // of all rows that are stored
constexpr std::uint32_t most_row_levels = 129;  // of a row; its values have one level less

/// Subtracts a lower bound of the encoded size of values from `left`, and stops with false once `left` does not
/// suffice. Stopping early matters, because a part that is shared is encoded, and counted, at each use.
class LeastBytes {
 public:
  explicit LeastBytes(std::size_t left) : left_(left) {}

  bool fits(const Value& value) {
    return std::visit([this](const auto& content) { return fits_content(content); },
                      value.content());
  }

 private:
  bool take(std::size_t bytes) {
    if (bytes > left_) return false;
    left_ -= bytes;
    return true;
  }
  template <class T>
  bool fits_content(const T& /*scalar*/) {
    return take(1);
  }
  bool fits_content(const std::string& text) { return take(1 + text.size()); }
  bool fits_content(const Vector& vector) { return take(1 + vector.components().size()); }
  bool fits_content(const Value::ListPtr& list) {
    return take(1) && std::ranges::all_of(*list, [this](const Value& each) { return fits(each); });
  }
  bool fits_content(const Value::MapPtr& map) { return fits_entries(*map); }
  bool fits_content(const Node& node) { return fits_entries(node.properties()); }
  bool fits_content(const Relationship& relationship) {
    return fits_entries(relationship.properties());
  }
  bool fits_content(const Value::PathPtr& path) {
    const auto fits_one = [this](const auto& entity) { return fits_content(entity); };
    return std::ranges::all_of(path->nodes, fits_one) &&
           std::ranges::all_of(path->relationships, fits_one);
  }
  bool fits_entries(const Map& map) {
    return take(1) && std::ranges::all_of(map, [this](const auto& entry) {
             return take(1 + entry.first.size()) && fits(entry.second);
           });
  }

  std::size_t left_;
};

/// False if the row is certainly too large or too deep to be stored. Tests this without encoding the row.
bool may_be_stored(const List& row) {
  if (codec::measure(row).levels > most_row_levels) return false;
  LeastBytes least(most_row_bytes);
  return std::ranges::all_of(row, [&](const Value& value) { return least.fits(value); });
}

}  // namespace

// Stores the rows only if they are small in total, because the entry must not be as large as the result, and only if
// find_outcome() can read the levels of their values.
Map outcome_of(const Rows& rows, const std::vector<List>& values) {
  Map outcome{{"columns", texts_of(rows.columns())}, {"results", results_of(rows)}};
  std::string bytes;
  codec::PackStreamWriter writer(bytes);
  List stored;
  for (const List& row : values) {
    if (!may_be_stored(row)) return outcome;
    codec::write_whole_value(writer, row);
    if (bytes.size() > most_row_bytes) return outcome;
    stored.emplace_back(row);
  }
  outcome.emplace("rows", std::move(stored));
  return outcome;
}

std::pair<std::string, std::string> entry_of(const CommitNote& note, const Map& outcome,
                                             bool is_unfinished) {
  codec::ClientEntry entry{
      static_cast<std::uint64_t>(note.count), engine::system_time(), {}, is_unfinished};
  codec::PackStreamWriter writer(entry.result);
  codec::write_whole_value(writer, outcome);
  return {codec::client_entry_key(note.client), codec::encode(entry)};
}

Map results_of(const Rows& rows) {
  Map map;
  if (rows.changes() != Changes()) {
    List changes;
    for (const auto count : counts) changes.emplace_back(rows.changes().*count);
    map.emplace("changes", std::move(changes));
  }
  if (!rows.warnings().empty()) map.emplace("warnings", texts_of(rows.warnings()));
  if (std::string plan = rows.plan(); !plan.empty()) map.emplace("plan", std::move(plan));
  return map;
}

RowsResults results_of(const Map& map) {
  RowsResults results;
  if (const List* changes = list_entry(map, "changes"))
    for (std::size_t i = 0; i < counts.size(); ++i)
      results.changes.*counts[i] = static_cast<std::uint64_t>(integer_at(*changes, i));
  if (const List* warnings = list_entry(map, "warnings")) results.warnings = texts_in(*warnings);
  if (const auto* plan = entry<std::string>(map, "plan")) results.plan = *plan;
  return results;
}

}  // namespace cairn::query::bolt
