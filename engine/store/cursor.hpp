#pragma once
// Cursor: an iterator over a range of keys in ascending order, as of one snapshot.

#include <cairn/result.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace cairn::engine {

/// The keys from `first` (inclusive) to `last` (exclusive). An empty `last` stands for the end of the family.
struct KeyRange {
  std::string first;
  std::string last;

  [[nodiscard]] bool contains(std::string_view key) const noexcept {
    return key >= first && (last.empty() || key < last);
  }
  friend auto operator<=>(const KeyRange&, const KeyRange&) = default;
};

/// The range of all keys that start with `prefix`.
[[nodiscard]] KeyRange range_of_prefix(std::string_view prefix);

/// Points to a key, or to the end. An error also moves the cursor to the end, so check status() after a loop.
/// Threads: one per cursor.
class Cursor {
 public:
  /// Private, so that users of this header do not compile RocksDB's headers.
  struct Impl;
  explicit Cursor(std::unique_ptr<Impl> impl);
  Cursor(Cursor&&) noexcept;
  Cursor& operator=(Cursor&&) noexcept;
  ~Cursor();

  /// False at the end of the range, and after an error.
  [[nodiscard]] bool valid() const;
  void next();
  /// Moves to the first key that is not less than `key`.
  void seek(std::string_view key);
  /// The current key and value. Precondition: valid(). The views are valid until the cursor moves.
  [[nodiscard]] std::string_view key() const;
  [[nodiscard]] std::string_view value() const;
  [[nodiscard]] Status status() const;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::engine
