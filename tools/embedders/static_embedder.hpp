#pragma once
// static:DIRECTORY: an embedder whose vectors are means of the vectors of tokens.

#include <cairn/embedder.hpp>
#include <cairn/result.hpp>

#include <filesystem>
#include <memory>

namespace cairn::tools {

/// Opens a model of Model2Vec, or a StaticEmbedding of sentence-transformers: model.safetensors,
/// tokenizer.json and, if it is there, config.json. The vectors of tokens are mapped, not read.
/// Errors: io_error; corruption; unsupported for a part of the tokenizer that Cairn does not have.
/// Cost: a pass over the files, for the name of the model.
[[nodiscard]] Result<std::unique_ptr<Embedder>> open_static_embedder(
    const std::filesystem::path& directory);

}  // namespace cairn::tools
