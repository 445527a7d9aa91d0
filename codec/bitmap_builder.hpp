#pragma once
// BitmapBuilder: the union of many ids and containers that come in any order, as a scan over many
// small postings gives them. It only collects; the work is done once, by `build`.

#include "codec/bitmap.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace cairn::codec {

class BitmapBuilder {
 public:
  void add(std::uint64_t id) { ids_.push_back(id); }
  void add(const Bitmap& set);
  void add_chunk(std::uint64_t key, std::shared_ptr<const Container> container);
  /// Memory held until `build`, for budgets.
  [[nodiscard]] std::size_t memory_bytes() const noexcept;
  /// Everything added, each id once; the builder is empty afterwards.
  [[nodiscard]] Bitmap build();

 private:
  std::vector<std::uint64_t> ids_;
  std::vector<Bitmap::Chunk> chunks_;
};

}  // namespace cairn::codec
