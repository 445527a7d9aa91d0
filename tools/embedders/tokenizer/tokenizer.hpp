#pragma once
// Tokenizer: divides texts into the tokens of a model as its file tokenizer.json says.
//
// The tokens equal those of the npm package @huggingface/tokenizers 0.2.0. The package ignores some
// parts of the file; for these, the tokens equal those of the Rust library of the same makers: the
// behaviour of Punctuation, letters and digits beyond ASCII in Whitespace and Digits, single_word,
// the pieces of Metaspace, the map of Precompiled, byte_fallback of Unigram, WordLevel.

#include "tools/embedders/tokenizer/aligned_text.hpp"
#include "tools/embedders/tokenizer/normalizer.hpp"
#include "tools/embedders/tokenizer/pattern.hpp"
#include "tools/embedders/tokenizer/pre_tokenizer.hpp"
#include "tools/embedders/tokenizer/token_model.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cairn::tools {

/// A text that is a token before any other rule applies.
struct AddedToken {
  std::u32string content;
  std::uint32_t id = 0;
  bool is_single_word = false;  ///< not within a word
  bool takes_left = false;      ///< with the blanks before it
  bool takes_right = false;     ///< with the blanks after it
};

/// A part of a text, which is an added token or is not.
struct Section {
  PointRange range;
  std::optional<std::uint32_t> token;
};

/// Finds added tokens in a text. Threads: any number at once.
class AddedTokens {
 public:
  /// Adds a token. Of two tokens with the same content, the last one counts.
  void add(AddedToken token);

  /// Divides a text at the added tokens, from left to right. Where several tokens begin, the
  /// longest counts. Cost: at each code point, one look-up for each length of the tokens that begin
  /// with this code point.
  [[nodiscard]] std::vector<Section> sections_of(const AlignedText& text) const;

 private:
  [[nodiscard]] const AddedToken* find(const AlignedText& text, std::size_t at) const;

  std::map<std::u32string, AddedToken, std::less<>> by_content_;
  /// The lengths of the tokens with this first point, the greatest first.
  std::unordered_map<char32_t, std::set<std::size_t, std::greater<>>> lengths_;
};

/// What a tokenizer puts around the tokens of a text.
struct TokenFrame {
  std::vector<std::uint32_t> before;
  std::vector<std::uint32_t> after;
};

/// Reads the member "post_processor" of a tokenizer, for single texts. Errors: corruption;
/// unsupported, with its name, for a post-processor or a setting that is not there.
[[nodiscard]] Result<TokenFrame> read_post_processor(const Value& value);

/// The tokenizer of a model. Threads: any number at once.
class Tokenizer {
 public:
  /// Reads the text of a file tokenizer.json. "truncation", "padding" and "decoder" are not used.
  /// Errors: corruption if the text is not a tokenizer; unsupported, with its name, for a part or a
  /// setting that Cairn does not have.
  [[nodiscard]] static Result<Tokenizer> read(std::string_view json);

  /// Returns the tokens of a text, without the special tokens of frame(). Bytes that are not UTF-8
  /// count as U+FFFD. Origins ascend; several tokens may have the same origin. Errors:
  /// invalid_argument for a text of 2 GiB or more; resource_limit. Cost: about a microsecond a
  /// word.
  [[nodiscard]] Result<std::vector<Token>> encode(std::string_view text) const;

  /// The special tokens around a single text.
  [[nodiscard]] const TokenFrame& frame() const noexcept { return frame_; }
  [[nodiscard]] std::optional<std::uint32_t> unknown() const { return model_->unknown(); }
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view token) const;
  /// The largest number of a token that encode() and frame() return.
  [[nodiscard]] std::uint32_t largest_id() const noexcept { return largest_id_; }

 private:
  Status read_added_tokens(const List& list);
  Status read_added_token(const Value& value);
  Status encode_section(AlignedText section, std::vector<Token>& tokens) const;
  Status encode_words(const AlignedText& text, std::vector<Token>& tokens) const;

  std::vector<Normalizer> normalizers_;
  std::vector<PreTokenizer> pre_tokenizers_;
  std::unique_ptr<TokenModel> model_;
  TokenFrame frame_;
  AddedTokens given_;       // searched for in the text before normalisation
  AddedTokens normalized_;  // searched for in the normalised text
  TokenIds added_ids_;
  std::uint32_t largest_id_ = 0;
};

}  // namespace cairn::tools
