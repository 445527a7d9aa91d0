#pragma once
// The revisions of the protocol and their features.

#include "tools/mcp/protocol/context.hpp"

#include <boost/json.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::tools::mcp {

/// In order of date, so `revision >= Revision::r2025_06_18` tests for a feature.
enum class Revision : std::uint8_t {
  r2024_11_05,
  r2025_03_26,
  r2025_06_18,
  r2025_11_25,
  r2026_07_28
};

constexpr Revision newest_handshake = Revision::r2025_11_25;

[[nodiscard]] std::string_view to_string(Revision revision) noexcept;
/// Returns nullopt for an unsupported revision.
[[nodiscard]] std::optional<Revision> find_revision(std::string_view date) noexcept;
[[nodiscard]] Era era_of(Revision revision) noexcept;

/// Returns the revisions without handshake, for `server/discover` and for error -32022.
[[nodiscard]] json::array stateless_revisions();
/// Returns the revision that answers an `initialize`: the requested one if it is supported and has
/// a handshake, else the newest one with a handshake.
[[nodiscard]] Revision agree_on_revision(std::string_view requested) noexcept;

// Features by revision.
[[nodiscard]] constexpr bool has_batches(Revision revision) noexcept {
  return revision == Revision::r2025_03_26;
}
[[nodiscard]] constexpr bool has_tool_annotations(Revision revision) noexcept {
  return revision >= Revision::r2025_03_26;
}
[[nodiscard]] constexpr bool has_audio(Revision revision) noexcept {
  return revision >= Revision::r2025_03_26;
}
/// True if progress notifications have a text.
[[nodiscard]] constexpr bool has_progress_text(Revision revision) noexcept {
  return revision >= Revision::r2025_03_26;
}
/// True if the revision has titles, output schemas, structured content, links to resources and
/// elicitation.
[[nodiscard]] constexpr bool has_structured_content(Revision revision) noexcept {
  return revision >= Revision::r2025_06_18;
}
/// True if a server has `description` and `websiteUrl`.
[[nodiscard]] constexpr bool has_server_description(Revision revision) noexcept {
  return revision >= Revision::r2025_11_25;
}
/// True if requests need no handshake; their results have `resultType`, `ttlMs` and `_meta` of the
/// server.
[[nodiscard]] constexpr bool is_stateless(Revision revision) noexcept {
  return revision >= Revision::r2026_07_28;
}

}  // namespace cairn::tools::mcp
