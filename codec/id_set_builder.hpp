#pragma once
// IdSetBuilder: the union of many ids and containers that come in any order, as a scan over many
// small postings gives them. It only collects; the work is done once, by `build`.

#include "codec/id_set.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace cairn::codec {

class IdSetBuilder {
 public:
  void add(std::uint64_t id) { ids_.push_back(id); }
  void add(const IdSet& set);
  void add_chunk(std::uint64_t key, std::shared_ptr<const Container> container);
  /// Memory held until `build`, for budgets.
  [[nodiscard]] std::size_t memory_bytes() const noexcept;
  /// Everything added, each id once; the builder is empty afterwards.
  [[nodiscard]] IdSet build();

 private:
  std::vector<std::uint64_t> ids_;
  std::vector<IdSet::Chunk> chunks_;
};

}  // namespace cairn::codec
