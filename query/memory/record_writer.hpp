#pragma once
// RecordWriter: new records in a transaction, with their session and the relationships that their
// fields name.

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

/// How the external ids of the memory's own nodes begin, which no record's may.
inline constexpr std::string_view session_prefix = "session:";
/// From a record to each chunk of its text.
inline constexpr std::string_view chunk_relationship = "HAS_CHUNK";

/// Names that metadata may not use: they are parts of the record itself.
[[nodiscard]] bool is_record_part(std::string_view name) noexcept;
/// Errors: invalid_argument for a part of the record, and for what only remove() and restore() set.
[[nodiscard]] Status check_field_name(std::string_view name);

/// Errors: invalid_argument for a kind whose label is one of the memory's own.
[[nodiscard]] Status check_kind(std::string_view kind);

/// created_at and updated_at in the one form in which they are sorted and compared.
void settle_times(Properties& metadata);

/// A relationship that a field of a record asks for, to the record of that external id.
struct FieldLink {
  std::string type;
  std::string name;
  friend auto operator<=>(const FieldLink&, const FieldLink&) = default;
};
/// What the fields of such a record ask for, each once.
[[nodiscard]] std::set<FieldLink> links_of(const memory::Schema& schema, std::string_view kind,
                                           const Properties& metadata);

/// Records ready to be written, with a vector or null for each.
struct PreparedRecords {
  std::vector<memory::NewRecord> records;
  std::vector<Value> embeddings;
  std::vector<std::string> warnings;

  [[nodiscard]] bool has_vectors() const;
};

class RecordWriter {
 public:
  RecordWriter(const memory::Memory::Impl& impl, const memory::Writing& writing)
      : impl_(impl), writing_(writing) {}

  /// The records, their sessions, and the relationships among them and to what was there before.
  [[nodiscard]] Result<std::vector<NodeId>> add_all(const PreparedRecords& prepared);
  /// Relationships to the records that are there.
  [[nodiscard]] Status link(NodeId id, const std::set<FieldLink>& links);
  /// Take away one relationship for each link, the oldest; those with properties are the caller's own
  /// and stay.
  [[nodiscard]] Status unlink(NodeId id, const std::set<FieldLink>& links);
  [[nodiscard]] Status join_session(NodeId record, const std::string& session);
  [[nodiscard]] Status leave_session(NodeId record, const std::string& session);

 private:
  [[nodiscard]] Result<NodeId> create(const memory::NewRecord& record, const Value& embedding);
  /// Those from the record to the one of that name, oldest first; none for an unknown record.
  [[nodiscard]] Result<std::vector<RelationshipId>> relationships_to(NodeId id,
                                                                     std::string_view type,
                                                                     std::string_view name) const;

  const memory::Memory::Impl& impl_;
  const memory::Writing& writing_;
};

/// Check, complete and embed records, before a transaction begins: a model may take its time, and
/// others wait for their turn to write. Makes the index of vectors if it is missing.
[[nodiscard]] Result<PreparedRecords> prepare_all(memory::Memory::Impl& impl,
                                                  std::vector<memory::NewRecord> records);

/// Check and complete a record: names, schema, session. Gives the schema's warnings.
[[nodiscard]] Result<std::vector<std::string>> prepare(memory::NewRecord& record,
                                                       const memory::MemoryOptions& options);

}  // namespace cairn::query
