#pragma once
// TextCodes: a property of few entities that stand in many rows, as codes.

#include "query/execute/batch_column.hpp"
#include "query/execute/graph_reader.hpp"
#include "query/execute/holding.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cairn::query {

/// Remembers the text of each entity that it has read, for the batches to come.
class TextCodes {
 public:
  /// The property of entities. Nothing where they are about as many as rows, or have other values than short texts.
  [[nodiscard]] Result<std::optional<BatchColumn>> column(GraphReader& graph,
                                                          codec::EntityKind kind,
                                                          std::span<const std::uint64_t> ids,
                                                          std::string_view name);

 private:
  [[nodiscard]] std::vector<std::uint64_t> unknown(std::span<const std::uint64_t> ids) const;
  /// False where one of them has no code.
  [[nodiscard]] Result<bool> learn(std::span<const std::uint64_t> ids,
                                   std::span<const Value> values);
  void begin(GraphReader& graph, codec::EntityKind kind);

  std::optional<codec::EntityKind> kind_;
  std::uint64_t epoch_ = 0;  // of the graph that it has read
  bool is_vain_ = false;
  std::size_t misses_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> code_of_id_;
  std::unordered_map<std::string, std::uint32_t> code_of_text_;
  std::shared_ptr<std::vector<Value>> texts_;  // owners: this and the columns; it only grows
  Holding held_;
};

}  // namespace cairn::query
