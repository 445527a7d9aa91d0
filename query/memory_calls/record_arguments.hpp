#pragma once
// Records as arguments of the memory calls: new records, and names of existing ones.

#include "query/memory_calls/request_reader.hpp"

#include <cairn/graph.hpp>
#include <cairn/memory/memory.hpp>
#include <cairn/memory/records.hpp>
#include <cairn/memory/requests.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cairn::query {

/// Reads {kind, content, metadata, external_id, session, expires_at, time_to_live}. Errors: type_error, invalid_argument.
[[nodiscard]] Result<memory::NewRecord> read_new_record(std::string_view call, const Value& value);
/// Reads one record or a list of records.
[[nodiscard]] Result<std::vector<memory::NewRecord>> read_new_records(std::string_view call,
                                                                      const Value& value);

/// The arguments of memory.remember().
struct RememberRequest {
  std::string content;
  Properties metadata;
  memory::RememberOptions options;
};
[[nodiscard]] Result<RememberRequest> read_remember(const Map& map);

/// Names a record by its id or by its external id. The record is looked up when the name is used.
using RecordName = std::variant<NodeId, std::string>;
/// The names in `id` and `external_id`, each one value or a list; empty if neither is given.
[[nodiscard]] std::vector<RecordName> read_record_names(RequestReader& reader);
/// The only name in `id` and `external_id`. Errors: invalid_argument if there is not exactly one.
[[nodiscard]] Result<RecordName> read_one_name(RequestReader& reader);

/// Finds a record by its name. `options` determine whether deleted records are found.
[[nodiscard]] Result<std::optional<memory::Record>> find_named(const memory::Memory& memory,
                                                               const RecordName& name,
                                                               const memory::FindOptions& options);

}  // namespace cairn::query
