#pragma once
// A server whose calls take as long as a test wants.

#include "tools/mcp/protocol/definition.hpp"

#include <atomic>

namespace cairn::test {

/// A tool `wait` that waits until it is cancelled, 20 seconds at most, and `answer`, which does not. `waiting` counts the calls
/// that wait; it must live longer.
[[nodiscard]] tools::mcp::ServerDefinition waiting_server(std::atomic<int>& waiting);

/// Whether the number becomes this one, within ten seconds.
[[nodiscard]] bool becomes(const std::atomic<int>& number, int value);

}  // namespace cairn::test
