#pragma once
// What services are sent, and what they answer.

#include "tools/embedders/http_settings.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

/// Returns the body of a request for vectors of texts, which have their prefix already.
[[nodiscard]] std::string http_request(const HttpSettings& settings, const HttpInput& input,
                                       std::span<const std::string_view> texts);

/// Returns the vectors of a reply in the order of the texts. Errors: io_error for another shape,
/// and those of vectors_of().
[[nodiscard]] Result<std::vector<Vector>> http_vectors(HttpKind kind, std::string_view body,
                                                       std::size_t count, std::size_t dimension);

/// Returns what a service says about an error; the body itself if it is in no known shape.
[[nodiscard]] std::string http_error_text(std::string_view body);

}  // namespace cairn::tools
