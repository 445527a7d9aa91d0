#pragma once
// ValueList: many byte strings in ascending order, in little memory: neighbours begin alike, and of each
// only what differs from the one before is kept.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

// values := block*          a block begins at every 16th value; where, is in a table
// value  := shared:u8 rest:varint byte{rest}       the first of a block shares nothing
class ValueList {
 public:
  /// Values must come strictly ascending.
  void add(std::string_view value);
  void shrink_to_fit();

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Put the value of this number in `out`. Cost: a look at up to 16 of them, one copy of the bytes.
  void read(std::size_t index, std::string& out) const;
  /// How many values are less than `bound`. Cost: a binary search over blocks, and one block.
  [[nodiscard]] std::size_t lower_bound(std::string_view bound) const;

  /// Call `visit(value)` for each in order; the view is valid during the call.
  template <class Visit>
  void for_each(const Visit& visit) const {
    Reader reader{*this, 0, {}};
    for (std::size_t i = 0; i < size_; ++i) visit(reader.next());
  }

  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return bytes_.capacity() + blocks_.capacity() * sizeof(std::size_t) + last_.capacity();
  }

 private:
  static constexpr std::size_t block_values = 16;

  /// Decodes one value after the other.
  struct Reader {
    const ValueList& list;
    std::size_t at;
    std::string value;
    std::string_view next();
  };
  /// The first value of a block lies there in one piece.
  [[nodiscard]] std::string_view head(std::size_t block) const;

  std::string bytes_;
  std::vector<std::size_t> blocks_;  // where in bytes_ each begins
  std::string last_;                 // the value added last
  std::size_t size_ = 0;
};

}  // namespace cairn::engine
