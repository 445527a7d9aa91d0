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

class MemoryCaller;

/// What a call would change.
struct Selection {
  std::uint64_t count = 0;
  /// Differs from that of other records, so that the user's agreement is to these alone. Empty for a
  /// selection whose records are not known one by one: then the number alone counts, because others
  /// may write all the time while the user thinks.
  std::string identity = {};
};

/// Returns the identity of records with these ids.
[[nodiscard]] std::string identity_of(const List& ids);

/// Changes of more records than this need a confirmation.
inline constexpr std::uint64_t unasked_records = 20;

/// Returns nullopt if the call may proceed: few records, or the user has agreed to this selection, or
/// `confirm` of a client that cannot ask its user is the number. Otherwise returns a question to the
/// user if the client supports it, or else an error for the model that says what to pass. `what`
/// completes the question: "erase 42 memories for good".
[[nodiscard]] std::optional<Answer<ToolResult>> ask_for(std::string_view what,
                                                        const Selection& selection,
                                                        std::uint64_t unasked,
                                                        const ToolArguments& arguments,
                                                        const Context& context);
/// Like ask_for(), but for any number, even 0.
[[nodiscard]] std::optional<Answer<ToolResult>> ask_always(std::string_view what,
                                                           const Selection& selection,
                                                           const ToolArguments& arguments,
                                                           const Context& context);

}  // namespace cairn::tools::mcp
