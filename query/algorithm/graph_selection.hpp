#pragma once
// GraphSelection: the part of the graph that an algorithm uses, as ids and types.

#include "codec/bitmap.hpp"
#include "engine/view/view.hpp"

#include <cairn/filter.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn::query {

struct ExecutionContext;

/// The requested part of the graph, by name.
struct GraphRequest {
  std::vector<std::string> labels;  ///< nodes with one of them; empty: all
  std::vector<std::string> types;   ///< relationships of one of them; empty: all
  engine::Direction direction = engine::Direction::outgoing;
  std::string weight;  ///< name of a relationship property; empty: each relationship weighs 1
  std::optional<Filter> filter;               ///< for nodes
  std::optional<Filter> relationship_filter;  ///< for relationships
};

/// The nodes and relationships that the statement sees and the request selects. A relationship belongs to the selection
/// only if both of its ends do, and callers must check the ends. Valid until the graph is changed.
class GraphSelection {
 public:
  /// Resolves a request, and adds a warning for each name that no record has. Errors: those of the filters,
  /// resource_limit, cancelled.
  [[nodiscard]] static Result<GraphSelection> find(ExecutionContext& context,
                                                   const GraphRequest& request);

  [[nodiscard]] bool has_node(std::uint64_t id) const {
    const codec::Bitmap* set = nodes();
    return set == nullptr || set->contains(id);
  }
  [[nodiscard]] bool has_relationship(std::uint64_t id) const {
    const codec::Bitmap* set = relationships();
    return set == nullptr || set->contains(id);
  }
  /// The ids of the selected records; nullptr if every record of the store is selected.
  [[nodiscard]] const codec::Bitmap* nodes() const noexcept {
    return chosen_nodes_ ? &*chosen_nodes_ : visible_nodes_;
  }
  [[nodiscard]] const codec::Bitmap* relationships() const noexcept {
    return chosen_relationships_ ? &*chosen_relationships_ : visible_relationships_;
  }
  /// Numbers of the selected types, ascending. Empty means every type, unless has_types() is false.
  [[nodiscard]] const std::vector<std::uint32_t>& types() const noexcept { return types_; }
  /// False if types were requested and the database knows none of them.
  [[nodiscard]] bool has_types() const noexcept { return has_types_; }
  [[nodiscard]] engine::Direction direction() const noexcept { return direction_; }
  [[nodiscard]] const std::string& weight() const noexcept { return weight_; }

 private:
  GraphSelection() = default;
  /// Sets the bitmaps of nodes and relationships.
  [[nodiscard]] Status choose(ExecutionContext& context, const GraphRequest& request);
  void find_types(ExecutionContext& context, const GraphRequest& request);

  std::optional<codec::Bitmap> chosen_nodes_;  // set if the request has labels or a filter
  std::optional<codec::Bitmap>
      chosen_relationships_;                      // set if the request has a relationship filter
  const codec::Bitmap* visible_nodes_ = nullptr;  // owned by the GraphReader
  const codec::Bitmap* visible_relationships_ = nullptr;
  std::vector<std::uint32_t> types_;
  bool has_types_ = true;
  engine::Direction direction_ = engine::Direction::outgoing;
  std::string weight_;
};

}  // namespace cairn::query
