#include "tools/text/row_count.hpp"

#include "tools/text/counted.hpp"

namespace cairn::tools {

std::string count_text(std::uint64_t rows) {
  if (rows == 0) return "(no rows)\n";
  return "(" + counted(rows, "row", "rows") + ")\n";
}

std::string failed_count_text(std::uint64_t rows) {
  return "(" + counted(rows, "row", "rows") + ", and then an error)\n";
}

std::string count_text(std::uint64_t shown, const RowTotal& total, bool has_prompt) {
  return "(" + grouped(shown) + " of " + (total.is_exact ? "" : "more than ") +
         grouped(total.rows) + " rows; " + (has_prompt ? ".rows" : "--rows") +
         " all shows the rest)\n";
}

}  // namespace cairn::tools
