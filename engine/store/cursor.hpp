#pragma once
// Cursor: a scan over a range of keys in ascending order, as of one snapshot.

#include <cairn/result.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace cairn::engine {

/// Keys from `first` up to but not including `last`; an empty `last` is the end of the family.
struct KeyRange {
  std::string first;
  std::string last;

  [[nodiscard]] bool contains(std::string_view key) const noexcept {
    return key >= first && (last.empty() || key < last);
  }
  friend auto operator<=>(const KeyRange&, const KeyRange&) = default;
};

/// All keys that start with `prefix`.
[[nodiscard]] KeyRange range_of_prefix(std::string_view prefix);

/// Stands on a key or at the end. Ends at an error too: ask status() after the loop.
class Cursor {
 public:
  /// Kept apart so that nobody else compiles RocksDB's headers.
  struct Impl;
  explicit Cursor(std::unique_ptr<Impl> impl);
  Cursor(Cursor&&) noexcept;
  Cursor& operator=(Cursor&&) noexcept;
  ~Cursor();

  /// False at the end of the range and after an error.
  [[nodiscard]] bool valid() const;
  void next();
  /// Stand on the first key that is not less than `key`.
  void seek(std::string_view key);
  /// Valid until the cursor moves.
  [[nodiscard]] std::string_view key() const;
  [[nodiscard]] std::string_view value() const;
  [[nodiscard]] Status status() const;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::engine
