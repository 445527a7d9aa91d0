#include "tools/embedders/tokenizer/tokenizer.hpp"

#include "tools/embedders/tokenizer/settings.hpp"

#include <cairn/json.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace cairn::tools {
namespace {

AlignedText part_of(const AlignedText& text, PointRange range) {
  AlignedText part;
  part.append(text, range.begin, range.end);
  return part;
}

}  // namespace

Result<Tokenizer> Tokenizer::read(std::string_view json) {
  const auto value = parse_json(json);
  if (!value) return wrong_model("the file is not JSON: " + value.error().message);
  CAIRN_ASSIGN(const Settings file, Settings::of(*value, "tokenizer"));
  CAIRN_TRY(file.check_names({"version", "truncation", "padding", "added_tokens", "normalizer",
                              "pre_tokenizer", "post_processor", "decoder", "model"}));
  Tokenizer tokenizer;
  CAIRN_ASSIGN(tokenizer.normalizers_, read_normalizers(file.member("normalizer")));
  CAIRN_ASSIGN(tokenizer.pre_tokenizers_, read_pre_tokenizers(file.member("pre_tokenizer")));
  CAIRN_ASSIGN(tokenizer.model_, read_token_model(file.member("model")));
  CAIRN_ASSIGN(tokenizer.frame_, read_post_processor(file.member("post_processor")));
  tokenizer.largest_id_ = tokenizer.model_->vocabulary().largest_id();
  CAIRN_ASSIGN(const List* const added, file.list("added_tokens"));
  CAIRN_TRY(tokenizer.read_added_tokens(*added));
  for (const auto* const ids : {&tokenizer.frame_.before, &tokenizer.frame_.after})
    for (const std::uint32_t id : *ids) tokenizer.largest_id_ = std::max(tokenizer.largest_id_, id);
  return tokenizer;
}

Status Tokenizer::read_added_tokens(const List& list) {
  for (const Value& value : list) CAIRN_TRY(read_added_token(value));
  return {};
}

// A token that is searched for in the normalised text is normalised too.
Status Tokenizer::read_added_token(const Value& value) {
  CAIRN_ASSIGN(const Settings settings, Settings::of(value, "added token"));
  CAIRN_TRY(settings.check_names(
      {"id", "content", "single_word", "lstrip", "rstrip", "normalized", "special"}));
  CAIRN_ASSIGN(const std::string content, settings.text("content"));
  CAIRN_ASSIGN(const auto id, settings.number("id"));
  if (!id || *id > std::numeric_limits<std::int32_t>::max())
    return settings.wrong("id", "a number from 0 to 2^31 - 1");
  AddedToken token{to_points(content), *id};
  CAIRN_ASSIGN(token.is_single_word, settings.flag("single_word", false));
  CAIRN_ASSIGN(token.takes_left, settings.flag("lstrip", false));
  CAIRN_ASSIGN(token.takes_right, settings.flag("rstrip", false));
  CAIRN_ASSIGN(const bool is_special, settings.flag("special", false));
  CAIRN_ASSIGN(const bool is_normalized, settings.flag("normalized", !is_special));
  added_ids_.insert_or_assign(content, *id);
  largest_id_ = std::max(largest_id_, *id);
  if (!is_normalized || normalizers_.empty()) {
    given_.add(std::move(token));
    return {};
  }
  AlignedText normal = aligned_text(content);
  CAIRN_TRY(normalise(normal, normalizers_));
  token.content = std::move(normal.points);
  normalized_.add(std::move(token));
  return {};
}

std::optional<std::uint32_t> Tokenizer::find(std::string_view token) const {
  const auto added = added_ids_.find(token);
  return added == added_ids_.end() ? model_->vocabulary().find(token)
                                   : std::optional(added->second);
}

Result<std::vector<Token>> Tokenizer::encode(std::string_view text) const {
  if (text.size() >= std::numeric_limits<std::int32_t>::max())
    return Error{ErrorCode::invalid_argument,
                 "a text of " + std::to_string(text.size()) +
                     " bytes is too long for the tokenizer, which takes less than 2 GiB; split it",
                 {}};
  const AlignedText aligned = aligned_text(text);
  std::vector<Token> tokens;
  for (const Section& section : given_.sections_of(aligned)) {
    if (section.token)
      tokens.push_back({*section.token, aligned.origin_of(section.range.begin, section.range.end)});
    else
      CAIRN_TRY(encode_section(part_of(aligned, section.range), tokens));
  }
  return tokens;
}

Status Tokenizer::encode_section(AlignedText section, std::vector<Token>& tokens) const {
  CAIRN_TRY(normalise(section, normalizers_));
  for (const Section& part : normalized_.sections_of(section)) {
    if (part.token)
      tokens.push_back({*part.token, section.origin_of(part.range.begin, part.range.end)});
    else
      CAIRN_TRY(encode_words(part_of(section, part.range), tokens));
  }
  return {};
}

Status Tokenizer::encode_words(const AlignedText& text, std::vector<Token>& tokens) const {
  Pieces pieces{text, {{0, text.size()}}};
  for (const PreTokenizer& step : pre_tokenizers_) CAIRN_TRY(step(pieces));
  for (const PointRange& piece : pieces.ranges) model_->encode(pieces.text, piece, tokens);
  return {};
}

}  // namespace cairn::tools
