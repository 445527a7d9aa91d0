#pragma once
// The revisions of the protocol, and what each of them has.

#include "tools/mcp/protocol/context.hpp"

#include <boost/json.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::tools::mcp {

/// In the order of their dates, so that `revision >= Revision::r2025_06_18` says what is there.
enum class Revision : std::uint8_t {
  r2024_11_05,
  r2025_03_26,
  r2025_06_18,
  r2025_11_25,
  r2026_07_28
};

constexpr Revision newest_handshake = Revision::r2025_11_25;

[[nodiscard]] std::string_view to_string(Revision revision) noexcept;
/// Nothing for a revision that we do not speak.
[[nodiscard]] std::optional<Revision> find_revision(std::string_view date) noexcept;
[[nodiscard]] Era era_of(Revision revision) noexcept;

/// The revisions that need no handshake, for `server/discover` and for error -32022.
[[nodiscard]] json::array stateless_revisions();
/// The revision that an `initialize` gets: the one it names, or else our newest one.
[[nodiscard]] Revision agree_on_revision(std::string_view requested) noexcept;

// What came with which revision.
[[nodiscard]] constexpr bool has_batches(Revision revision) noexcept {
  return revision == Revision::r2025_03_26;
}
[[nodiscard]] constexpr bool has_tool_annotations(Revision revision) noexcept {
  return revision >= Revision::r2025_03_26;
}
[[nodiscard]] constexpr bool has_audio(Revision revision) noexcept {
  return revision >= Revision::r2025_03_26;
}
/// Of progress notifications.
[[nodiscard]] constexpr bool has_progress_text(Revision revision) noexcept {
  return revision >= Revision::r2025_03_26;
}
/// Titles, output schemas, structured content, links to resources and elicitation came together.
[[nodiscard]] constexpr bool has_structured_content(Revision revision) noexcept {
  return revision >= Revision::r2025_06_18;
}
/// `description` and `websiteUrl` of the server.
[[nodiscard]] constexpr bool has_server_description(Revision revision) noexcept {
  return revision >= Revision::r2025_11_25;
}
/// `resultType`, `ttlMs`, `_meta` of the server: all that a request without handshake needs in its result.
[[nodiscard]] constexpr bool is_stateless(Revision revision) noexcept {
  return revision >= Revision::r2026_07_28;
}

}  // namespace cairn::tools::mcp
