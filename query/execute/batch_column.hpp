#pragma once
// BatchColumn: the values of one slot for the rows of a batch, packed where they are all of one kind.

#include "codec/entity_kind.hpp"

#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace cairn::query {

class BatchColumn {
 public:
  enum class Form : std::uint8_t {
    constant,       ///< one value in all rows
    nodes,          ///< ids
    relationships,  ///< ids
    integers,
    floats,
    codes,   ///< places in a dictionary
    values,  ///< of any kind
  };
  using Dictionary = std::shared_ptr<const std::vector<Value>>;

  /// What the words of a packed column stand for.
  struct Packing {
    Form form = Form::values;
    Dictionary dictionary;

    [[nodiscard]] Value value(std::uint64_t word) const;
    friend bool operator==(const Packing&, const Packing&) = default;
  };

  /// Null in all rows.
  BatchColumn() = default;
  [[nodiscard]] static BatchColumn constant(Value value);
  [[nodiscard]] static BatchColumn entities(codec::EntityKind kind, std::vector<std::uint64_t> ids);
  [[nodiscard]] static BatchColumn values(std::vector<Value> values);
  /// The same values, packed where all are integers, or entities without content of one kind.
  [[nodiscard]] static BatchColumn packed(std::vector<Value> values);
  /// Integers, the bits of floats, or codes. Rows with a flag in `missing`, if it is not empty, are null.
  [[nodiscard]] static BatchColumn words(Form form, std::vector<std::uint64_t> words,
                                         std::vector<std::uint8_t> missing,
                                         Dictionary dictionary = nullptr);

  [[nodiscard]] Form form() const noexcept { return form_; }
  /// Whether each row has a word, or none.
  [[nodiscard]] bool is_packed() const noexcept {
    return form_ != Form::constant && form_ != Form::values;
  }
  [[nodiscard]] bool has_entities() const noexcept {
    return form_ == Form::nodes || form_ == Form::relationships;
  }
  /// Of a column of entities.
  [[nodiscard]] codec::EntityKind kind() const noexcept {
    return form_ == Form::nodes ? codec::EntityKind::node : codec::EntityKind::relationship;
  }
  /// Of a packed column; those of missing values mean nothing.
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return words_; }
  [[nodiscard]] bool has_missing() const noexcept { return !missing_.empty(); }
  /// Of a packed column.
  [[nodiscard]] bool is_missing(std::size_t row) const noexcept {
    return !missing_.empty() && missing_[row] != 0;
  }
  [[nodiscard]] Packing packing() const { return {form_, dictionary_}; }
  /// Of codes.
  [[nodiscard]] const Dictionary& dictionary() const noexcept { return dictionary_; }
  /// Of a constant column.
  [[nodiscard]] const Value& only() const noexcept { return only_; }
  /// Of a column of values.
  [[nodiscard]] std::span<const Value> all() const noexcept { return values_; }

  [[nodiscard]] Value value(std::size_t row) const;
  /// Give a row of a packed column another value. False, and nothing is changed, where it has no room for it.
  [[nodiscard]] bool put(std::size_t row, const Value& value);

  /// Write the values of the first `rows` rows to every `stride`-th cell.
  void copy_to(Value* cells, std::size_t rows, std::size_t stride) const;
  /// The values of these rows, in their order.
  [[nodiscard]] BatchColumn gather(std::span<const std::uint32_t> rows) const;
  /// Only these rows stay; they ascend.
  void keep(std::span<const std::uint32_t> rows);
  void truncate(std::size_t rows);

  /// What the values hold beside cells of rows, where it is not in values() or only().
  [[nodiscard]] std::size_t text_bytes() const noexcept;

 private:
  [[nodiscard]] Value value_of(std::uint64_t word) const;

  Form form_ = Form::constant;
  Value only_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint8_t> missing_;
  std::vector<Value> values_;
  Dictionary dictionary_;  // owners: a segment and the columns made of it
};

}  // namespace cairn::query
