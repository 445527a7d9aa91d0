#pragma once
// EntityHashes: one wrapping sum of hashes for each entity, for comparing two large multisets of
// (entity, fact): what one side adds the other subtracts, and a sum that is not zero tells where
// they differ.

#include "codec/checksum.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace cairn::engine {

class EntityHashes {
 public:
  void add(std::uint64_t id, std::string_view fact) { slot(id) += codec::checksum(fact); }
  void subtract(std::uint64_t id, std::string_view fact) { slot(id) -= codec::checksum(fact); }
  void subtract_hash(std::uint64_t id, std::uint64_t hash) { slot(id) -= hash; }

  /// What is known of [first, end) is let go: these agree.
  void forget(std::uint64_t first, std::uint64_t end) {
    for (auto chunk = chunks_.lower_bound(first >> chunk_bits); chunk != chunks_.end(); ++chunk) {
      const std::uint64_t base = chunk->first << chunk_bits;
      if (base >= end) return;
      for (std::size_t low = 0; low < chunk->second.size(); ++low)
        if (base + low >= first && base + low < end) chunk->second[low] = 0;
    }
  }

  /// At most `limit` ids whose sum is not zero, ascending.
  [[nodiscard]] std::vector<std::uint64_t> differing(std::size_t limit) const {
    std::vector<std::uint64_t> ids;
    for (const auto& [chunk, sums] : chunks_) {
      for (std::size_t low = 0; low < sums.size() && ids.size() < limit; ++low) {
        if (sums[low] != 0) ids.push_back(chunk << chunk_bits | low);
      }
    }
    return ids;
  }

 private:
  // Ids are dense within blocks of 4,096.
  static constexpr unsigned chunk_bits = 12;

  std::uint64_t& slot(std::uint64_t id) {
    auto& sums = chunks_[id >> chunk_bits];
    if (sums.empty()) sums.resize(std::size_t{1} << chunk_bits);
    return sums[id & ((std::uint64_t{1} << chunk_bits) - 1)];
  }

  std::map<std::uint64_t, std::vector<std::uint64_t>> chunks_;
};

}  // namespace cairn::engine
