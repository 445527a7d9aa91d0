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

}  // namespace cairn::engine
