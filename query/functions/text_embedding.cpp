// embed(text): a vector of the built-in embedder, for asking a vector index by text.
#include "query/functions/call.hpp"
#include "query/functions/families.hpp"
#include "query/functions/paced_text.hpp"

#include <cairn/embedder.hpp>

#include <array>
#include <memory>

namespace cairn::query {
namespace {

constexpr std::int64_t usual_dimension = 256;
constexpr std::int64_t largest_dimension = 4'096;

/// Deterministic: hashed words and parts of words, without a model (make_hashing_embedder).
Result<Value> embed(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  std::int64_t dimension = usual_dimension;
  if (call.has(1)) {
    CAIRN_ASSIGN(dimension, call.integer(1));
  }
  CAIRN_TRY(check_readable_whole(call.name, *text));
  if (dimension < 1 || dimension > largest_dimension)
    return call.wrong_value("the dimension must be from 1 to 4,096");
  const auto embedder = make_hashing_embedder(static_cast<std::size_t>(dimension));
  const std::array<std::string_view, 1> texts{*text};
  CAIRN_ASSIGN(std::vector<Vector> vectors, embedder->embed(texts));
  return Value(std::move(vectors[0]));
}

}  // namespace

FunctionFamily embedding_functions() {
  static constexpr std::array entries{entry<"embed(text, dimension?)", embed>()};
  return entries;
}

}  // namespace cairn::query
