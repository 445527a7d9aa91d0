#pragma once

#include <functional>
#include <string>

namespace cairn::test {

/// Returns the output of a child process; if it has none, the signal that ended the process.
[[nodiscard]] std::string said_by_child(const std::function<std::string()>& work);

}  // namespace cairn::test
