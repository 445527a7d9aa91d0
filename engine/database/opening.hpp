#pragma once
// What is known of a database before it is open. Private to the opening of Core.

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
  std::optional<codec::CommitFile> commit_file;
  std::unique_ptr<RocksStore> store;
  std::vector<std::string> warnings;
  std::unique_ptr<Home> home{};  ///< null without one
};

/// 128 random bits.
[[nodiscard]] std::string draw_database_id();

/// Whether a home can be opened with these options, before anything of it or of its copy is made.
[[nodiscard]] Status check_home_options(const Options& options);

/// Refuses to write to a copy of a home without the home, which would never have what is written.
[[nodiscard]] Status check_no_copy(const std::filesystem::path& directory, const Options& options);

}  // namespace cairn::engine
