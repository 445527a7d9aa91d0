#pragma once
// Imports a CSV file as nodes: the first record names the properties, each later record is a node.

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

// Converts a field of a CSV file to a typed value. The shape is checked before parsing, because
// most fields are texts.

/// Returns the first type that matches the field, quoted or not:
///
///    nothing between two separators   null: no property
///    -12, 0                           integer: no zero before another digit, within 64 bits
///    1.5, -2e9                        float: as JSON writes it, with a point or an exponent
///    true, FALSE                      boolean, in any case
///    2024-02-29                       date, if it exists
///    2024-02-29T10:00[:00[.5]][Z|+01:00]   datetime with an offset, local datetime without one
///    anything else                    string: "007", "1,5", "+1", an empty text in quotes
[[nodiscard]] Value csv_value(const CsvField& field);

/// Options of an import.
struct CsvImportOptions {
  std::vector<std::string> labels = {};  ///< of each node; at least one
  std::string id_column = {};            ///< its text also becomes the external id
  std::string id_prefix = {};            ///< precedes that text in the external id
  /// Omits and reports records with errors instead of stopping, and skips nodes with external ids that
  /// an earlier import has stored.
  bool skip_errors = false;
  char delimiter = '\0';       ///< 0: a tab for FILE.tsv, otherwise a comma
  std::size_t batch = 10'000;  ///< nodes per commit
  bool progress = false;
  std::string name_space = {};  ///< of the nodes; empty is the default one
  std::stop_token cancel = {};  ///< the import ends with `cancelled` once a stop is requested
  /// Receives warnings; the import continues.
  std::function<void(const std::string& remark)> tell = {};
};

/// Copies the options that imports of JSON Lines and CSV share: batch size, namespace, cancellation,
/// skipping of errors, and external ids, whose property is a column in CSV. Errors: invalid_argument
/// if the options contradict each other.
[[nodiscard]] Status take_options(const ImportOptions& shared, CsvImportOptions& options);

/// True if the name ends in .csv or .tsv.
[[nodiscard]] bool is_csv_file(const std::filesystem::path& file);

/// Parses one character, or "tab" or "\t". Errors: invalid_argument.
[[nodiscard]] Result<char> parse_delimiter(std::string_view word);

/// Returns the delimiter that probably separates the names in a header that was read as one name; 0
/// if the name has none.
[[nodiscard]] char likely_delimiter(std::string_view name);

/// Imports a file with the types of csv_value(), in whole batches: without `skip_errors`, a refused
/// record ends the import with an error that names file and line, and nothing of its batch is stored.
/// Text that is not CSV always ends the import. Errors: cancelled, with the number of stored nodes;
/// invalid_argument without a label, for column names that are empty or repeated, and for a record
/// with more fields than names; those of CsvReader, of creating a node and of committing.
[[nodiscard]] Result<ImportReport> import_csv(Database& database, const std::filesystem::path& file,
                                              const CsvImportOptions& options);

}  // namespace cairn::tools
