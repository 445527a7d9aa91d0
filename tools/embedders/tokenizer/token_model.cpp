#include "tools/embedders/tokenizer/token_model.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace cairn::tools {
namespace {

struct Kind {
  std::string_view type;
  Result<std::unique_ptr<TokenModel>> (*read)(const Settings&);
};

constexpr std::array kinds = {
    Kind{"BPE", read_byte_pairs},
    Kind{"Unigram", read_unigram},
    Kind{"WordLevel", read_word_level},
    Kind{"WordPiece", read_word_piece},
};

/// Old files do not name the type of a model.
std::string_view type_of(const Settings& settings) {
  if (!settings.type().empty()) return settings.type();
  if (settings.member("merges").list() != nullptr) return "BPE";
  if (settings.member("vocab").list() != nullptr) return "Unigram";
  return settings.member("continuing_subword_prefix").string() != nullptr ? "WordPiece" : "";
}

}  // namespace

Result<std::unique_ptr<TokenModel>> read_token_model(const Value& value) {
  CAIRN_ASSIGN(const Settings settings, Settings::of(value, "model"));
  const auto kind = std::ranges::find(kinds, type_of(settings), &Kind::type);
  return kind == kinds.end() ? settings.unknown_type() : kind->read(settings);
}

}  // namespace cairn::tools
