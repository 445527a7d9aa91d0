// Columns of a batch of rows. A packed column stores one 64-bit word per row, such as an id, an
// integer, the bits of a float, or a dictionary code. Words avoid a Value per cell, and conditions
// can compare them directly.
#include "query/execute/batch_column.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace cairn::query {

BatchColumn BatchColumn::constant(Value value) {
  BatchColumn column;
  column.only_ = std::move(value);
  return column;
}

BatchColumn BatchColumn::entities(codec::EntityKind kind, std::vector<std::uint64_t> ids) {
  BatchColumn column;
  column.form_ = kind == codec::EntityKind::node ? Form::nodes : Form::relationships;
  column.words_ = std::move(ids);
  return column;
}

BatchColumn BatchColumn::values(std::vector<Value> values) {
  BatchColumn column;
  column.form_ = Form::values;
  column.values_ = std::move(values);
  return column;
}

namespace {

/// Returns the word of an integer or of an entity that is not loaded. Returns nullopt for all other
/// values, including loaded entities.
std::optional<std::uint64_t> word_of(const Value& value) {
  if (const auto* integer = value.get_if<std::int64_t>())
    return static_cast<std::uint64_t>(*integer);
  if (const auto* node = value.get_if<Node>(); node != nullptr && !node->is_loaded())
    return node->id().value;
  if (const auto* one = value.get_if<Relationship>(); one != nullptr && !one->is_loaded())
    return one->id().value;
  return std::nullopt;
}

// Precondition: word_of() returns a word for values of this type.
BatchColumn::Form form_of(ValueType type) {
  if (type == ValueType::node) return BatchColumn::Form::nodes;
  return type == ValueType::relationship ? BatchColumn::Form::relationships
                                         : BatchColumn::Form::integers;
}

}  // namespace

// The type of the first value decides. If a later value does not fit, all values stay unpacked,
// except that a column of nulls becomes a constant.
BatchColumn BatchColumn::packed(std::vector<Value> values) {
  if (values.empty()) return BatchColumn::values({});
  const ValueType type = values.front().type();
  std::vector<std::uint64_t> words;
  for (const Value& value : values) {
    const auto word = value.type() == type ? word_of(value) : std::nullopt;
    if (!word) break;
    words.push_back(*word);
  }
  if (words.size() == values.size()) return BatchColumn::words(form_of(type), std::move(words), {});
  const bool are_null = std::ranges::all_of(values, [](const Value& one) { return one.is_null(); });
  return are_null ? BatchColumn() : BatchColumn::values(std::move(values));
}

BatchColumn BatchColumn::words(Form form, std::vector<std::uint64_t> words,
                               std::vector<std::uint8_t> missing, Dictionary dictionary) {
  BatchColumn column;
  column.form_ = form;
  column.words_ = std::move(words);
  column.missing_ = std::move(missing);
  column.dictionary_ = std::move(dictionary);
  return column;
}

// Entities are made without content: their records are read only if they are needed.
Value BatchColumn::Packing::value(std::uint64_t word) const {
  switch (form) {
    case Form::nodes:
      return Node(NodeId{word});
    case Form::relationships:
      return Relationship(RelationshipId{word});
    case Form::integers:
      return static_cast<std::int64_t>(word);
    case Form::floats:
      return std::bit_cast<double>(word);
    case Form::codes:
      return (*dictionary)[word];
    case Form::constant:
    case Form::values:
      break;
  }
  return {};
}

// Makes the Value of one row. A text of the dictionary is copied.
Value BatchColumn::value(std::size_t row) const {
  if (form_ == Form::constant) return only_;
  if (form_ == Form::values) return values_[row];
  return is_missing(row) ? Value() : value_of(words_[row]);
}

Value BatchColumn::value_of(std::uint64_t word) const {
  if (form_ == Form::codes) return (*dictionary_)[word];
  return Packing{form_, nullptr}.value(word);
}

// Returns false for a text that is not in the dictionary, and for a value of another type.
bool BatchColumn::put(std::size_t row, const Value& value) {
  if (value.is_null()) {
    missing_.resize(words_.size());
    missing_[row] = 1;
    return true;
  }
  std::uint64_t word = 0;
  if (form_ == Form::integers && value.type() == ValueType::integer) {
    word = static_cast<std::uint64_t>(value.as_integer());
  } else if (form_ == Form::floats && value.type() == ValueType::floating) {
    word = std::bit_cast<std::uint64_t>(value.as_float());
  } else if (form_ == Form::codes) {
    const auto known = std::ranges::find(*dictionary_, value);
    if (known == dictionary_->end()) return false;
    word = static_cast<std::uint64_t>(known - dictionary_->begin());
  } else {
    return false;
  }
  words_[row] = word;
  if (!missing_.empty()) missing_[row] = 0;
  return true;
}

void BatchColumn::copy_to(Value* cells, std::size_t rows, std::size_t stride) const {
  if (form_ == Form::constant && only_.is_null()) return;  // cells are null by default
  for (std::size_t row = 0; row < rows; ++row, cells += stride) *cells = value(row);
}

// A row may occur several times in `rows`, or not at all.
BatchColumn BatchColumn::gather(std::span<const std::uint32_t> rows) const {
  if (form_ == Form::constant) return *this;
  BatchColumn made;
  made.form_ = form_;
  made.dictionary_ = dictionary_;
  const auto take = [&](const auto& from, auto& to) {
    if (from.empty()) return;
    to.reserve(rows.size());
    for (const std::uint32_t row : rows) to.push_back(from[row]);
  };
  take(words_, made.words_);
  take(missing_, made.missing_);
  take(values_, made.values_);
  return made;
}

// Moves values towards the beginning, in place, because the rows ascend.
void BatchColumn::keep(std::span<const std::uint32_t> rows) {
  const auto pack = [&](auto& cells) {
    if (cells.empty()) return;
    std::size_t kept = 0;
    for (const std::uint32_t row : rows) {
      if (kept != row) cells[kept] = std::move(cells[row]);
      ++kept;
    }
    cells.resize(kept);
  };
  pack(words_);
  pack(missing_);
  pack(values_);
}

// A constant column has no rows of its own, so it does not change.
void BatchColumn::truncate(std::size_t rows) {
  const auto cut = [&](auto& cells) {
    if (cells.size() > rows) cells.resize(rows);
  };
  cut(words_);
  cut(missing_);
  cut(values_);
}

// Only codes refer to texts outside of the column.
std::size_t BatchColumn::text_bytes() const noexcept {
  if (form_ != Form::codes) return 0;
  std::size_t bytes = 0;
  for (std::size_t row = 0; row < words_.size(); ++row)
    if (const std::string* text = is_missing(row) ? nullptr : (*dictionary_)[words_[row]].string())
      bytes += text->size();
  return bytes;
}

}  // namespace cairn::query
