#pragma once
// AdjacencyReader: the relationships of a node as of one snapshot, a transaction's own changes
// merged in.

#include "engine/store/rocks_store.hpp"
#include "engine/view/view.hpp"
#include "engine/transaction/write_set.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::engine {

class AdjacencyReader {
 public:
  /// Everything given must outlive the reader; `write_set` may be null.
  AdjacencyReader(const RocksStore& store, const StoreSnapshot& snapshot, const WriteSet* write_set)
      : store_(&store), snapshot_(&snapshot), write_set_(write_set) {}

  struct Request {
    std::uint64_t node = 0;
    std::optional<std::uint64_t> other;  ///< only relationships with this node
    Direction direction = Direction::both;
    std::span<const std::uint32_t> types;  ///< all, if empty
    std::size_t limit = ~std::size_t{0};   ///< stop once `out` has so many
  };
  /// Append what View::expand and expand_into promise.
  [[nodiscard]] Status read(const Request& request, std::vector<Adjacent>& out) const;

 private:
  /// One family, or the parts of it that hold the types.
  [[nodiscard]] Status read_direction(const Request& request, bool outgoing,
                                      std::vector<Adjacent>& out) const;
  [[nodiscard]] Status read_prefix(const std::string& prefix, const Request& request, bool outgoing,
                                   std::vector<Adjacent>& out) const;

  const RocksStore* store_;
  const StoreSnapshot* snapshot_;
  const WriteSet* write_set_;
};

}  // namespace cairn::engine
