#pragma once
// The results of the memory calls as values of the language.

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
/// {id, external_id, kind, content, metadata, is_deleted}; external_id is null if the record has none.
[[nodiscard]] Value record_value(const memory::Record& record);
/// A list of the records that the nodes are.
[[nodiscard]] Value records_value(const std::vector<Node>& nodes);
/// {raw, retrievers: [{retriever, rank, score, share}], features}.
[[nodiscard]] Value breakdown_value(const Hit& hit);
/// The row of a page: records, total, has_next_page. Takes the records one by one, so that the page is in memory once.
[[nodiscard]] std::vector<Value> page_row(memory::Page&& page);

}  // namespace cairn::query
