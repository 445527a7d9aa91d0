#pragma once
// Files that statements read.

#include <cairn/csv.hpp>

#include <string_view>

namespace cairn::query {

struct ExecutionContext;

/// What a statement may read: a regular file beneath Options::file_root, by a path relative to it, without `..` and
/// without a link on the way. Errors: unsupported where there is no root or StatementOptions::use_files is false;
/// invalid_argument for any other path; not_found; io_error.
[[nodiscard]] Result<CsvSource> open_statement_file(const ExecutionContext& context,
                                                    std::string_view path);

}  // namespace cairn::query
