#pragma once
// HashingFrequencies: how many texts have each feature, so that the hashing embedder can give rare
// features more weight. A name, a number or a rare term then outweighs words that every text has,
// as in BM25.

#include <cairn/embedder.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// Counts how many texts contain each word or character n-gram, in a fixed 512 KiB (a count-min
/// sketch: Cormode, Muthukrishnan 2005). Counts are exact if there are few features, and otherwise
/// too high, never too low.
///
///     HashingFrequencies frequencies;
///     for (const auto& text : texts) frequencies.add(text);
///     auto embedder = make_hashing_embedder(frequencies, 1'024);
///
/// Vectors can only be compared if they were made with the same frequencies, down to the last text.
/// So store the result of encode() with the database, and make the embedder from it. The embedder's
/// model() contains a checksum of the frequencies, so an embedding space accepts no other vectors.
///
/// Threads: like a container of the standard library.
class CAIRN_EXPORT HashingFrequencies {
 public:
  HashingFrequencies();

  /// Counts the features of one text. Cost: like embedding it.
  void add(std::string_view text);
  /// The number of calls of add().
  [[nodiscard]] std::uint64_t texts() const noexcept { return texts_; }
  /// Returns an upper bound, usually exact, of the number of texts with a feature of this hash: the
  /// smaller of the hash's two buckets, which other features may share.
  [[nodiscard]] std::uint32_t count(std::uint64_t hash) const noexcept;

  /// Returns bytes for decode(), equal on every machine: 512 KiB.
  [[nodiscard]] std::string encode() const;
  /// Decodes the result of encode(). Errors: corruption for other bytes. Cost: one pass over
  /// 131,072 counters.
  [[nodiscard]] static Result<HashingFrequencies> decode(std::string_view bytes);

 private:
  std::uint64_t texts_ = 0;
  std::vector<std::uint32_t> counts_;
};

/// Like make_hashing_embedder(dimension), with each feature weighted by its inverse document
/// frequency as in BM25: ln(1 + (N - n + 0.5) / (n + 0.5)) for a feature that n of N texts have.
/// The frequencies are copied: texts added to the original later have no effect. model() is
/// "cairn-hashing-3-" and a checksum of the frequencies.
///
/// The last component is 0, except in vectors of embed_documents(). That function scales a vector
/// to length m, the sum of the rarities of the text's words relative to the greatest one, sets the
/// last component to 8, and scales the result to length 1. So texts of few words, which are similar
/// by chance, score lower. Vectors of "cairn-hashing-2-" can be compared with those of embed();
/// they lack this correction.
[[nodiscard]] CAIRN_EXPORT std::unique_ptr<Embedder> make_hashing_embedder(
    HashingFrequencies frequencies, std::size_t dimension = 256);

}  // namespace cairn
