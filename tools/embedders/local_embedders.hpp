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

/// command:PROGRAM: starts the program and asks for its model and dimension. A program that ends
/// during a call is started again once, and must have the same model then. After another fault it
/// is ended, and the next call starts it. Errors: io_error and busy, with the name of the program.
/// Precondition: `words` has its name.
[[nodiscard]] Result<std::unique_ptr<Embedder>> make_command_embedder(
    std::vector<std::string> words, std::chrono::milliseconds timeout);

/// static:DIRECTORY: opens a model whose vectors are means of the vectors of tokens, of Model2Vec or
/// a StaticEmbedding of sentence-transformers: model.safetensors, tokenizer.json and, if it is there,
/// config.json. The vectors of tokens are mapped, not read. Errors: io_error; corruption; unsupported
/// for a part of the tokenizer that Cairn does not have. Cost: a pass over the files, for the name of
/// the model.
[[nodiscard]] Result<std::unique_ptr<Embedder>> open_static_embedder(
    const std::filesystem::path& directory);

}  // namespace cairn::tools
