#pragma once
// RecordWriter: new records in a transaction, with their session and the relationships that their
// fields name.

#include "engine/write/writer.hpp"
#include "query/memory/memory_impl.hpp"

#include <cairn/memory/records.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::query {

/// How the external ids of the memory's own nodes begin, which no record's may.
inline constexpr std::string_view session_prefix = "session:";
inline constexpr std::string_view rule_prefix = "tag_rule:";
/// From a record to each chunk of its text.
inline constexpr std::string_view chunk_relationship = "HAS_CHUNK";

/// Names that metadata may not use: they are parts of the record itself.
[[nodiscard]] bool is_record_part(std::string_view name) noexcept;
/// Errors: invalid_argument for a part of the record, and for what only remove() and restore() set.
[[nodiscard]] Status check_field_name(std::string_view name);

/// created_at and updated_at in the one form in which they are sorted and compared.
void settle_times(Properties& metadata);

class RecordWriter {
 public:
  RecordWriter(const memory::Memory::Impl& impl, engine::Writer& writer)
      : impl_(impl), writer_(writer) {}

  /// `record` is checked already; `embedding` may be null.
  [[nodiscard]] Result<NodeId> add(const memory::NewRecord& record, const Value& embedding);

 private:
  [[nodiscard]] Status join_session(NodeId record, const std::string& session,
                                    const std::string& time);
  /// Relationships to the records that the fields name by external id, as far as they are there.
  [[nodiscard]] Status link(NodeId id, const memory::NewRecord& record);
  [[nodiscard]] Status link(NodeId id, const std::string& type, const Value& names);
  [[nodiscard]] Result<std::optional<std::uint64_t>> find_external(std::string_view name) const;

  const memory::Memory::Impl& impl_;
  engine::Writer& writer_;
};

/// Records ready to be written, with a vector or null for each.
struct PreparedRecords {
  std::vector<memory::NewRecord> records;
  std::vector<Value> embeddings;
  std::vector<std::string> warnings;
};
/// Check, complete and embed records, before a transaction begins: a model may take its time, and
/// others wait for their turn to write. Makes the index of vectors where there is none.
[[nodiscard]] Result<PreparedRecords> prepare_all(memory::Memory::Impl& impl,
                                                  std::vector<memory::NewRecord> records);

/// Check and complete a record: names, schema, session. Gives the schema's warnings.
[[nodiscard]] Result<std::vector<std::string>> prepare(memory::NewRecord& record,
                                                       const memory::MemoryOptions& options);

}  // namespace cairn::query
