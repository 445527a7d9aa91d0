#pragma once
// The format version that the store itself has, beside the file FORMAT.

#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <filesystem>

namespace cairn::engine {

/// Checks the format that the store itself has, if the file FORMAT is missing or damaged. Opens the store for reading
/// only, because opening it for writing would change a database of a newer format. Errors: format_too_new; those of
/// reading FORMAT.
[[nodiscard]] Status check_stored_format(const std::filesystem::path& directory,
                                         StoreOptions settings);
/// Writes the file FORMAT if it is missing (after a crash, or in an incomplete copy) or damaged (in a repair). The store has
/// its format too, but an older program would write to the store before it reads the format there.
[[nodiscard]] Status keep_format_file(const std::filesystem::path& directory,
                                      const RocksStore& store);

}  // namespace cairn::engine
