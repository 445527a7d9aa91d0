#pragma once
// command:PROGRAM: an embedder whose vectors a program makes.

#include <cairn/embedder.hpp>
#include <cairn/result.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace cairn::tools {

/// Starts the program and asks for its model and dimension. A program that ends during a call is
/// started again once, and must have the same model then. After another fault it is ended, and the
/// next call starts it. Errors: io_error and busy, with the name of the program. Precondition:
/// `words` has its name.
[[nodiscard]] Result<std::unique_ptr<Embedder>> make_command_embedder(
    std::vector<std::string> words, std::chrono::milliseconds timeout);

}  // namespace cairn::tools
