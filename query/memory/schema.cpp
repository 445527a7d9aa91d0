// The schema of records: kinds, their fields, and upgrades from version to version.
//
// Checking a record normalises its values in every mode. Problems are reported together: as one error in strict mode, as
// warnings in warn mode, and not at all in open mode.

#include "query/memory/field_check.hpp"

#include <cairn/memory/schema.hpp>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

// The built-in kinds, as data: the type, bounds and words of each field, and the relationship that it makes. A new kind
// is one function here, or Schema::add() in an application. A closed list of words is enforced; an open list only
// documents common words.

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

// A text with common values; other values are allowed.
Field word(std::string name, std::vector<std::string> values) {
  return {std::move(name), text, false, std::move(values), false};
}

// A text with known values; other values give a warning.
Field advised(std::string name, std::vector<std::string> values) {
  Field field = word(std::move(name), std::move(values));
  field.advised = true;
  return field;
}

// Whose experience a record describes. Other words give a warning.
Field taxonomy(std::string name) {
  return advised(std::move(name), {"self", "ethr", "shared", "relationship"});
}

/// A number between two bounds, both inclusive.
Field between(std::string name, double least, std::optional<double> most) {
  return {std::move(name), number, false, {}, false, least, most};
}

/// A field that names other records: the memory calls maintain a relationship of the given type for it.
Field link(std::string name, FieldType type, std::string relationship) {
  Field field{std::move(name), type};
  field.relationship = std::move(relationship);
  return field;
}

// The fields that all cognitive processes have.
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

// A message of a conversation, with its place in a thread.
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

// A document and where it comes from.
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

// The schema does not define units for durations or a range for the progress; applications choose them.
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

// The fields that `cairn ingest` writes and the filters of documents use.
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

// What an agent tried, and how well it went: reward is from -1 to 1.
RecordType episode() {
  return {"episode",
          {required({"query", text}),
           required(between("reward", -1, 1.0)),
           {"reflection", text},
           taxonomy("source_type")}};
}

// What was learned from other records, which source_ids names.
RecordType insight() {
  return {"insight",
          {link("source_ids", texts, "DERIVED_FROM"),
           {"memory_strength", number},
           word("memory_sector", {"emotional", "episodic", "semantic", "procedural", "reflective"}),
           taxonomy("io_category"),
           taxonomy("source_type"),
           {"is_identity", boolean}}};
}

// All built-in kinds.
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

/// Fields that records of every kind may have. importance is either a word or a number, because applications use both.
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

/// The field with a name; nullptr if it does not exist.
const Field* field_named(const std::vector<Field>& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

/// True for a valid name of a kind. The label of its records is derived from the name, see label_of().
bool is_kind_name(std::string_view kind) {
  const auto is_letter = [](char sign) { return sign >= 'a' && sign <= 'z'; };
  return !kind.empty() && is_letter(kind[0]) && std::ranges::all_of(kind, [&](char sign) {
    return is_letter(sign) || (sign >= '0' && sign <= '9') || sign == '_';
  });
}

// Parses one number of a version, without leading zeros, and removes it from the text.
std::optional<std::uint32_t> read_number(std::string_view& text) {
  std::uint32_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(stop - text.data());
  if (error != std::errc() || (length > 1 && text[0] == '0')) return {};
  text.remove_prefix(length);
  return number;
}

/// What a check found.
struct Findings {
  std::vector<std::string> problems;
  std::vector<std::string> remarks;  // warnings that never refuse a record
};

/// Checks the fields of a kind, and normalises their values in `metadata`.
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

// All problems in one text.
std::string joined(const std::vector<std::string>& problems) {
  std::string text;
  for (const std::string& problem : problems) text += (text.empty() ? "" : "; ") + problem;
  return text;
}

// Metadata without a valid version counts as older than any version.
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

namespace {

// Without a kind an upgrade is for all kinds.
std::string of_kind(const Upgrade& upgrade) {
  return upgrade.kind.empty() ? "" : " of kind \"" + upgrade.kind + '"';
}

/// "the upgrade of kind \"task\" from 1.0.0 to 1.1.0"
std::string described(const Upgrade& upgrade) {
  return "the upgrade" + of_kind(upgrade) + " from " + to_text(upgrade.from) + " to " +
         to_text(upgrade.to);
}

}  // namespace

Schema::Schema() {
  for (const RecordType& type : query::shipped_record_types()) types_.emplace(type.kind, type);
}

// Replaces a known kind as a whole; the fields are not merged.
Status Schema::add(RecordType type) {
  if (!is_kind_name(type.kind)) {
    return Error{
        ErrorCode::invalid_argument,
        "the kind \"" + type.kind + "\" must consist of a-z, 0-9 and _, and begin with a letter",
        {}};
  }
  std::string kind = type.kind;
  types_.insert_or_assign(std::move(kind), std::move(type));
  return {};
}

// A kind has at most one upgrade from each version.
Status Schema::add_upgrade(Upgrade upgrade) {
  if (!upgrade.change) {
    return Error{ErrorCode::invalid_argument,
                 described(upgrade) + " has no function `change`; set one (it may do nothing)",
                 {}};
  }
  if (upgrade.to <= upgrade.from) {
    return Error{
        ErrorCode::invalid_argument, described(upgrade) + " must lead to a later version", {}};
  }
  const bool is_known = std::ranges::any_of(upgrades_, [&](const Upgrade& known) {
    return known.kind == upgrade.kind && known.from == upgrade.from;
  });
  if (is_known) {
    return Error{
        ErrorCode::already_exists,
        "there is already an upgrade" + of_kind(upgrade) + " from " + to_text(upgrade.from),
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

// A field of the kind takes precedence over a common field of the same name.
const Field* Schema::find_field(std::string_view kind, std::string_view name) const {
  const RecordType* type = find(kind);
  const Field* field = type == nullptr ? nullptr : field_named(type->fields, name);
  return field == nullptr ? field_named(common_fields(), name) : field;
}

//    strict      problems refuse the record; warnings are returned
//    warn        problems and warnings are returned, the record is accepted
//    open        nothing is returned
// Values are normalised in all modes, because check_fields() checks and normalises together.
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

// Applies upgrades until none fits. Each one leads to a later version, so the loop ends.
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

// The label for a kind: "tool_call" becomes ToolCall.
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

// Four levels from 0.25 to 1.
std::optional<double> importance_of_level(std::string_view level) {
  constexpr std::string_view levels[] = {"low", "medium", "high", "critical"};
  const auto* found = std::ranges::find(levels, level);
  if (found == std::end(levels)) return {};
  return 0.25 * static_cast<double>(found - std::begin(levels) + 1);
}

}  // namespace cairn::memory
