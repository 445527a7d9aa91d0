// Kinds, their fields and the steps from version to version. Values are brought to their
// form in every mode; problems are errors, all in one message, where it is strict, warnings where
// it warns, and nothing where it is open.

#include "query/memory/field_check.hpp"

#include <cairn/memory/schema.hpp>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

// The table of the kinds shipped.
//
// Kinds of records as data: fields with type, bounds and words, and the relationship that a field
// stands for. A new kind is one function here, or Schema::add() of an application. Sources are the
// documents of the requirements; words that a document lists as examples are known, those that it
// closes are enforced.

using memory::Field;

using memory::FieldType;

using memory::RecordType;

using enum FieldType;

Field required(Field field) {
  field.required = true;
  return field;
}

Field one_of(std::string name, std::vector<std::string> values) {
  return {std::move(name), text, false, std::move(values), true};
}

// Known words; others fit as well.
Field word(std::string name, std::vector<std::string> values) {
  return {std::move(name), text, false, std::move(values), false};
}

// The same, and others give a warning.
Field advised(std::string name, std::vector<std::string> values) {
  Field field = word(std::move(name), std::move(values));
  field.advised = true;
  return field;
}

// M4.7: whose experience it is; the taxonomy is closed and not enforced.
Field taxonomy(std::string name) {
  return advised(std::move(name), {"self", "ethr", "shared", "relationship"});
}

/// Both bounds belong to it.
Field between(std::string name, double least, std::optional<double> most) {
  return {std::move(name), number, false, {}, false, least, most};
}

/// Names other records: a relationship of the given type is maintained beside the field.
Field link(std::string name, FieldType type, std::string relationship) {
  Field field{std::move(name), type};
  field.relationship = std::move(relationship);
  return field;
}

// What is known of a thought is known of every cognitive process.
RecordType cognitive(std::string kind) {
  return {std::move(kind),
          {required(word("processType", {"thought", "reflection", "insight", "planning",
                                         "evaluation", "decision"})),
           required({"agentId", structured_id}),
           {"contextId", text},
           link("relatedTo", texts, "RELATED_TO"),
           link("influences", texts, "INFLUENCES"),
           link("influencedBy", texts, "INFLUENCED_BY"),
           {"relevance", number},
           {"source", text},
           {"category", text}}};
}

RecordType message() {
  return {"message",
          {required(word("role", {"user", "assistant", "system"})),
           required({"userId", structured_id}),
           required({"agentId", structured_id}),
           required({"chatId", structured_id}),
           required(link("thread", thread, "PARENT")),
           {"messageType", text},
           {"attachments", maps},
           {"source", text},
           {"category", text},
           {"senderAgentId", structured_id},
           {"receiverAgentId", structured_id},
           one_of("communicationType", {"request", "response", "notification", "broadcast"}),
           one_of("priority", {"low", "normal", "high", "urgent"}),
           {"requiresResponse", boolean}}};
}

RecordType document() {
  return {"document",
          {required(word("source", {"file", "web", "api", "user", "agent", "tool", "system"})),
           required({"agentId", structured_id}),
           {"userId", structured_id},
           {"title", text},
           {"url", text},
           {"contentType", text},
           {"fileName", text},
           between("fileSize", 0, {}),
           {"creationDate", instant},
           {"lastModified", instant},
           {"authors", texts}}};
}

// Units of durations and the range of progress are the caller's.
RecordType task() {
  return {
      "task",
      {required({"title", text}),
       required(one_of("status", {"pending", "in_progress", "completed", "cancelled", "failed"})),
       required(one_of("priority", {"low", "medium", "high", "urgent"})),
       required({"agentId", structured_id}),
       {"description", text},
       {"assignedTo", structured_id},
       {"dueDate", instant},
       {"completedDate", instant},
       link("parentTaskId", text, "PARENT"),
       {"progress", number},
       {"estimatedDuration", number},
       {"actualDuration", number},
       {"attemptCount", whole_number}}};
}

// As `cairn ingest` and the filters of documents name them.
RecordType chunk() {
  return {"chunk",
          {{"file_path", text},
           {"file_name", text},
           {"file_ext", text},
           word("file_type", {"code", "doc", "data", "spreadsheet", "presentation", "other"}),
           {"directory", text},
           {"relative_path", text},
           {"modified_time", instant},
           between("file_size", 0, {}),
           between("chunk_index", 0, {}),
           between("total_chunks", 0, {}),
           {"language", text},
           {"sourceIdentifier", text}}};
}

