#pragma once
// Making a directory with all of its content at once.

#include "engine/files/directory.hpp"

#include <cairn/result.hpp>

#include <functional>

namespace cairn::engine {

/// Makes the directory `place` with the content that `fill` writes into the directory it gets, which is next to `place` and is
/// renamed at the end. So nobody sees a part of the content: a crash leaves `NAME.restoring`, which the next call erases. The
/// content has at most one level of directories, and `fill` syncs it.
/// Errors: invalid_argument if `place` exists and is not an empty directory; errors of `fill`; io_error.
[[nodiscard]] Status make_new_directory(const FilePlace& place,
                                        const std::function<Status(const Directory&)>& fill);

}  // namespace cairn::engine
