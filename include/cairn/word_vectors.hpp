#pragma once
// WordVectors: an embedder over a file of vectors of words, such as GloVe, word2vec and fastText give
// out, without a model to run. The text form is converted once; the file that comes of it is mapped, so
// that opening costs nothing and programs share its memory.

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

/// A text is the sum of its words' vectors, of which rare ones weigh more, without the direction that
/// all texts have in common (smooth inverse frequency: Arora, Liang, Ma, ICLR 2017), of length 1.
/// How often a word is comes from its place in the file, as words stand by Zipf's law: weights and
/// common direction are fixed when the file is made, so that vectors of one file always compare.
///
/// v = sum of w(word) * vector(word), w = a / (a + p), a = 0.0003, p = 1 / (rank * (ln words +
/// 0.5772)), ranks from 1; u = v - (v . c) c, scaled to length 1, is the text's vector, c the common
/// direction. A document has m u + 8 c, scaled to length 1, m the sum of its w: questions have
/// no share of c, so that texts of few words, which are near by chance, count less. Words are looked up folded (NFKC, lower case, no possessive 's) and else as written;
/// unknown ones count nothing.
///
///     CAIRN_TRY(WordVectors::convert("glove.6B.100d.txt", "glove.cwv"));
///     auto vectors = WordVectors::open("glove.cwv");
///
/// Threads: any number at once.
class CAIRN_EXPORT WordVectors final : public Embedder {
 public:
  /// Reads lines of a word and its numbers, the most frequent words first, all of one dimension
  /// (1 to 4,096), with or without a first line of two numbers. Of a word that comes twice the first
  /// counts. Components are stored in 8 bits with a scale for each word: a hundredth of a vector's
  /// length is lost at most. Gives the number of words.
  /// Errors: io_error; invalid_argument with the invalid line. Cost: a minute per million words
  /// of 300 components; memory of the size of the result, dimension + 12 bytes a word and its letters.
  /// Also invalid_argument for a file without any word. `file` is replaced as a whole when all is
  /// written; who has the old one open keeps it.
  [[nodiscard]] static Result<std::uint64_t> convert(const std::filesystem::path& text,
                                                     const std::filesystem::path& file);

  /// Map a file that convert() made.
  ///
  /// Errors: io_error; corruption for a file that convert() has not made, or that was changed since.
  /// Cost: one pass over the file, for its checksum.
  /// Lifetime: the file stays mapped as long as the result lives; replacing it on disk does not
  /// matter.
  [[nodiscard]] static Result<std::unique_ptr<WordVectors>> open(const std::filesystem::path& file);

  WordVectors(const WordVectors&) = delete;
  WordVectors& operator=(const WordVectors&) = delete;
  ~WordVectors() override;

  /// "word-vectors-2-" and a checksum of the file: other files have other names.
  [[nodiscard]] std::string model() const override;
  /// As in the text that convert() read.
  [[nodiscard]] std::size_t dimension() const override;
  /// One vector for each text, in order; it does not fail.
  /// A text without any known word gets the first axis. Cost: a microsecond a word.
  [[nodiscard]] Result<std::vector<Vector>> embed(
      std::span<const std::string_view> texts) const override;
  /// Vectors to keep in an index that embed() makes the questions for: all of an index by the same call,
  /// as cosines with others are greater.
  [[nodiscard]] Result<std::vector<Vector>> embed_documents(
      std::span<const std::string_view> texts) const override;

  [[nodiscard]] std::size_t size() const noexcept;  ///< words

  /// A word of the file, as it is written there.
  struct NearWord {
    std::string word;
    double similarity = 0;  ///< cosine
  };
  /// The words most like a word, best first, itself left out: what else a question might say. None for
  /// an unknown word. Large files are prefiltered by 1-bit codes of the components, so that a weak neighbour
  /// may be missed.
  /// `among`: only of so many of the file's most frequent words.
  /// Cost: 0.4 ms among 340,000 words of 100 components, 0.1 ms among 50,000; the first call also makes
  /// the codes, 0.2 s and a third of the file in memory.
  [[nodiscard]] std::vector<NearWord> nearest_words(
      std::string_view word, std::size_t count,
      std::size_t among = std::numeric_limits<std::size_t>::max()) const;

 private:
  struct File;
  explicit WordVectors(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

}  // namespace cairn
