#pragma once
// The embedder `http:URL`, which requests vectors from a service.

#include "tools/embedders/http_settings.hpp"

#include <cairn/embedder.hpp>
#include <cairn/make_embedder.hpp>
#include <cairn/result.hpp>

#include <memory>
#include <string>
#include <vector>

namespace cairn::tools {

/// Makes an embedder of an address and settings. If the settings give no dimension, requests the
/// vector of a word to learn it. Errors: those of read_http_settings(); unsupported in a build
/// without libcurl; busy and io_error of the service.
[[nodiscard]] Result<std::unique_ptr<Embedder>> make_http_embedder(
    const std::vector<std::string>& words, const EmbedderOptions& options);

/// Makes an embedder of settings that were read before.
[[nodiscard]] Result<std::unique_ptr<Embedder>> make_http_embedder(HttpSettings settings);

}  // namespace cairn::tools
