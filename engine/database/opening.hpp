#pragma once
// Core::Opening: the state of an open before the core exists. Used only by core_open.cpp, core_home.cpp, home_copies.cpp
// and version_check.cpp.

#include "codec/meta.hpp"
#include "engine/database/core.hpp"
#include "engine/home/home.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn::engine {

struct Core::Opening {
  std::filesystem::path directory;
  LockFile lock;
  std::optional<codec::CommitFile> commit_file;  ///< nullopt if the file COMMIT is missing
  std::unique_ptr<RocksStore> store;
  std::vector<std::string> warnings;
  std::unique_ptr<Home> home{};  ///< nullptr without Options::home
};

/// Returns a new id of a database: 128 random bits in hexadecimal.
[[nodiscard]] std::string draw_database_id();

/// Checks that a home can be opened with these options, before anything is created. Errors: unsupported, invalid_argument.
[[nodiscard]] Status check_home_options(const Options& options);

/// Opens the copy of a home in `directory`, or downloads the newest checkpoint of the home and opens that. Adds what a person
/// should know to `warnings`. Errors: read errors of the home and of the directory; corruption.
[[nodiscard]] Result<std::unique_ptr<RocksStore>> open_copy(const std::filesystem::path& directory,
                                                            StoreOptions settings, Home& home,
                                                            std::vector<std::string>& warnings);

/// Refuses to open a copy of a home for writing without Options::home: the home would never get the changes. Errors:
/// conflict.
[[nodiscard]] Status check_no_copy(const std::filesystem::path& directory, const Options& options);

/// Refuses a database of a newer format before the lock is taken, because a writer's lock writes the file LOCK. A file FORMAT
/// that is missing or cannot be read is no error here. Errors: format_too_new, or busy while another process has the database
/// open for writing: that process is of a newer version, and this one may attach to it.
[[nodiscard]] Status check_not_newer(const std::filesystem::path& directory);

}  // namespace cairn::engine
