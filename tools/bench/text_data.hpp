#pragma once
// Texts and questions of `cairn-bench text`: drawn from a seed, or the lines of a file.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn::tools {

/// Groups that texts belong to in turn, for questions with a filter: a twentieth of all passes.
inline constexpr std::uint64_t text_groups = 20;

struct TextQuestion {
  std::vector<std::string> words;
  bool needs_all = false;              ///< documents with every word only
  std::optional<std::uint64_t> group;  ///< of these documents only
};

/// What is measured; every engine draws the same.
struct TextWorkload {
  std::uint64_t texts = 300'000;
  std::uint64_t questions = 300;
  std::uint64_t seed = 1;
  std::string analyzer = "english";  ///< or "none": words as they are
  std::string file;                  ///< one text a line; empty: generated
};

/// Texts of 9 to 25 words out of 60,000, drawn with probabilities proportional to 1 / (rank + 2); or the
/// first lines of the file. Errors: io_error.
[[nodiscard]] Result<std::vector<std::string>> make_texts(const TextWorkload& workload);

/// Questions of `words` different words that are in one text, which is drawn evenly; of texts that
/// have as many.
[[nodiscard]] std::vector<TextQuestion> make_questions(const std::vector<std::string>& texts,
                                                       const TextWorkload& workload,
                                                       std::size_t words);

}  // namespace cairn::tools
