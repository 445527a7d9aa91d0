#pragma once
// An object store in a directory: for one machine, and for tests.

#include "engine/home/object_store.hpp"

#include <cairn/result.hpp>

#include <filesystem>
#include <memory>

namespace cairn::engine {

/// Objects are files of their names beneath `root`, which is made if it is not there. Processes of one machine may share it;
/// over a network file system only where that has links, locks and syncs as a local one.
/// A write that is done survives a power cut. A tag is a hash of the bytes.
/// Errors: invalid_argument for an empty path; io_error.
[[nodiscard]] Result<std::unique_ptr<ObjectStore>> open_directory_store(
    const std::filesystem::path& root);

}  // namespace cairn::engine
