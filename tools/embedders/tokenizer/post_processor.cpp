// The post-processors of a tokenizer.
#include "tools/embedders/tokenizer/settings.hpp"
#include "tools/embedders/tokenizer/tokenizer.hpp"
#include "tools/text/shown_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::tools {
namespace {

/// Reads a pair of a token and its number.
Result<std::uint32_t> read_pair(const Settings& settings, std::string_view name) {
  const List* const pair = settings.member(name).list();
  const auto* const id =
      pair == nullptr || pair->size() != 2 ? nullptr : (*pair)[1].get_if<std::int64_t>();
  constexpr std::int64_t most = std::int64_t{1} << 31;
  if (id == nullptr || *id < 0 || *id >= most)
    return settings.wrong(name, "a token and its number");
  return static_cast<std::uint32_t>(*id);
}

Result<TokenFrame> read_bert(const Settings& settings) {
  CAIRN_TRY(settings.check_names({"sep", "cls", "trim_offsets", "add_prefix_space"}));
  CAIRN_ASSIGN(const auto first, read_pair(settings, "cls"));
  CAIRN_ASSIGN(const auto last, read_pair(settings, "sep"));
  return TokenFrame{{first}, {last}};
}

/// Appends the numbers of a special token of a template.
Status append_special(const Settings& settings, const Settings& item,
                      std::vector<std::uint32_t>& ids) {
  CAIRN_ASSIGN(const std::string token, item.text("id"));
  CAIRN_ASSIGN(const Settings specials,
               Settings::of(settings.member("special_tokens"), "special_tokens of a template"));
  CAIRN_ASSIGN(const Settings special,
               Settings::of(specials.member(token), "special token " + shown_text(token)));
  CAIRN_ASSIGN(const List* const numbers, special.list("ids"));
  for (const Value& number : *numbers) {
    const auto* const id = number.get_if<std::int64_t>();
    constexpr std::int64_t most = std::int64_t{1} << 31;
    if (id == nullptr || *id < 0 || *id >= most) return special.wrong("ids", "a list of numbers");
    ids.push_back(static_cast<std::uint32_t>(*id));
  }
  return {};
}

Status check_type(const Settings& settings, const Settings& item) {
  CAIRN_ASSIGN(const auto type, item.number("type_id"));
  if (type.value_or(0) == 0) return {};
  return unknown_part(settings.name() +
                      " gives types to the tokens of a text, which Cairn does not support");
}

/// Reads the template for single texts: special tokens before and after the text. The template must
/// contain the text exactly once.
Result<TokenFrame> read_template(const Settings& settings) {
  CAIRN_TRY(settings.check_names({"single", "pair", "special_tokens"}));
  CAIRN_ASSIGN(const List* const items, settings.list("single"));
  TokenFrame frame;
  std::size_t texts = 0;
  for (const Value& value : *items) {
    CAIRN_ASSIGN(const Settings item, Settings::of(value, "item of a template"));
    const bool is_text = !item.member("Sequence").is_null();
    CAIRN_ASSIGN(
        const Settings inner,
        Settings::of(item.member(is_text ? "Sequence" : "SpecialToken"), "item of a template"));
    CAIRN_TRY(check_type(settings, inner));
    texts += is_text ? 1 : 0;
    if (!is_text)
      CAIRN_TRY(append_special(settings, inner, texts == 0 ? frame.before : frame.after));
  }
  if (texts == 1) return frame;
  return unknown_part(settings.name() +
                      " does not contain the text exactly once, which Cairn requires");
}

Result<TokenFrame> read_one(const Settings& settings) {
  if (settings.type() == "ByteLevel") return TokenFrame();
  if (settings.type() == "TemplateProcessing") return read_template(settings);
  if (settings.type() == "BertProcessing" || settings.type() == "RobertaProcessing")
    return read_bert(settings);
  return settings.unknown_type();
}

/// Puts a frame around another one.
void wrap(TokenFrame& inner, TokenFrame outer) {
  outer.before.insert(outer.before.end(), inner.before.begin(), inner.before.end());
  inner.before = std::move(outer.before);
  inner.after.insert(inner.after.end(), outer.after.begin(), outer.after.end());
}

/// Recurses as deep as the value nests.
Status read_into(const Value& value, TokenFrame& frame) {
  if (value.is_null()) return {};
  CAIRN_ASSIGN(const Settings settings, Settings::of(value, "post-processor"));
  if (settings.type() == "Sequence") {
    CAIRN_TRY(settings.check_names({"processors"}));
    CAIRN_ASSIGN(const List* const inner, settings.list("processors"));
    for (const Value& step : *inner) CAIRN_TRY(read_into(step, frame));
    return {};
  }
  CAIRN_ASSIGN(auto outer, read_one(settings));
  wrap(frame, std::move(outer));
  return {};
}

}  // namespace

Result<TokenFrame> read_post_processor(const Value& value) {
  TokenFrame frame;
  CAIRN_TRY(read_into(value, frame));
  return frame;
}

}  // namespace cairn::tools
