#pragma once
// Confirmation of what changes many records: the number from a dry run, given by the model or by the user.

#include "tools/mcp/memory/tool_arguments.hpp"
#include "tools/mcp/protocol/context.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::tools::mcp {

/// More than so many are asked about.
inline constexpr std::uint64_t unasked_records = 20;

/// Nothing where it may be done: few records, or `confirm` is their number, or the user has said so. Else the question to the
/// user where the client can ask, or what the model has to give. `what` is asked: "erase 42 memories for good".
[[nodiscard]] std::optional<Answer<ToolResult>> ask_for(std::string_view what, std::uint64_t count,
                                                        std::uint64_t unasked,
                                                        const ToolArguments& arguments,
                                                        const Context& context);
/// The same for any number, 0 too.
[[nodiscard]] std::optional<Answer<ToolResult>> ask_always(std::string_view what,
                                                           std::uint64_t count,
                                                           const ToolArguments& arguments,
                                                           const Context& context);

}  // namespace cairn::tools::mcp
