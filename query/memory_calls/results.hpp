#pragma once
// What the memory calls give back, as values of the language.

#include <cairn/graph.hpp>
#include <cairn/hit.hpp>
#include <cairn/memory/records.hpp>
#include <cairn/memory/requests.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <vector>

namespace cairn::query {

[[nodiscard]] inline Value count_value(std::uint64_t count) {
  return static_cast<std::int64_t>(count);
}
[[nodiscard]] Value ids_value(const std::vector<NodeId>& ids);
/// {id, external_id, kind, content, metadata, is_deleted}; the external id is null where there is none.
[[nodiscard]] Value record_value(const memory::Record& record);
/// {raw, retrievers: [{retriever, rank, score, share}], features}.
[[nodiscard]] Value breakdown_value(const Hit& hit);
/// records, total, has_next_page.
[[nodiscard]] std::vector<Value> page_row(const memory::Page& page);

}  // namespace cairn::query
