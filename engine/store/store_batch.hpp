#pragma once
// StoreBatch: changes of several families that are written atomically.

#include "engine/store/column_family.hpp"

#include <cstddef>
#include <memory>
#include <string_view>

namespace cairn::engine {

class RocksStore;

/// A list of changes, which apply in the order of the calls. It must not outlive the store.
class StoreBatch {
 public:
  explicit StoreBatch(const RocksStore& store);
  StoreBatch(StoreBatch&&) noexcept;
  StoreBatch& operator=(StoreBatch&&) noexcept;
  ~StoreBatch();

  /// Sets or replaces a value.
  void put(Family family, std::string_view key, std::string_view value);
  /// Removes a key if it exists.
  void erase(Family family, std::string_view key);
  /// Adds a merge operand. Only for Family::index, with a posting delta of the codec, and Family::text, with a text
  /// operand.
  void merge(Family family, std::string_view key, std::string_view operand);

  /// The size of the encoded batch. The log grows by little more.
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] std::size_t size() const;  ///< number of changes
  void clear();

 private:
  friend class RocksStore;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::engine
