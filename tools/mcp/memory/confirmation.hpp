#pragma once
// Confirmation of calls that change many records: their number, from a dry run, by the model or by
// the user.

#include "tools/mcp/memory/tool_arguments.hpp"
#include "tools/mcp/protocol/context.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::tools::mcp {

/// Changes of more records than this need a confirmation.
inline constexpr std::uint64_t unasked_records = 20;

/// Returns nullopt if the call may proceed: few records, or the user has agreed, or `confirm` of a
/// client that cannot ask its user is their number. Otherwise returns a question to the user if the
/// client supports it, or else an error for the model that says what to pass. `what` completes the
/// question: "erase 42 memories for good".
[[nodiscard]] std::optional<Answer<ToolResult>> ask_for(std::string_view what, std::uint64_t count,
                                                        std::uint64_t unasked,
                                                        const ToolArguments& arguments,
                                                        const Context& context);
/// Like ask_for(), but for any number, even 0.
[[nodiscard]] std::optional<Answer<ToolResult>> ask_always(std::string_view what,
                                                           std::uint64_t count,
                                                           const ToolArguments& arguments,
                                                           const Context& context);

}  // namespace cairn::tools::mcp
