#pragma once
// Records as arguments: new ones, and which one is meant.

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

/// {kind, content, metadata, external_id, session, expires_at, time_to_live}. Errors: type_error, invalid_argument.
[[nodiscard]] Result<memory::NewRecord> read_new_record(std::string_view call, const Value& value);
/// A record or a list of them.
[[nodiscard]] Result<std::vector<memory::NewRecord>> read_new_records(std::string_view call,
                                                                      const Value& value);

struct RememberRequest {
  std::string content;
  Properties metadata;
  memory::RememberOptions options;
};
[[nodiscard]] Result<RememberRequest> read_remember(const Map& map);

/// The record by its number or by its external id: `id` of a request. Each is looked up when it is used.
using RecordName = std::variant<NodeId, std::string>;
/// Of `id` and `external_id`, each one value or a list of them; none where neither is given.
[[nodiscard]] std::vector<RecordName> read_record_names(RequestReader& reader);
/// The one that `id` or `external_id` names. Errors: invalid_argument, where there is not exactly one.
[[nodiscard]] Result<RecordName> read_one_name(RequestReader& reader);

/// The record of this name, hidden or not as `options` say.
[[nodiscard]] Result<std::optional<memory::Record>> find_named(const memory::Memory& memory,
                                                               const RecordName& name,
                                                               const memory::FindOptions& options);

}  // namespace cairn::query
