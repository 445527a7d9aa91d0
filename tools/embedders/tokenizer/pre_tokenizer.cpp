#include "tools/embedders/tokenizer/pre_tokenizer.hpp"

#include "tools/embedders/tokenizer/pieces.hpp"
#include "tools/embedders/tokenizer/point_kinds.hpp"
#include "tools/embedders/tokenizer/settings.hpp"
#include "tools/embedders/tokenizer/step_sequence.hpp"

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

/// Splits a text into words and runs of other characters, without blanks.
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

using Kind = StepKinds<PreTokenizer>::Kind;

constexpr std::array kinds = {
    Kind{"BertPreTokenizer", read_bert},   Kind{"ByteLevel", read_byte_level},
    Kind{"Digits", read_digits},           Kind{"Metaspace", read_metaspace},
    Kind{"Punctuation", read_punctuation}, Kind{"Split", read_split},
    Kind{"Whitespace", read_whitespace},   Kind{"WhitespaceSplit", read_whitespace_split},
};

}  // namespace

Result<Steps> read_pre_tokenizers(const Value& value) {
  Steps steps;
  const StepKinds<PreTokenizer> known{"pre-tokenizer", "pretokenizers", kinds};
  CAIRN_TRY(known.read_into(value, steps));
  return steps;
}

}  // namespace cairn::tools
