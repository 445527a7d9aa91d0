#pragma once
// Rows as records, in the formats that memory results have.

#include "tools/text/row_writer.hpp"

#include <cairn/memory/output.hpp>

#include <iosfwd>
#include <memory>

namespace cairn::tools {

/// The first node of a row is its record; without one, the columns `content` and `id` are. A number in
/// the column `score` is its score, relationships are its own, and other columns join its metadata.
/// All rows are held until finish().
[[nodiscard]] std::unique_ptr<RowWriter> make_output_writer(memory::OutputFormat format,
                                                            std::ostream& out);

}  // namespace cairn::tools
