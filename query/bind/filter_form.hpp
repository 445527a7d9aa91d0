#pragma once
// FilterForm: a filter apart from its operands. A statement with a filter in a parameter is bound once for each form
// that it meets; its runs bring the operands as parameters of their own.

#include <cairn/filter.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

struct FilterForm {
  std::string key;              ///< equal where filters differ by their operands alone
  std::vector<Value> operands;  ///< in the order in which filter_expression() asks for them
};

[[nodiscard]] FilterForm form_of(const Filter& filter);

/// The parameter that holds an operand of the filter in `parameter`: "filter.0".
[[nodiscard]] std::string operand_name(std::string_view parameter, std::size_t place);

}  // namespace cairn::query
