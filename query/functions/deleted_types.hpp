#pragma once
// DeletedTypes: the types of relationships that a statement deleted. These types may still be read.

#include "codec/bitmap.hpp"

#include <cstdint>
#include <map>
#include <optional>

namespace cairn::query {

/// Cost: a lookup tests each type of which a relationship was deleted.
class DeletedTypes {
 public:
  void add(std::uint64_t relationship, std::uint32_t type) { ids_[type].add(relationship); }
  /// Returns nullopt if the statement has not deleted the relationship.
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t relationship) const {
    for (const auto& [type, ids] : ids_)
      if (ids.contains(relationship)) return type;
    return std::nullopt;
  }

 private:
  std::map<std::uint32_t, codec::Bitmap> ids_;  // by type
};

}  // namespace cairn::query
