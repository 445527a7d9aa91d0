#pragma once
// `cairn backup`, `cairn backup --verify` and `cairn restore`.

#include <cairn/database.hpp>
#include <cairn/result.hpp>

#include <filesystem>
#include <iosfwd>
#include <stop_token>

namespace cairn::tools {

/// Each prints one line about what it did, and shows progress on a terminal.
[[nodiscard]] Status print_backup(Database& database, const std::filesystem::path& directory,
                                  std::ostream& out, const std::stop_token& cancel = {});
[[nodiscard]] Status print_verification(const std::filesystem::path& directory, std::ostream& out);
[[nodiscard]] Status print_restoration(const std::filesystem::path& directory,
                                       const std::filesystem::path& database, std::ostream& out);

}  // namespace cairn::tools
