#include "tests/tools/mcp/waiting_server.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace cairn::test {
namespace {

using namespace tools::mcp;
using namespace std::chrono_literals;

Tool tool_of(const char* name, ToolHandler call) {
  Tool tool;
  tool.name = name;
  tool.input_schema = {{"type", "object"}};
  tool.call = std::move(call);
  return tool;
}

}  // namespace

ServerDefinition waiting_server(std::atomic<int>& waiting) {
  ServerDefinition server;
  server.name = "waits";
  server.version = "1";
  server.tools.push_back(tool_of("wait", [&waiting](const json::object&, Context& context) {
    ++waiting;
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (!context.is_cancelled() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(1ms);
    --waiting;
    return text_result("waited");
  }));
  server.tools.push_back(tool_of(
      "answer", [](const json::object&, Context&) { return text_result("answered at once"); }));
  return server;
}

bool becomes(const std::atomic<int>& number, int value) {
  for (int i = 0; i < 2'000 && number != value; ++i) std::this_thread::sleep_for(5ms);
  return number == value;
}

}  // namespace cairn::test
