#pragma once
// http:URL: an embedder whose vectors a service makes.

#include "tools/embedders/http_settings.hpp"

#include <cairn/embedder.hpp>
#include <cairn/make_embedder.hpp>
#include <cairn/result.hpp>

#include <memory>
#include <string>
#include <vector>

namespace cairn::tools {

/// Makes an embedder of an address and settings. Without a dimension among them it asks the service
/// for the vector of a word. Errors: those of read_http_settings(); unsupported in a build without
/// libcurl; busy and io_error of the service.
[[nodiscard]] Result<std::unique_ptr<Embedder>> make_http_embedder(
    const std::vector<std::string>& words, const EmbedderOptions& options);

/// The same with settings that are read already.
[[nodiscard]] Result<std::unique_ptr<Embedder>> make_http_embedder(HttpSettings settings);

}  // namespace cairn::tools
