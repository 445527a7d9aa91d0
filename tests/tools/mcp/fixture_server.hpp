#pragma once
// A server of everything that the protocol has, under the names that the official conformance suite calls.

#include "tools/mcp/protocol/definition.hpp"

namespace cairn::test {

/// Handlers are safe from any thread, as those of a program must be.
[[nodiscard]] tools::mcp::ServerDefinition make_fixture_server();

// Its parts.
void add_fixture_tools(tools::mcp::ServerDefinition& server);
void add_fixture_questions(tools::mcp::ServerDefinition& server);
void add_fixture_resources(tools::mcp::ServerDefinition& server);
void add_fixture_prompts(tools::mcp::ServerDefinition& server);

/// One pixel.
[[nodiscard]] const char* fixture_image();

}  // namespace cairn::test
