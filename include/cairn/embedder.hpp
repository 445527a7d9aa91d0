#pragma once
// Embedder: text to vectors, so that memories can be searched by meaning. The library brings one
// that needs no download; others (a network service, a model in the program) implement the class.

#include <cairn/result.hpp>
#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// Makes vectors of texts. Vectors of two models must never be compared.
///
///     class Service final : public cairn::Embedder {
///      public:
///       std::string model() const override { return "service-3"; }
///       std::size_t dimension() const override { return 768; }
///       cairn::Result<std::vector<cairn::Vector>> embed(
///           std::span<const std::string_view> texts) const override;   // an Error where it cannot
///     };
///
/// Threads: both may be called from any number of threads at once, so an implementation with a state
/// of its own must lock. It runs outside of every lock of the engine and may take its time.
class CAIRN_EXPORT Embedder {
 public:
  virtual ~Embedder() = default;

  /// The model's name and version, stored with the vector index (<cairn/embedding_space.hpp>); not empty.
  [[nodiscard]] virtual std::string model() const = 0;
  /// How many components each vector has, 1 to 4,096; the same at every call.
  /// The same as `vector.dimensions` of the index that takes the vectors.
  [[nodiscard]] virtual std::size_t dimension() const = 0;
  /// One vector of dimension() for each text, in order. Errors: those of the model behind it.
  /// All texts of a call succeed or none: an Error stands for the whole batch. The memory calls
  /// pass the error on and have written nothing then. A zero vector says that a text has nothing to
  /// make one of.
  [[nodiscard]] virtual Result<std::vector<Vector>> embed(
      std::span<const std::string_view> texts) const = 0;
  /// The same for texts that are stored to be found, where a model makes other vectors of these than of
  /// questions: vectors of embed() are then compared with vectors of embed_documents(). As embed()
  /// unless a class says otherwise. The import of documents keeps these. The memory calls keep vectors
  /// of embed(): what they take for alike (`min_score`) is a cosine of two texts of one kind.
  [[nodiscard]] virtual Result<std::vector<Vector>> embed_documents(
      std::span<const std::string_view> texts) const {
    return embed(texts);
  }
};

/// The built-in embedder: signed feature hashing of words and character n-grams, L2-normalised.
///
/// Features are the words of a text and the n-grams of 3 to 5 letters of each, framed as "<word>";
/// a feature that comes n times adds sign * w * (1 + ln n) to the component of its hash, w = 1 for
/// words and 0.35 for n-grams. A text without a word gets the first axis. `dimension` is brought to
/// 1 to 4,096; its model() is "cairn-hashing-1". Texts come near by their spelling, not by what
/// they mean.
///
/// Source: Weinberger et al., Feature Hashing for Large Scale Multitask Learning, ICML 2009.
/// Cost: about a microsecond a word. Threads: any.
[[nodiscard]] CAIRN_EXPORT std::unique_ptr<Embedder> make_hashing_embedder(
    std::size_t dimension = 256);

}  // namespace cairn
