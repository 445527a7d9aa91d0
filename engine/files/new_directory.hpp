#pragma once
// Making a directory with all of its content at once.

#include "engine/files/directory.hpp"

#include <cairn/result.hpp>

#include <functional>

namespace cairn::engine {

/// Creates the directory `place`. `fill` writes into a temporary directory next to it, `NAME.restoring`, which is renamed to
/// `place` at the end, so nobody sees incomplete content. After a crash, the next call erases the temporary directory. `fill`
/// must sync what it writes, and make at most one level of subdirectories.
/// Errors: invalid_argument if `place` exists and is not an empty directory; errors of `fill`; io_error.
[[nodiscard]] Status make_new_directory(const FilePlace& place,
                                        const std::function<Status(const Directory&)>& fill);

}  // namespace cairn::engine
