#pragma once
// The tools of `cairn mcp`, which call procedures of the language. The caller must outlive them.

#include "tools/mcp/caller/memory_caller.hpp"
#include "tools/mcp/protocol/definition.hpp"

#include <string>
#include <string_view>

namespace cairn::tools::mcp {

[[nodiscard]] Tool store_tool(const MemoryCaller& caller);
[[nodiscard]] Tool search_tool(const MemoryCaller& caller);
[[nodiscard]] Tool list_tool(const MemoryCaller& caller);
[[nodiscard]] Tool update_tool(const MemoryCaller& caller);
[[nodiscard]] Tool forget_tool(const MemoryCaller& caller);
[[nodiscard]] Tool documents_tool(const MemoryCaller& caller);
[[nodiscard]] Tool describe_tool(const MemoryCaller& caller);
[[nodiscard]] Tool query_tool(const MemoryCaller& caller);

// The additional tools of --tools all.
[[nodiscard]] Tool relate_tool(const MemoryCaller& caller);
[[nodiscard]] Tool rules_tool(const MemoryCaller& caller);
[[nodiscard]] Tool faceted_tool(const MemoryCaller& caller);
[[nodiscard]] Tool ingest_tool(const MemoryCaller& caller);
[[nodiscard]] Tool grammar_tool();

/// The tool `memory`: files, like the memory tool of Anthropic's API.
[[nodiscard]] Tool files_tool(const MemoryCaller& caller);

/// Builds the server with the tools of McpSettings::tools in this order, without those that the
/// role does not permit.
[[nodiscard]] ServerDefinition memory_server(const MemoryCaller& caller, std::string version);

/// Returns an input schema with these members and those that every tool has.
[[nodiscard]] json::object input_schema(std::string_view members, std::string_view required = "");

}  // namespace cairn::tools::mcp
