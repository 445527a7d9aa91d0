#pragma once
// WeightReader: reads a property of relationships as the weights of an algorithm.

#include "query/execute/graph_reader.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace cairn::query {

/// A relationship without the property weighs 1. If no property is named, every relationship weighs 1 and nothing is
/// read.
class WeightReader {
 public:
  /// The numbers that are valid as a weight.
  enum class Range : std::uint8_t { not_negative, positive };

  WeightReader(GraphReader& graph, std::string property, Range range)
      : graph_(graph), property_(std::move(property)), range_(range) {}

  /// False if no property is named, so that every weight is 1.
  [[nodiscard]] bool reads() const noexcept { return !property_.empty(); }
  /// Passes the weight of each relationship to `take`, in the order of `ids`. Errors: type_error for a value that is not
  /// a number, invalid_argument for a number out of range, both with the relationship; those of reading and of `take`.
  [[nodiscard]] Status read(std::span<const std::uint64_t> ids,
                            const std::function<Status(double)>& take);

 private:
  [[nodiscard]] Result<double> weight_of(std::uint64_t id, const Value& value) const;

  GraphReader& graph_;
  std::string property_;
  Range range_;
};

}  // namespace cairn::query
