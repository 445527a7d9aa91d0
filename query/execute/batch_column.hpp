#pragma once
// BatchColumn: the values of one slot for all rows of a batch, packed if all values are of one
// kind.

#include "codec/entity_kind.hpp"

#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace cairn::query {

/// Packed values take 8 bytes each. A Value takes more and has to be destroyed. Threads: one at a
/// time.
class BatchColumn {
 public:
  enum class Form : std::uint8_t {
    constant,       ///< the same value in all rows
    nodes,          ///< ids of nodes that are not loaded
    relationships,  ///< ids of relationships that are not loaded
    integers,       ///< 64-bit integers
    floats,         ///< bits of doubles
    codes,          ///< positions in a dictionary
    values,         ///< one Value per row, of any kind
  };
  /// The distinct values of a column of codes, shared by several columns.
  using Dictionary = std::shared_ptr<const std::vector<Value>>;

  /// How the words of a packed column encode values.
  struct Packing {
    Form form = Form::values;
    Dictionary dictionary;

    [[nodiscard]] Value value(std::uint64_t word) const;
    friend bool operator==(const Packing&, const Packing&) = default;
  };

  /// A column with null in all rows.
  BatchColumn() = default;
  [[nodiscard]] static BatchColumn constant(Value value);
  [[nodiscard]] static BatchColumn entities(codec::EntityKind kind, std::vector<std::uint64_t> ids);
  [[nodiscard]] static BatchColumn values(std::vector<Value> values);
  /// Packs the values if all are integers, or all are entities of one kind that are not loaded.
  /// Otherwise stores them as they are.
  [[nodiscard]] static BatchColumn packed(std::vector<Value> values);
  /// Makes a column of integers, bits of floats, or codes. A row whose flag in `missing` is set is
  /// null. `missing` may be empty.
  [[nodiscard]] static BatchColumn words(Form form, std::vector<std::uint64_t> words,
                                         std::vector<std::uint8_t> missing,
                                         Dictionary dictionary = nullptr);

  [[nodiscard]] Form form() const noexcept { return form_; }
  /// True if each row has either a word or no value.
  [[nodiscard]] bool is_packed() const noexcept {
    return form_ != Form::constant && form_ != Form::values;
  }
  [[nodiscard]] bool has_entities() const noexcept {
    return form_ == Form::nodes || form_ == Form::relationships;
  }
  /// Precondition: has_entities().
  [[nodiscard]] codec::EntityKind kind() const noexcept {
    return form_ == Form::nodes ? codec::EntityKind::node : codec::EntityKind::relationship;
  }
  /// The words of a packed column. The word of a missing value is unspecified.
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return words_; }
  [[nodiscard]] bool has_missing() const noexcept { return !missing_.empty(); }
  /// Precondition: is_packed().
  [[nodiscard]] bool is_missing(std::size_t row) const noexcept {
    return !missing_.empty() && missing_[row] != 0;
  }
  [[nodiscard]] Packing packing() const { return {form_, dictionary_}; }
  /// The dictionary of a column of codes.
  [[nodiscard]] const Dictionary& dictionary() const noexcept { return dictionary_; }
  /// The value of a constant column.
  [[nodiscard]] const Value& only() const noexcept { return only_; }
  /// The values of a column with form `values`.
  [[nodiscard]] std::span<const Value> all() const noexcept { return values_; }

  [[nodiscard]] Value value(std::size_t row) const;
  /// Changes the value of one row in a packed column. Returns false and changes nothing if the
  /// column cannot encode the value.
  [[nodiscard]] bool put(std::size_t row, const Value& value);

  /// Writes the first `rows` values to every `stride`-th cell from `cells` on. The cells must be
  /// null before.
  void copy_to(Value* cells, std::size_t rows, std::size_t stride) const;
  /// Returns a column with the values of these rows, in the order of `rows`.
  [[nodiscard]] BatchColumn gather(std::span<const std::uint32_t> rows) const;
  /// Keeps only these rows, which must be in ascending order.
  void keep(std::span<const std::uint32_t> rows);
  void truncate(std::size_t rows);

  /// Memory of texts that the cells of all rows would need. Values in all() and only() are not
  /// included.
  [[nodiscard]] std::size_t text_bytes() const noexcept;

 private:
  [[nodiscard]] Value value_of(std::uint64_t word) const;

  Form form_ = Form::constant;
  Value only_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint8_t> missing_;
  std::vector<Value> values_;
  Dictionary dictionary_;  // shared with its maker and with other columns
};

}  // namespace cairn::query
