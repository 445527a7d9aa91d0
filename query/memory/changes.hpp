#pragma once
// What an update makes of a record: worked out first, written second, so that a dry run is the first
// step alone.

#include "engine/write/writer.hpp"
#include "query/memory/memory_impl.hpp"

#include <cairn/memory/requests.hpp>

#include <map>
#include <string>
#include <vector>

namespace cairn::query {

/// New values of properties; null takes one away. Empty where the record stays as it is.
struct RecordChange {
  Properties values;
  std::vector<std::string> warnings;
};

/// Errors: invalid_argument for a part of the record among the fields, or by the schema.
[[nodiscard]] Result<RecordChange> plan_update(const Node& node, const memory::Update& update,
                                               const memory::Memory::Impl& impl);
/// The schema's upgrades of the record.
[[nodiscard]] Result<RecordChange> plan_upgrade(const Node& node, const memory::Memory::Impl& impl);

/// Write it, and the time of the change.
[[nodiscard]] Status apply(engine::Writer& writer, NodeId id, const RecordChange& change,
                           std::int64_t now);

}  // namespace cairn::query
