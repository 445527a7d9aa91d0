#pragma once
// Turns a field of a CSV file into a typed value.

#include <cairn/csv.hpp>
#include <cairn/value.hpp>

namespace cairn::tools {

/// The first type that fits the field, quoted or not:
///
///    nothing between two separators   null: no property
///    -12, 0                           integer: no zero before another digit, within 64 bits
///    1.5, -2e9                        float: as JSON writes it, with a point or an exponent
///    true, FALSE                      boolean, in any case
///    2024-02-29                       date that there is
///    2024-02-29T10:00[:00[.5]][Z|+01:00]   datetime with an offset, local datetime without one
///    anything else                    string: "007", "1,5", "+1", an empty text in quotes
[[nodiscard]] Value csv_value(const CsvField& field);

}  // namespace cairn::tools
