#include "tools/mcp/protocol/revision.hpp"

#include <array>
#include <cstddef>

namespace cairn::tools::mcp {
namespace {

constexpr std::array<std::string_view, 5> revision_dates = {
    "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};

}  // namespace

std::string_view to_string(Revision revision) noexcept {
  return revision_dates[static_cast<std::size_t>(revision)];
}

std::optional<Revision> find_revision(std::string_view date) noexcept {
  for (std::size_t i = 0; i < revision_dates.size(); ++i)
    if (revision_dates[i] == date) return static_cast<Revision>(i);
  return std::nullopt;
}

Era era_of(Revision revision) noexcept {
  return is_stateless(revision) ? Era::stateless : Era::handshake;
}

json::array stateless_revisions() { return {to_string(Revision::r2026_07_28)}; }

Revision agree_on_revision(std::string_view requested) noexcept {
  const auto found = find_revision(requested);
  return found && !is_stateless(*found) ? *found : newest_handshake;
}

}  // namespace cairn::tools::mcp
