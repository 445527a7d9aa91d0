#pragma once
// WordVectors: an embedder that uses a file of word vectors, such as those of GloVe, word2vec and
// fastText, and needs no model at run time. The text form is converted once. The resulting file is
// memory-mapped, so programs share its memory.

#include <cairn/embedder.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// Embeds a text as the weighted sum of its words' vectors, with rare words weighted higher and
/// without the direction that all texts have in common (smooth inverse frequency: Arora, Liang, Ma,
/// ICLR 2017), scaled to length 1. The frequency of a word is estimated from its place in the file
/// by Zipf's law. Weights and common direction are fixed when the file is made, so all vectors of
/// one file can be compared.
///
/// v = sum of w(word) * vector(word), w = a / (a + p), a = 0.0003, p = 1 / (rank * (ln words +
/// 0.5772)), ranks from 1. The vector of a text is u = v - (v . c) c, scaled to length 1, where c
/// is the common direction. embed_documents() returns m u + 8 c, scaled to length 1, where m is the
/// sum of w over the words of the text. Query vectors have no component along c, so texts of few
/// words, which are similar by chance, score lower. Words are looked up folded (NFKC, lower case,
/// no possessive 's), otherwise as written; unknown words are ignored.
///
///     CAIRN_TRY(WordVectors::convert("glove.6B.100d.txt", "glove.cwv"));
///     auto vectors = WordVectors::open("glove.cwv");
///
/// Threads: any number at once.
class CAIRN_EXPORT WordVectors final : public Embedder {
 public:
  /// Converts a text file: lines of a word and its numbers, the most frequent words first, all of
  /// one dimension (1 to 4,096), with or without a first line of two numbers. Returns the number of
  /// words. Of a repeated word, the first one counts. Components are stored in 8 bits with a scale
  /// for each word, which changes a vector by at most a hundredth of its length. `file` is replaced
  /// as a whole at the end; readers of the old file keep it. Errors: io_error; invalid_argument
  /// with the invalid line, and for a file without words. Cost: a minute per million words of 300
  /// components; memory of the size of the result, dimension + 12 bytes per word and its letters.
  [[nodiscard]] static Result<std::uint64_t> convert(const std::filesystem::path& text,
                                                     const std::filesystem::path& file);

  /// Maps a file that convert() made.
  ///
  /// Errors: io_error; corruption for a file that convert() did not make or that was changed since.
  /// Cost: one pass over the file, for its checksum. Lifetime: the file is mapped as long as the
  /// result exists; replacing it on disk has no effect.
  [[nodiscard]] static Result<std::unique_ptr<WordVectors>> open(const std::filesystem::path& file);

  WordVectors(const WordVectors&) = delete;
  WordVectors& operator=(const WordVectors&) = delete;
  ~WordVectors() override;

  /// Returns "word-vectors-2-" and a checksum of the file, so each file has its own model.
  [[nodiscard]] std::string model() const override;
  /// Returns the dimension of the text file that was converted.
  [[nodiscard]] std::size_t dimension() const override;
  /// Returns one vector for each text, in order; it does not fail. A text without known words
  /// becomes the first axis. Cost: a microsecond per word.
  [[nodiscard]] Result<std::vector<Vector>> embed(
      std::span<const std::string_view> texts) const override;
  /// Returns vectors to store in an index that is queried with vectors of embed(). Use this
  /// function for all vectors of an index or for none, because its cosines are lower.
  [[nodiscard]] Result<std::vector<Vector>> embed_documents(
      std::span<const std::string_view> texts) const override;

  [[nodiscard]] std::size_t size() const noexcept;  ///< words

  /// A similar word, as it is written in the file.
  struct NearWord {
    std::string word;
    double similarity = 0;  ///< cosine
  };
  /// Returns the words most similar to a word, best first, without the word itself and without
  /// words whose cosine is 0 or less; empty for an unknown word. Only considers the `among` most
  /// frequent words of the file. Large files are prefiltered by 1-bit codes of the components, so a
  /// weak neighbour may be missed. Cost: 0.4 ms among 340,000 words of 100 components, 0.1 ms among
  /// 50,000. The first call also computes the codes: 0.2 s, and a third of the file in memory.
  [[nodiscard]] std::vector<NearWord> nearest_words(
      std::string_view word, std::size_t count,
      std::size_t among = std::numeric_limits<std::size_t>::max()) const;

 private:
  struct File;
  explicit WordVectors(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

}  // namespace cairn
