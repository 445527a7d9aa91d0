#pragma once
// Serves a ServerDefinition to one client by standard input and output.

#include "tools/mcp/protocol/definition.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace cairn::tools::mcp {

/// Bounds of a connection. Beyond one there is an error or a pause, never more memory.
struct StdioOptions {
  // File descriptors, neither closed nor changed.
  int input = 0;
  int output = 1;
  /// A longer line is refused, without being held.
  std::size_t most_message_bytes = 4U << 20U;
  /// Then reading pauses until a handler is done.
  std::size_t most_waiting_calls = 64;
  /// The same for the memory that calls hold; a message of the most values takes 20 MiB.
  std::size_t most_waiting_bytes = 64U << 20U;
  /// Of answers that the client does not read; then handlers and reading pause.
  std::size_t most_unread_bytes = 8U << 20U;
  std::size_t workers = 4;  ///< handlers that run at the same time
  /// How long handlers may go on after the input has ended.
  std::chrono::milliseconds drain{2'000};
};

enum class StdioEnd : std::uint8_t {
  input_ended,    ///< the client closed our input: the usual end
  output_failed,  ///< the client reads no more
  input_failed,
};

/// Serve until the client closes the input. Handlers that run then get `drain` to answer, and are cancelled after it.
/// Standard output belongs to the protocol meanwhile: nothing else may write to it.
[[nodiscard]] StdioEnd serve_stdio(const ServerDefinition& server,
                                   const StdioOptions& options = {});

}  // namespace cairn::tools::mcp
