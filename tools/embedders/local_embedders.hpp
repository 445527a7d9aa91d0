#pragma once
// Embedders of this machine: a program, and a model in a directory.

#include <cairn/embedder.hpp>
#include <cairn/result.hpp>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace cairn::tools {

/// Makes the embedder command:PROGRAM: starts the program and requests its model and dimension. A
/// program that ends during a call is started again once, and must then have the same model. After
/// any other fault, the program is ended, and the next call starts it again. Errors: io_error, busy
/// and resource_limit, with the name of the program. Precondition: `words` begins with the program.
[[nodiscard]] Result<std::unique_ptr<Embedder>> make_command_embedder(
    std::vector<std::string> words, std::chrono::milliseconds timeout);

/// Makes the embedder static:DIRECTORY, whose vectors are means of token vectors: a model of
/// Model2Vec, or a StaticEmbedding of sentence-transformers. Reads model.safetensors, tokenizer.json
/// and, if it exists, config.json. The token vectors are mapped, not loaded. Errors: io_error;
/// corruption; unsupported for a part of the tokenizer that Cairn does not have. Cost: a pass over
/// the files, for the name of the model.
[[nodiscard]] Result<std::unique_ptr<Embedder>> open_static_embedder(
    const std::filesystem::path& directory);

}  // namespace cairn::tools
