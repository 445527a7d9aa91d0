#include "tools/text/row_count.hpp"

#include <cstddef>

namespace cairn::tools {

std::string grouped(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string count_text(std::uint64_t rows) {
  if (rows == 0) return "(no rows)\n";
  return "(" + std::to_string(rows) + (rows == 1 ? " row)\n" : " rows)\n");
}

std::string count_text(std::uint64_t shown, const RowTotal& total) {
  return "(" + grouped(shown) + " of " + (total.is_exact ? "" : "more than ") +
         grouped(total.rows) + " rows; .rows all shows the rest)\n";
}

}  // namespace cairn::tools
