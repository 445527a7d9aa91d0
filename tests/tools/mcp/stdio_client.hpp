#pragma once
// A client at the other ends of a server's pipes, in this process.

#include "tools/mcp/protocol/stdio_server.hpp"

#include <boost/json.hpp>

#include <array>
#include <chrono>
#include <future>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::test {

class StdioClient {
 public:
  explicit StdioClient(tools::mcp::ServerDefinition given, tools::mcp::StdioOptions options = {});
  StdioClient(const StdioClient&) = delete;
  StdioClient& operator=(const StdioClient&) = delete;
  ~StdioClient();

  /// Write a line; false once the server reads no more.
  bool write_line(std::string_view line);
  /// Write as many of these bytes as the server takes without waiting; the number of them.
  std::size_t write_some(std::string_view bytes);
  /// The next message of the server; nothing at its end, or after ten seconds.
  std::optional<boost::json::value> read_message();
  /// The message with this id; others are skipped.
  std::optional<boost::json::value> read_response(std::int64_t id);
  void call(std::int64_t id, std::string_view tool, std::string_view meta = "{}");
  void initialize();

  void close_input();
  void close_output();
  /// How the server ended; nothing if it has not after so long.
  std::optional<tools::mcp::StdioEnd> wait_for_end(std::chrono::milliseconds limit);

  tools::mcp::ServerDefinition server;

 private:
  std::array<int, 2> to_server_{};
  std::array<int, 2> from_server_{};
  std::string unread_;
  std::future<tools::mcp::StdioEnd> end_;
};

}  // namespace cairn::test
