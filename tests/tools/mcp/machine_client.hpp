#pragma once
// A client in the same thread: it talks to a Machine and runs handlers at once, or holds them back.

#include "tools/mcp/protocol/machine.hpp"

#include <boost/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace cairn::test {

class MachineClient {
 public:
  explicit MachineClient(tools::mcp::ServerDefinition server,
                         tools::mcp::MachineOptions options = {});

  /// Send a line; the result is all that comes back, after all handlers have run.
  std::vector<boost::json::value> send(std::string_view line);
  /// The one message that comes back. Fails the test if there are several or none.
  boost::json::value ask(std::string_view line);
  /// Send a request with the parameters of revision 2026-07-28 added: `params` is an object's JSON.
  boost::json::value ask_stateless(std::string_view method, std::string_view params = "{}",
                                   std::string_view capabilities = "{}");
  /// Make the handshake; the result of it.
  boost::json::value initialize(std::string_view revision = "2025-11-25",
                                std::string_view capabilities = "{}");

  /// Send a line and run no handler; calls wait in held().
  std::vector<boost::json::value> hold(std::string_view line);
  std::vector<tools::mcp::Call>& held() { return held_; }
  /// Run the handlers that wait.
  std::vector<boost::json::value> run_held();
  std::vector<boost::json::value> change(const tools::mcp::Change& change);

  tools::mcp::ServerDefinition server;
  tools::mcp::StateSigner signer;
  tools::mcp::StateSigner::Time now{};
  tools::mcp::Machine machine;

 private:
  std::vector<boost::json::value> take(tools::mcp::Step step);

  std::vector<tools::mcp::Call> held_;
  int next_id_ = 1'000;
};

/// The text of the first block of a tool's result.
[[nodiscard]] std::string text_of(const boost::json::value& response);
/// The code of an error; 0 if it is none.
[[nodiscard]] std::int64_t code_of(const boost::json::value& response);

}  // namespace cairn::test
