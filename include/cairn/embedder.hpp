#pragma once
// Embedder: converts text to vectors, so that memories can be searched by meaning. The library has
// a built-in embedder that needs no download. For others (a network service, a model in the
// program), implement the class.

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

/// Makes vectors of texts. Vectors of different models must never be compared.
///
///     class Service final : public cairn::Embedder {
///      public:
///       std::string model() const override { return "service-3"; }
///       std::size_t dimension() const override { return 768; }
///       cairn::Result<std::vector<cairn::Vector>> embed(
///           std::span<const std::string_view> texts) const override;   // returns an Error if it fails
///     };
///
/// Threads: both calls may come from any number of threads at once, so an implementation with state must lock it. The
/// engine holds no lock during a call, so a call may take long.
class CAIRN_EXPORT Embedder {
 public:
  virtual ~Embedder() = default;

  /// The model's name and version, stored with the vector index (<cairn/embedding_space.hpp>); not
  /// empty.
  [[nodiscard]] virtual std::string model() const = 0;
  /// The number of components of each vector, 1 to 4,096. It never changes, and must equal
  /// `vector.dimensions` of the index.
  [[nodiscard]] virtual std::size_t dimension() const = 0;
  /// Returns one vector of dimension() components for each text, in order. Errors: those of the
  /// model. Either all texts of a call succeed or the call returns an Error. After an Error, the
  /// memory calls write their records without vectors (<cairn/memory/pending.hpp>). A zero vector
  /// means that the text has nothing to make a vector of.
  [[nodiscard]] virtual Result<std::vector<Vector>> embed(
      std::span<const std::string_view> texts) const = 0;
  /// Returns vectors for texts that are stored, if the model distinguishes stored texts from
  /// queries. Such vectors are compared with query vectors of embed(). The default calls embed().
  /// The import of documents uses this function. The memory calls store vectors of embed(), because
  /// their `min_score` is a cosine between two texts of the same kind.
  [[nodiscard]] virtual Result<std::vector<Vector>> embed_documents(
      std::span<const std::string_view> texts) const {
    return embed(texts);
  }
};

/// The built-in embedder: signed feature hashing of words and character n-grams, L2-normalised.
///
/// Features are the words of a text, and the n-grams of 3 to 5 letters of each word framed as
/// "<word>". A feature that occurs n times adds sign * w * (1 + ln n) to the component that its
/// hash selects; w is 1 for words and 0.35 for n-grams. A text without a word becomes the first
/// axis. `dimension` is clamped to 1 to 4,096. model() is "cairn-hashing-1". Texts are similar if
/// their spelling is, whatever they mean.
///
/// Source: Weinberger et al., Feature Hashing for Large Scale Multitask Learning, ICML 2009.
/// Cost: about a microsecond per word. Threads: any.
[[nodiscard]] CAIRN_EXPORT std::unique_ptr<Embedder> make_hashing_embedder(
    std::size_t dimension = 256);

}  // namespace cairn
