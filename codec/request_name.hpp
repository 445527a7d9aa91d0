#pragma once
// The names of requests among the clients in family `meta` (ClientEntry). A driver gives a request an id, so that a
// repeated request commits nothing.

#include <optional>
#include <string>
#include <string_view>

namespace cairn::codec {

/// The names of requests begin with this prefix, and the names of attached processes do not.
inline constexpr std::string_view request_names = "request/";

/// name := 'request/' bytes-of-token '/' token '/' bytes-of-namespace '/' namespace '/' id
[[nodiscard]] std::string request_name(std::string_view token, std::string_view name_space,
                                       std::string_view id);
/// Returns the namespace of a request; nullopt for another name.
[[nodiscard]] std::optional<std::string_view> name_space_of_request(std::string_view name);

}  // namespace cairn::codec