RecordType episode() {
  return {"episode",
          {required({"query", text}),
           required(between("reward", -1, 1.0)),
           {"reflection", text},
           taxonomy("source_type")}};
}

RecordType insight() {
  return {"insight",
          {link("source_ids", texts, "DERIVED_FROM"),
           {"memory_strength", number},
           word("memory_sector", {"emotional", "episodic", "semantic", "procedural", "reflective"}),
           taxonomy("io_category"),
           taxonomy("source_type"),
           {"is_identity", boolean}}};
}

const std::vector<RecordType>& shipped_record_types() {
  static const std::vector<RecordType> types = {
      message(),
      cognitive("thought"),
      cognitive("reflection"),
      cognitive("planning"),
      cognitive("evaluation"),
      cognitive("decision"),
      cognitive("cognitive"),
      document(),
      chunk(),
      task(),
      episode(),
      insight(),
      {"note", {{"title", text}}},
      {"reference", {{"title", text}, {"url", text}}},
      {"entity", {{"name", text}, {"nodeType", text}}},
      {"summary", {link("source_ids", texts, "DERIVED_FROM")}},
      {"session", {{"name", text}}}};
  return types;
}

/// importance is a level in one source system and a number from 1 to 10 in another: both are accepted.
const std::vector<Field>& common_record_fields() {
  static const std::vector<Field> fields = {
      {"importance", any, false, {"low", "medium", "high", "critical"}},
      between("importance_score", 0, 1.0),
      {"tags", tags},
      {"is_deleted", boolean},
      {"deletion_time", instant},
      required({"schemaVersion", version}),
      {"sessionId", text},
      {"created_at", instant},
      {"updated_at", instant}};
  return fields;
}

}  // namespace

}  // namespace cairn::query

