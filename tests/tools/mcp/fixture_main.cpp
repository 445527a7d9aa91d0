// The fixture as a program, for clients of other languages: it serves standard input and output.

#include "tests/tools/mcp/fixture_server.hpp"
#include "tools/mcp/protocol/stdio_server.hpp"

int main() {
  using namespace cairn::tools::mcp;
  return serve_stdio(cairn::test::make_fixture_server()) == StdioEnd::input_ended ? 0 : 1;
}
