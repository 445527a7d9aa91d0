#pragma once
// WeightReader: a property of relationships as numbers that an algorithm can add.

#include "query/execute/graph_reader.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace cairn::query {

/// A relationship without the property weighs 1, as where no property is named.
class WeightReader {
 public:
  /// What a weight may be.
  enum class Range : std::uint8_t { not_negative, positive };

  WeightReader(GraphReader& graph, std::string property, Range range)
      : graph_(graph), property_(std::move(property)), range_(range) {}

  [[nodiscard]] bool reads() const noexcept { return !property_.empty(); }
  /// Give the weights in the order of the ids. Errors: type_error for what is no number, invalid_argument for a number out of
  /// range, with the relationship; those of reading.
  [[nodiscard]] Status read(std::span<const std::uint64_t> ids,
                            const std::function<Status(double)>& take);

 private:
  [[nodiscard]] Result<double> weight_of(std::uint64_t id, const Value& value) const;

  GraphReader& graph_;
  std::string property_;
  Range range_;
};

}  // namespace cairn::query
