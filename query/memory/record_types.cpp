// Kinds of records as data: fields with type, bounds and words, and the relationship that a field
// stands for. A new kind is one function here, or Schema::add() of an application. Sources are the
// documents of the requirements; words that a document lists as examples are known, those that it
// closes are enforced.
#include "query/memory/record_types.hpp"

#include <utility>

namespace cairn::query {
namespace {

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

/// Names other records: a relationship of the given type is kept beside the field.
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

}  // namespace

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

// importance is a level in one source system and a number from 1 to 10 in another: both are kept.
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

}  // namespace cairn::query
