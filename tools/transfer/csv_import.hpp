#pragma once
// A CSV file into nodes: its first record names the properties, each later one is a node.

#include "tools/transfer/transfer_report.hpp"

#include <cairn/csv.hpp>
#include <cairn/database.hpp>
#include <cairn/transfer.hpp>
#include <cairn/value.hpp>

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

// Turns a field of a CSV file into a typed value.
// A shape is looked at before anything is parsed: most fields are texts.

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

struct CsvImportOptions {
  std::vector<std::string> labels = {};  ///< of each node; at least one
  std::string id_column = {};            ///< whose text is the external id as well
  char delimiter = '\0';                 ///< 0: a tab for FILE.tsv, else a comma
  std::size_t batch = 10'000;            ///< nodes a commit
  bool progress = false;
  std::string name_space = {};  ///< of the nodes; empty is the default one
  std::stop_token cancel = {};  ///< the import ends with `cancelled` once a stop is requested
  /// Receives warnings; the import goes on.
  std::function<void(const std::string& remark)> tell = {};
};

/// Whether a file is one by its name: .csv or .tsv.
[[nodiscard]] bool is_csv_file(const std::filesystem::path& file);

/// One character, or "tab" or "\t". Errors: invalid_argument.
[[nodiscard]] Result<char> parse_delimiter(std::string_view word);

/// The delimiter that probably separates names in a header read as one name; 0 if none is likely.
[[nodiscard]] char likely_delimiter(std::string_view name);

/// Load a file, with the types of csv_value(). Whole batches only: a record that is refused ends the import
/// with an error that names file and line, and nothing of its batch is stored.
/// Errors: cancelled, with how many nodes are stored; invalid_argument also without a label, for names of columns that are empty or there twice, and for a record
/// with more fields than there are names; those of CsvReader, of creating a node and of committing.
[[nodiscard]] Result<ImportReport> import_csv(Database& database, const std::filesystem::path& file,
                                              const CsvImportOptions& options);

}  // namespace cairn::tools
