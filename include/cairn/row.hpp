#pragma once
// Row: one row of a result; values are accessed by column name or position.
//
//     for (const Result<Row>& row : rows) {
//       CAIRN_TRY(row);
//       CAIRN_ASSIGN(const std::string name, row->get<std::string>("name"));
//       CAIRN_ASSIGN(const auto born, row->get<std::optional<int>>("born"));   // null is nullopt
//       std::cout << name << " " << (*row)["city"].to_text() << "\n";
//     }

#include <cairn/result.hpp>
#include <cairn/value.hpp>
#include <cairn/value_as.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// One row: a value for each column. Cheap to copy, because it refers to its Rows.
///
/// Lifetime: until the next row is read, at most as long as its Rows. To keep a value longer, copy
/// it; copies share their content. Threads: like Rows.
class CAIRN_EXPORT Row {
 public:
  Row(std::span<const Value> values, const std::vector<std::string>& columns) noexcept
      : values_(values), columns_(&columns) {}

  /// The number of columns.
  [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }
  /// The values in the order of the columns.
  [[nodiscard]] const Value* begin() const noexcept { return values_.data(); }
  [[nodiscard]] const Value* end() const noexcept { return values_.data() + values_.size(); }
  [[nodiscard]] std::span<const Value> values() const noexcept { return values_; }
  /// The names of the columns.
  [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return *columns_; }

  /// Returns the value of a column that must exist. A wrong column ends the program: it writes the
  /// existing columns to standard error and calls std::abort(). Cost: by name, one comparison per
  /// column.
  [[nodiscard]] const Value& operator[](std::size_t column) const {
    if (column >= size()) fail_column(column);
    return values_[column];
  }
  [[nodiscard]] const Value& operator[](std::string_view column) const;

  /// Returns the value of a column as a T; value_as() lists the types. Errors: not_found for a
  /// column that does not exist, with the existing columns; those of value_as(), naming the column.
  template <class T>
  [[nodiscard]] Result<T> get(std::size_t column) const {
    if (column >= size()) return no_column(column);
    auto content = value_as<T>(values_[column]);
    if (!content) return in_column(column, std::move(content).error());
    return content;
  }
  template <class T>
  [[nodiscard]] Result<T> get(std::string_view column) const {
    CAIRN_ASSIGN(const std::size_t position, position_of(column));
    return get<T>(position);
  }

 private:
  [[nodiscard]] Result<std::size_t> position_of(std::string_view column) const;
  [[nodiscard]] Error no_column(std::size_t column) const;
  [[nodiscard]] Error in_column(std::size_t column, Error error) const;
  [[noreturn]] void fail_column(std::size_t column) const noexcept;

  std::span<const Value> values_;
  const std::vector<std::string>* columns_;
};

}  // namespace cairn
