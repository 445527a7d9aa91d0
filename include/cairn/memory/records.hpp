#pragma once
// Records: what the memory calls store and give back, and the ways to describe one of each kind.
//
// The functions fill in schemaVersion. Their typed parameters win over fields of the same name in
// `more`, which takes the optional fields of the kind and any others.

#include <cairn/export.hpp>
#include <cairn/graph.hpp>
#include <cairn/memory/schema.hpp>
#include <cairn/memory/structured_id.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::memory {

/// A record to store.
struct NewRecord {
  std::string kind = "note";
  std::string content;
  Properties metadata = {};
  std::string external_id = {};  ///< unique; other records name it by this. Empty for none
  std::string session = {};      ///< the session it belongs to, made where there is none
};

/// A stored record. `metadata` has its tags, times and sessionId with the rest.
struct Record {
  NodeId id;
  std::string external_id;
  std::string kind;
  std::string content;
  Properties metadata;
  bool is_deleted = false;

  /// The value at a dotted path of the metadata ("thread.position"), null where there is none.
  [[nodiscard]] CAIRN_EXPORT const Value& field(std::string_view path) const;
};

[[nodiscard]] CAIRN_EXPORT NewRecord message(std::string content, std::string role,
                                             const StructuredId& user, const StructuredId& agent,
                                             const StructuredId& chat, const ThreadInfo& thread,
                                             Properties more = {});
/// `process_type`: thought, reflection, insight, planning, evaluation, decision, or another word.
/// The kind is the process type, `cognitive` for insight and for words of the caller.
[[nodiscard]] CAIRN_EXPORT NewRecord cognitive_process(std::string content,
                                                       std::string process_type,
                                                       const StructuredId& agent,
                                                       Properties more = {});
[[nodiscard]] CAIRN_EXPORT NewRecord thought(std::string content, const StructuredId& agent,
                                             Properties more = {});
[[nodiscard]] CAIRN_EXPORT NewRecord reflection(std::string content, const StructuredId& agent,
                                                Properties more = {});
[[nodiscard]] CAIRN_EXPORT NewRecord document(std::string content, std::string source,
                                              const StructuredId& agent, Properties more = {});
[[nodiscard]] CAIRN_EXPORT NewRecord task(std::string content, std::string title,
                                          std::string status, std::string priority,
                                          const StructuredId& agent, Properties more = {});
/// The content is the query and, behind an empty line, the reflection.
[[nodiscard]] CAIRN_EXPORT NewRecord episode(std::string query, double reward,
                                             std::string reflection,
                                             std::vector<std::string> tags = {},
                                             Properties more = {});
/// `source_ids`: external ids of the records it was made of.
[[nodiscard]] CAIRN_EXPORT NewRecord insight(std::string content,
                                             std::vector<std::string> source_ids = {},
                                             std::vector<std::string> tags = {},
                                             Properties more = {});
[[nodiscard]] CAIRN_EXPORT NewRecord note(std::string content, Properties more = {});

}  // namespace cairn::memory
