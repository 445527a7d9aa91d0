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

/// Counts, sizes, labels, types, properties and indexes, for people.
[[nodiscard]] Status print_statistics(Database& database, std::ostream& out);

/// The same for Prometheus: the metrics of this opening, and what the directory takes.
[[nodiscard]] Status print_metrics(Database& database, std::ostream& out);

/// One item a line.
void print_findings(const std::vector<Finding>& findings, std::ostream& out);

/// The findings of an integrity check. Errors: corruption where there is any finding.
[[nodiscard]] Status print_check(Database& database, std::size_t limit, std::ostream& out);

/// Scrub, with progress on a terminal, and print the receipt. Errors: those of Database::scrub(); there is no receipt then.
[[nodiscard]] Status print_scrub(Database& database, ScrubOptions options, std::ostream& out,
                                 const std::stop_token& cancel = {});

}  // namespace cairn::tools
