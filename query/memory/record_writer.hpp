#pragma once
// RecordWriter: writes new records in a transaction, with their sessions and the relationships that their fields name.

#include "query/memory/memory_impl.hpp"

#include <cairn/memory/records.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

using memory::session_prefix;
/// The relationship from a record to each chunk of its text.
inline constexpr std::string_view chunk_relationship = "HAS_CHUNK";
/// The kind of a chunk.
inline constexpr std::string_view chunk_kind = "chunk";

/// True for names that metadata must not use, because they are parts of the record itself.
[[nodiscard]] bool is_record_part(std::string_view name) noexcept;
/// Errors: invalid_argument for a part of the record, and for a field that only remove() and restore() set.
[[nodiscard]] Status check_field_name(std::string_view name);

/// Errors: invalid_argument for a kind whose label is one of the memory's own labels.
[[nodiscard]] Status check_kind(std::string_view kind);

/// Converts created_at and updated_at to the form in which they are sorted and compared.
void settle_times(Properties& metadata);

/// A relationship that a field of a record asks for.
struct FieldLink {
  std::string type;  ///< relationship type
  std::string name;  ///< external id of the target
  friend auto operator<=>(const FieldLink&, const FieldLink&) = default;
};
/// The distinct links that the fields of a record ask for.
[[nodiscard]] std::set<FieldLink> links_of(const memory::Schema& schema, std::string_view kind,
                                           const Properties& metadata);

/// Records that are ready to be written.
struct PreparedRecords {
  std::vector<memory::NewRecord> records;
  std::vector<TextVector> embeddings;  ///< one for each record
  std::vector<std::string> warnings;

  [[nodiscard]] bool has_vectors() const;
};

/// Threads: one.
class RecordWriter {
 public:
  RecordWriter(const memory::Memory::Impl& impl, const memory::Writing& writing)
      : impl_(impl), writing_(writing) {}

  /// Adds records with their sessions and their relationships, among each other and to existing records.
  [[nodiscard]] Result<std::vector<NodeId>> add_all(const PreparedRecords& prepared);
  /// Creates relationships to those targets that exist.
  [[nodiscard]] Status link(NodeId id, const std::set<FieldLink>& links);
  /// Removes the oldest relationship for each link. Relationships with properties belong to the application and stay.
  [[nodiscard]] Status unlink(NodeId id, const std::set<FieldLink>& links);
  [[nodiscard]] Status join_session(NodeId record, const std::string& session);
  [[nodiscard]] Status leave_session(NodeId record, const std::string& session);

 private:
  [[nodiscard]] Result<NodeId> create(const memory::NewRecord& record, const TextVector& embedding);
  /// The relationships from a record to the record with a name, oldest first; empty if no record has the name.
  [[nodiscard]] Result<std::vector<RelationshipId>> relationships_to(NodeId id,
                                                                     std::string_view type,
                                                                     std::string_view name) const;

  const memory::Memory::Impl& impl_;
  const memory::Writing& writing_;
};

/// Checks, completes and embeds records before a transaction begins, so that other writers do not wait for the embedder.
/// Creates the indexes of the memory if they are missing.
[[nodiscard]] Result<PreparedRecords> prepare_all(memory::Memory::Impl& impl,
                                                  std::vector<memory::NewRecord> records);

/// Checks and completes a record: names, schema, session. Returns the warnings of the schema.
[[nodiscard]] Result<std::vector<std::string>> prepare(memory::NewRecord& record,
                                                       const memory::MemoryOptions& options);

}  // namespace cairn::query
