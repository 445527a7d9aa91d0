#pragma once
// ValueLog: arguments of aggregates that one thread reads and another thread aggregates later, in the order of their
// rows. Results of collect() and overflows depend on this order.

#include "query/execute/batch_column.hpp"
#include "query/execute/holding.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::query {

/// All memory is charged before it is allocated. Errors of functions that add: resource_limit, cancelled.
class ValueLog {
 public:
  /// Values of one aggregate in one morsel that are packed in the same way.
  struct Part {
    std::uint64_t morsel = 0;
    std::size_t call = 0;
    BatchColumn::Packing packing;
    std::vector<std::uint32_t> groups;  ///< of each value
    std::vector<std::uint64_t> words;   ///< empty if the values are not packed
    std::vector<Value> values;          ///< empty if the values are packed

    /// Moves `count` values out, from `first` on.
    [[nodiscard]] BatchColumn take(std::size_t first, std::size_t count);
  };

  ValueLog(std::size_t calls, Budget& budget) : last_(calls, none), held_(budget) {}

  /// Adds a value that is not null to a group of an aggregate.
  [[nodiscard]] Status add(std::uint64_t morsel, std::size_t call, std::uint32_t group,
                           const Value& value);
  /// Adds the values of `rows` in a column that are not null. `groups` has the group of each row of the column.
  [[nodiscard]] Status add(std::uint64_t morsel, std::size_t call,
                           std::span<const std::uint32_t> groups, const BatchColumn& column,
                           std::span<const std::uint32_t> rows);
  [[nodiscard]] std::vector<Part>& parts() noexcept { return parts_; }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  [[nodiscard]] Result<Part*> part(std::uint64_t morsel, std::size_t call,
                                   const BatchColumn::Packing& packing);
  [[nodiscard]] Status add_word(Part& part, std::uint32_t group, std::uint64_t word);
  template <class Items>
  [[nodiscard]] Status make_room(Items& items);

  std::vector<Part> parts_;
  std::vector<std::size_t> last_;  // for each call, its last part
  Holding held_;
};

}  // namespace cairn::query
