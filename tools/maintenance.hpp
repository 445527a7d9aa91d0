#pragma once
// `cairn stats`, `cairn check` and `cairn scrub`.

#include <cairn/database.hpp>
#include <cairn/result.hpp>
#include <cairn/scrub.hpp>

#include <cstddef>
#include <iosfwd>
#include <stop_token>
#include <vector>

namespace cairn::tools {

/// Prints counts, sizes, labels, types, properties and indexes for people.
[[nodiscard]] Status print_statistics(Database& database, std::ostream& out);

/// Prints metrics in Prometheus' format: those of this opening, and the size of the directory.
[[nodiscard]] Status print_metrics(Database& database, std::ostream& out);

/// Prints findings, one per line.
void print_findings(const std::vector<Finding>& findings, std::ostream& out);

/// Prints the findings of an integrity check. Errors: corruption if there are any.
[[nodiscard]] Status print_check(Database& database, std::size_t limit, std::ostream& out);

/// Scrubs, with progress on a terminal, and prints the receipt. Errors: those of Database::scrub();
/// nothing is printed then.
[[nodiscard]] Status print_scrub(Database& database, ScrubOptions options, std::ostream& out,
                                 const std::stop_token& cancel = {});

}  // namespace cairn::tools
