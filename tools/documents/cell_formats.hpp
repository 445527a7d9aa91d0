#pragma once
// How a workbook shows the numbers of its cells, as far as that changes what they mean: dates, times, durations.
// Private to this folder.

#include "tools/documents/xml_reader.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

/// What a number of a cell is.
enum class CellNumber : std::uint8_t { number, date, duration };

/// What a format code such as "dd/mm/yyyy" makes of a number.
[[nodiscard]] CellNumber number_of_format(std::string_view code);

/// Reads the styles of a workbook, and from the workbook when its days begin.
/// Source: ECMA-376 part 1, 18.8.30 (number formats) and 18.17.4 (dates and times).
class CellFormats final : public XmlEvents {
 public:
  void begin(std::string_view name, Attributes attributes) override;
  void end(std::string_view name) override;
  void text(std::string_view) override {}

  /// A number as text: dates and times in ISO 8601, durations as hours:minutes:seconds, others as the file has them.
  [[nodiscard]] std::string shown(std::string_view style, const std::string& number) const;

 private:
  std::map<int, CellNumber> named_;  // formats that the workbook defines
  std::vector<CellNumber> styles_;   // of cells, by number
  bool is_in_styles_ = false;
  bool begins_1904_ = false;
};

}  // namespace cairn::tools
