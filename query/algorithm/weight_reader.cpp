#include "query/algorithm/weight_reader.hpp"

#include "query/functions/call.hpp"
#include "query/functions/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::query {

// Reads at most 1,024 properties at once, so that memory stays small. some_properties() may return fewer than asked for.
Status WeightReader::read(std::span<const std::uint64_t> ids,
                          const std::function<Status(double)>& take) {
  constexpr std::size_t at_once = 1'024;
  while (!ids.empty()) {
    const auto some = ids.first(std::min(ids.size(), at_once));
    CAIRN_ASSIGN(const auto values,
                 graph_.some_properties(codec::EntityKind::relationship, some, property_));
    for (std::size_t i = 0; i < values.size(); ++i) {
      CAIRN_ASSIGN(const double weight, weight_of(ids[i], values[i]));
      CAIRN_TRY(take(weight));
    }
    ids = ids.subspan(values.size());
  }
  return {};
}

// A record without the property weighs 1.
Result<double> WeightReader::weight_of(std::uint64_t id, const Value& value) const {
  if (value.is_null()) return 1.0;
  const bool is_number = value.type() == ValueType::integer || value.type() == ValueType::floating;
  const double number = is_number ? float_of(value) : 0;
  // The smallest allowed weight: the least positive double, or 0.
  const double least = range_ == Range::positive ? std::nextafter(0.0, 1.0) : 0.0;
  if (is_number && number >= least && std::isfinite(number)) return number;
  return Error{is_number ? ErrorCode::invalid_argument : ErrorCode::type_error,
               "`weight` must name a property whose values are numbers " +
                   std::string(range_ == Range::positive ? "above 0" : "of 0 or more") +
                   "; relationship " + std::to_string(id) + " has " + property_ + " = " +
                   shown(value) + "; exclude it with `relationship_filter`, or correct it",
               std::nullopt};
}

}  // namespace cairn::query
