#pragma once
// GraphSelection: the part of the graph that an algorithm is asked about, as ids and types.

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

/// What of the graph is wanted, by name.
struct GraphRequest {
  std::vector<std::string> labels;  ///< nodes with one of them; empty: all
  std::vector<std::string> types;   ///< relationships of one of them; empty: all
  engine::Direction direction = engine::Direction::outgoing;
  std::string weight;                         ///< a property of relationships; empty: each weighs 1
  std::optional<Filter> filter;               ///< of nodes
  std::optional<Filter> relationship_filter;  ///< of relationships
};

/// The nodes and relationships that the statement sees and the request wants. A relationship is part of it where both of its
/// ends are. Valid until the graph is changed.
class GraphSelection {
 public:
  /// Warns of names that no record has. Errors: those of the filters, resource_limit, cancelled.
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
  /// Null where all that the store has belong to it.
  [[nodiscard]] const codec::Bitmap* nodes() const noexcept {
    return chosen_nodes_ ? &*chosen_nodes_ : visible_nodes_;
  }
  [[nodiscard]] const codec::Bitmap* relationships() const noexcept {
    return chosen_relationships_ ? &*chosen_relationships_ : visible_relationships_;
  }
  /// Ascending; empty: every type, unless has_types() is false.
  [[nodiscard]] const std::vector<std::uint32_t>& types() const noexcept { return types_; }
  /// False where no relationship can have one of the types that were asked for.
  [[nodiscard]] bool has_types() const noexcept { return has_types_; }
  [[nodiscard]] engine::Direction direction() const noexcept { return direction_; }
  [[nodiscard]] const std::string& weight() const noexcept { return weight_; }

 private:
  GraphSelection() = default;
  [[nodiscard]] Status choose(ExecutionContext& context, const GraphRequest& request);
  void find_types(ExecutionContext& context, const GraphRequest& request);

  std::optional<codec::Bitmap> chosen_nodes_;  // by labels and filter
  std::optional<codec::Bitmap> chosen_relationships_;
  const codec::Bitmap* visible_nodes_ = nullptr;
  const codec::Bitmap* visible_relationships_ = nullptr;
  std::vector<std::uint32_t> types_;
  bool has_types_ = true;
  engine::Direction direction_ = engine::Direction::outgoing;
  std::string weight_;
};

}  // namespace cairn::query
