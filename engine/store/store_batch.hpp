#pragma once
// StoreBatch: puts, merges and erases over all families that become true together.

#include "engine/store/column_family.hpp"

#include <cstddef>
#include <memory>
#include <string_view>

namespace cairn::engine {

class RocksStore;

/// Changes apply in the order of the calls. It must not outlive the store.
class StoreBatch {
 public:
  explicit StoreBatch(const RocksStore& store);
  StoreBatch(StoreBatch&&) noexcept;
  StoreBatch& operator=(StoreBatch&&) noexcept;
  ~StoreBatch();

  /// Set or replace.
  void put(Family family, std::string_view key, std::string_view value);
  /// Remove if there.
  void erase(Family family, std::string_view key);
  /// Only for Family::index, where the operand is a codec posting delta, and Family::text, where it is
  /// a codec text operand.
  void merge(Family family, std::string_view key, std::string_view operand);

  /// The size of the encoded batch.
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] std::size_t size() const;  ///< changes in it
  void clear();

 private:
  friend class RocksStore;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::engine
