#include "tools/embedders/tokenizer/pre_tokenizer.hpp"

#include "tools/embedders/tokenizer/byte_level.hpp"
#include "tools/embedders/tokenizer/metaspace.hpp"
#include "tools/embedders/tokenizer/point_kinds.hpp"
#include "tools/embedders/tokenizer/settings.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace cairn::tools {
namespace {

using Read = Result<PreTokenizer>;
using Steps = std::vector<PreTokenizer>;

Read read_bert(const Settings& settings) {
  CAIRN_TRY(settings.check_names({}));
  return PreTokenizer([](Pieces& pieces) -> Status {
    split_at_points(pieces, is_blank, SplitBehavior::removed);
    split_at_points(pieces, is_punctuation, SplitBehavior::isolated);
    return {};
  });
}

Read read_whitespace_split(const Settings& settings) {
  CAIRN_TRY(settings.check_names({}));
  return PreTokenizer([](Pieces& pieces) -> Status {
    split_at_points(pieces, is_blank, SplitBehavior::removed);
    return {};
  });
}

/// Words, and what is neither word nor blank.
Read read_whitespace(const Settings& settings) {
  CAIRN_TRY(settings.check_names({}));
  return PreTokenizer([](Pieces& pieces) -> Status {
    split_at_points(pieces, is_blank, SplitBehavior::removed);
    split_at_points(pieces, is_word_point, SplitBehavior::contiguous);
    return {};
  });
}

Read read_punctuation(const Settings& settings) {
  CAIRN_TRY(settings.check_names({"behavior"}));
  CAIRN_ASSIGN(const auto behavior, read_behavior(settings, SplitBehavior::isolated));
  return PreTokenizer([behavior](Pieces& pieces) -> Status {
    split_at_points(pieces, is_punctuation, behavior);
    return {};
  });
}

Read read_digits(const Settings& settings) {
  CAIRN_TRY(settings.check_names({"individual_digits"}));
  CAIRN_ASSIGN(const bool is_each, settings.flag("individual_digits", false));
  const auto behavior = is_each ? SplitBehavior::isolated : SplitBehavior::contiguous;
  return PreTokenizer([behavior](Pieces& pieces) -> Status {
    split_at_points(pieces, is_numeric, behavior);
    return {};
  });
}

Read read_split(const Settings& settings) {
  CAIRN_TRY(settings.check_names({"pattern", "behavior", "invert"}));
  CAIRN_ASSIGN(const Pattern pattern, Pattern::of(settings.member("pattern")));
  SplitRule rule;
  CAIRN_ASSIGN(rule.behavior, read_behavior(settings, SplitBehavior::isolated));
  CAIRN_ASSIGN(rule.inverts, settings.flag("invert", false));
  return PreTokenizer(
      [pattern, rule](Pieces& pieces) { return split_at_pattern(pieces, pattern, rule); });
}

struct Kind {
  std::string_view type;
  Read (*read)(const Settings&);
};

constexpr std::array kinds = {
    Kind{"BertPreTokenizer", read_bert},   Kind{"ByteLevel", read_byte_level},
    Kind{"Digits", read_digits},           Kind{"Metaspace", read_metaspace},
    Kind{"Punctuation", read_punctuation}, Kind{"Split", read_split},
    Kind{"Whitespace", read_whitespace},   Kind{"WhitespaceSplit", read_whitespace_split},
};

/// Recurses as deep as the value nests.
Status read_into(const Value& value, Steps& steps) {
  if (value.is_null()) return {};
  CAIRN_ASSIGN(const Settings settings, Settings::of(value, "pre-tokenizer"));
  if (settings.type() == "Sequence") {
    CAIRN_TRY(settings.check_names({"pretokenizers"}));
    CAIRN_ASSIGN(const List* const inner, settings.list("pretokenizers"));
    for (const Value& step : *inner) CAIRN_TRY(read_into(step, steps));
    return {};
  }
  const auto kind = std::ranges::find(kinds, settings.type(), &Kind::type);
  if (kind == kinds.end()) return settings.unknown_type();
  CAIRN_ASSIGN(auto step, kind->read(settings));
  steps.push_back(std::move(step));
  return {};
}

}  // namespace

Result<Steps> read_pre_tokenizers(const Value& value) {
  Steps steps;
  CAIRN_TRY(read_into(value, steps));
  return steps;
}

}  // namespace cairn::tools
