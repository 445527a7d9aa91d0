#pragma once
// What an update makes of a record: worked out first, written second, so that a dry run is the first
// step alone.

#include "engine/write/writer.hpp"
#include "query/memory/memory_impl.hpp"
#include "query/memory/record_writer.hpp"

#include <cairn/memory/requests.hpp>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cairn::query {

/// New values of properties; null takes one away.
struct RecordChange {
  Properties values;
  std::optional<memory::Lifetime> lifetime;
  /// Relationships by fields that named other records before.
  std::set<FieldLink> lost_links;
  std::set<FieldLink> new_links;
  std::vector<std::string> warnings;

  /// Whether the record stays as it is.
  [[nodiscard]] bool is_empty() const { return values.empty() && !lifetime; }
};

/// An update with the vector of its content, made before a transaction begins: a model may take its
/// time, and others wait for their turn to write.
struct PreparedUpdate {
  const memory::Update& update;
  Value embedding;
};
/// Makes the index of vectors if it is missing.
[[nodiscard]] Result<PreparedUpdate> prepare_update(memory::Memory::Impl& impl,
                                                    const memory::Update& update);
/// Errors: invalid_argument for a part of the record among the fields, or by the schema.
[[nodiscard]] Result<RecordChange> plan_update(const Node& node, const PreparedUpdate& prepared,
                                               const memory::Memory::Impl& impl);
/// The schema's upgrades of the record.
[[nodiscard]] Result<RecordChange> plan_upgrade(const Node& node, const memory::Memory::Impl& impl);

/// Write it to the record, with its relationships and session, and the time of the change.
[[nodiscard]] Status apply(const memory::Memory::Impl& impl, engine::Writer& writer,
                           const Node& node, const RecordChange& change);

}  // namespace cairn::query
