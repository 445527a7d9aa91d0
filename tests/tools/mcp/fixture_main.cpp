// The fixture as a program, for clients of other languages: it serves standard input and output, or with a number HTTP on
// this port until its input ends; 0 takes any port, which the output names.

#include "tests/tools/mcp/fixture_server.hpp"
#include "tools/mcp/protocol/http_server.hpp"
#include "tools/mcp/protocol/stdio_server.hpp"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

using namespace cairn::tools::mcp;

int main(int count, char** arguments) {
  const ServerDefinition server = cairn::test::make_fixture_server();
  if (count < 2) return serve_stdio(server) == StdioEnd::input_ended ? 0 : 1;
  HttpOptions options;
  options.port = static_cast<std::uint16_t>(std::strtoul(arguments[1], nullptr, 10));
  const HttpServer http(server, options);
  std::cout << "http://127.0.0.1:" << http.port() << options.path << std::endl;
  for (std::string line; std::getline(std::cin, line);) continue;
  return 0;
}