namespace cairn::memory {
namespace {

const Field* field_named(const std::vector<Field>& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

/// The label is made of it, see label_of().
bool is_kind_name(std::string_view kind) {
  const auto is_letter = [](char sign) { return sign >= 'a' && sign <= 'z'; };
  return !kind.empty() && is_letter(kind[0]) && std::ranges::all_of(kind, [&](char sign) {
    return is_letter(sign) || (sign >= '0' && sign <= '9') || sign == '_';
  });
}

// One number of a version, without leading zeros, and what is behind it.
std::optional<std::uint32_t> read_number(std::string_view& text) {
  std::uint32_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(stop - text.data());
  if (error != std::errc() || (length > 1 && text[0] == '0')) return {};
  text.remove_prefix(length);
  return number;
}

struct Findings {
  std::vector<std::string> problems;
  std::vector<std::string> remarks;  // never a reason to refuse
};

/// Changes the metadata: values are put into their normal form.
void check_fields(std::string_view kind, const std::vector<Field>& fields, Properties& metadata,
                  Findings& findings) {
  for (const Field& field : fields) {
    const auto found = metadata.find(field.name);
    if (found == metadata.end() || found->second.is_null()) {
      if (field.required)
        findings.problems.push_back("a " + std::string(kind) + " needs the field \"" + field.name +
                                    "\"");
      continue;
    }
    found->second = query::normalized(field, found->second);
    if (auto problem = query::misfit(kind, field, found->second))
      findings.problems.push_back(*std::move(problem));
    else if (auto remark = query::remark(kind, field, found->second))
      findings.remarks.push_back(*std::move(remark));
  }
}

std::string joined(const std::vector<std::string>& problems) {
  std::string text;
  for (const std::string& problem : problems) text += (text.empty() ? "" : "; ") + problem;
  return text;
}

// Metadata without a version, or with an invalid one, is older than all that have one.
SchemaVersion version_of(const Properties& metadata) {
  const auto found = metadata.find("schemaVersion");
  if (found == metadata.end() || found->second.string() == nullptr) return {};
  return parse_version(found->second.as_string()).value_or(SchemaVersion{});
}

}  // namespace

// Exactly three numbers, as in 1.0.0; no suffixes.
std::optional<SchemaVersion> parse_version(std::string_view text) {
  SchemaVersion version;
  for (std::uint32_t* part : {&version.major, &version.minor, &version.patch}) {
    if (part != &version.major) {
      if (!text.starts_with('.')) return {};
      text.remove_prefix(1);
    }
    const auto number = read_number(text);
    if (!number) return {};
    *part = *number;
  }
  return text.empty() ? std::optional(version) : std::nullopt;
}

std::string to_text(const SchemaVersion& version) {
  return std::to_string(version.major) + '.' + std::to_string(version.minor) + '.' +
         std::to_string(version.patch);
}

Schema::Schema() {
  for (const RecordType& type : query::shipped_record_types()) types_.emplace(type.kind, type);
}

// A kind that is known is replaced whole: fields are not merged with what it had.
Status Schema::add(RecordType type) {
  if (!is_kind_name(type.kind)) {
    return Error{ErrorCode::invalid_argument,
                 "the kind \"" + type.kind + "\" must be a word of a-z, 0-9 and _, a letter first",
                 {}};
  }
  std::string kind = type.kind;
  types_.insert_or_assign(std::move(kind), std::move(type));
  return {};
}

// One step from each version of a kind.
Status Schema::add_upgrade(Upgrade upgrade) {
  if (!upgrade.change) {
    return Error{ErrorCode::invalid_argument,
                 "the upgrade from " + to_text(upgrade.from) + " to " + to_text(upgrade.to) +
                     " has no change; give it a function, which may do nothing",
                 {}};
  }
  if (upgrade.to <= upgrade.from) {
    return Error{ErrorCode::invalid_argument,
                 "an upgrade from " + to_text(upgrade.from) + " must lead to a later version",
                 {}};
  }
  const bool is_known = std::ranges::any_of(upgrades_, [&](const Upgrade& known) {
    return known.kind == upgrade.kind && known.from == upgrade.from;
  });
  if (is_known) {
    return Error{ErrorCode::already_exists,
                 "there is an upgrade from " + to_text(upgrade.from) + " already",
                 {}};
  }
  upgrades_.push_back(std::move(upgrade));
  return {};
}

const RecordType* Schema::find(std::string_view kind) const noexcept {
  const auto found = types_.find(kind);
  return found == types_.end() ? nullptr : &found->second;
}

const std::vector<Field>& Schema::common_fields() { return query::common_record_fields(); }

// A field of the kind hides the common one of its name.
const Field* Schema::find_field(std::string_view kind, std::string_view name) const {
  const RecordType* type = find(kind);
  const Field* field = type == nullptr ? nullptr : field_named(type->fields, name);
  return field == nullptr ? field_named(common_fields(), name) : field;
}

//    strict      problems refuse the record; remarks come back
//    otherwise   problems and remarks come back together, the record is taken
//    open        nothing comes back
// Values are brought into their normal form in all modes, as check_fields() does both in one go.
Result<std::vector<std::string>> Schema::check(std::string_view kind, Properties& metadata,
                                               SchemaMode mode) const {
  Findings findings;
  std::vector<std::string>& problems = findings.problems;
  if (const RecordType* type = find(kind))
    check_fields(kind, type->fields, metadata, findings);
  else
    problems.push_back("\"" + std::string(kind) + "\" is not a kind of the schema");
  check_fields(kind, common_fields(), metadata, findings);
  if (mode == SchemaMode::strict && !problems.empty())
    return Error{ErrorCode::invalid_argument, joined(problems), {}};
  if (mode == SchemaMode::open) return std::vector<std::string>();
  problems.insert(problems.end(), findings.remarks.begin(), findings.remarks.end());
  return problems;
}

// Each step leads to a later version, so that this ends.
Result<std::size_t> Schema::upgrade(std::string_view kind, Properties& metadata) const {
  std::size_t steps = 0;
  while (true) {
    const SchemaVersion version = version_of(metadata);
    const auto next = std::ranges::find_if(upgrades_, [&](const Upgrade& upgrade) {
      return upgrade.from == version && (upgrade.kind.empty() || upgrade.kind == kind);
    });
    if (next == upgrades_.end()) return steps;
    CAIRN_TRY(next->change(metadata));
    metadata.insert_or_assign("schemaVersion", to_text(next->to));
    ++steps;
  }
}

// "tool_call" is ToolCall.
std::string label_of(std::string_view kind) {
  std::string label;
  bool at_start = true;
  for (const char sign : kind) {
    if (sign == '_') {
      at_start = true;
      continue;
    }
    label += at_start && sign >= 'a' && sign <= 'z' ? static_cast<char>(sign - 'a' + 'A') : sign;
    at_start = false;
  }
  return label;
}

// A quarter for each level: 0.25 to 1.
std::optional<double> importance_of_level(std::string_view level) {
  constexpr std::string_view levels[] = {"low", "medium", "high", "critical"};
  const auto* found = std::ranges::find(levels, level);
  if (found == std::end(levels)) return {};
  return 0.25 * static_cast<double>(found - std::begin(levels) + 1);
}

}  // namespace cairn::memory
