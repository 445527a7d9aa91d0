#pragma once
// Serves a ServerDefinition to one client by standard input and output.

#include "tools/mcp/protocol/definition.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace cairn::tools::mcp {

/// Limits of a connection. Beyond a limit there is an error or a pause, so memory is bounded.
struct StdioOptions {
  // File descriptors; they are neither closed nor changed.
  int input = 0;
  int output = 1;
  /// A longer line is refused without being stored.
  std::size_t most_message_bytes = 4U << 20U;
  /// At this number of waiting calls, reading pauses until a handler is done.
  std::size_t most_waiting_calls = 64;
  /// At this much memory of calls, reading pauses too; a message with the most values takes 20 MiB.
  std::size_t most_waiting_bytes = 64U << 20U;
  /// At this size of answers that the client has not read, handlers and reading pause.
  std::size_t most_unread_bytes = 8U << 20U;
  std::size_t workers = 4;  ///< handlers that run at the same time
  /// How long handlers may continue after the end of the input.
  std::chrono::milliseconds drain{2'000};
};

enum class StdioEnd : std::uint8_t {
  input_ended,    ///< the client closed our input: the usual end
  output_failed,  ///< the client no longer reads
  input_failed,
};

/// Serves until the client closes the input. Running handlers then have `drain` to answer and are
/// cancelled after it. Meanwhile nothing else may write to standard output.
[[nodiscard]] StdioEnd serve_stdio(const ServerDefinition& server,
                                   const StdioOptions& options = {});

}  // namespace cairn::tools::mcp
