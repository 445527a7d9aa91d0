#pragma once
// The tools of `cairn mcp`, each made of procedures of the language. The caller must outlive them.

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

// What --tools all adds.
[[nodiscard]] Tool relate_tool(const MemoryCaller& caller);
[[nodiscard]] Tool rules_tool(const MemoryCaller& caller);
[[nodiscard]] Tool faceted_tool(const MemoryCaller& caller);
[[nodiscard]] Tool ingest_tool(const MemoryCaller& caller);
[[nodiscard]] Tool grammar_tool();

/// `memory`: files as the memory tool of Anthropic's API has them.
[[nodiscard]] Tool files_tool(const MemoryCaller& caller);

/// The tools of McpSettings::tools in this order, but for those that the role does not let work.
[[nodiscard]] ServerDefinition memory_server(const MemoryCaller& caller, std::string version);

/// An input schema of these members, and of those that every tool has.
[[nodiscard]] json::object input_schema(std::string_view members, std::string_view required = "");

}  // namespace cairn::tools::mcp
