#pragma once

#include <functional>
#include <string>

namespace cairn::test {

/// What a child process says before it ends; its signal if it says nothing.
[[nodiscard]] std::string said_by_child(const std::function<std::string()>& work);

}  // namespace cairn::test
