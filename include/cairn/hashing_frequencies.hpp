#pragma once
// A name, a number or a rare term then outweighs the words that every text has, as in BM25.
// HashingFrequencies: how rare the features of texts are, so that the hashing embedder tells texts by
// what few of them have.

#include <cairn/embedder.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// Counts in how many texts a word or character n-gram stands, in a fixed 512 KiB (a count-min sketch:
/// Cormode, Muthukrishnan 2005): counts are exact for few features, and too high rather than too low.
///
///     HashingFrequencies frequencies;
///     for (const auto& text : texts) frequencies.add(text);
///     auto embedder = make_hashing_embedder(frequencies, 1'024);
///
/// Vectors compare only where the frequencies are the same, down to the last text: keep encode() of
/// them beside the database, and make the embedder from the stored ones. Its model() has their checksum,
/// so that an embedding space takes no others.
///
/// Threads: as a standard container.
class CAIRN_EXPORT HashingFrequencies {
 public:
  HashingFrequencies();

  /// Counts one text. Cost: as embedding it.
  void add(std::string_view text);
  /// How often add() was called.
  [[nodiscard]] std::uint64_t texts() const noexcept { return texts_; }
  /// About how many of the texts have a feature of this hash, and never fewer than have it.
  /// It is the smaller of the two buckets of the hash, which other features share.
  [[nodiscard]] std::uint32_t count(std::uint64_t hash) const noexcept;

  /// Bytes for decode(), the same on every machine: 512 KiB.
  [[nodiscard]] std::string encode() const;
  /// Read what encode() has made. Errors: corruption for other bytes.
  /// Cost: one pass; 131,072 counters.
  [[nodiscard]] static Result<HashingFrequencies> decode(std::string_view bytes);

 private:
  std::uint64_t texts_ = 0;
  std::vector<std::uint32_t> counts_;
};

/// As the other, with each feature weighed by its inverse frequency among texts, that of BM25:
/// ln(1 + (N - n + 0.5) / (n + 0.5)) for a feature that n of N texts have. The frequencies are
/// frozen: texts that are added to them later do not count. model() is "cairn-hashing-3-" and their
/// checksum. The last component is 0 and reserved for embed_documents(), which adds 8 there to a vector of
/// length m, m the sum of the words' shares of the greatest rarity, before both are scaled to length 1:
/// texts of few words, which are near by chance, count less. Vectors of "cairn-hashing-2-" compare with
/// those of embed(), without that.
[[nodiscard]] CAIRN_EXPORT std::unique_ptr<Embedder> make_hashing_embedder(
    HashingFrequencies frequencies, std::size_t dimension = 256);

}  // namespace cairn
