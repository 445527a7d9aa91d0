#include "tools/embedders/tokenizer/vocabulary.hpp"

#include "tools/text/shown_text.hpp"

#include <cairn/value.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::tools {

Result<Vocabulary> Vocabulary::of(const Settings& model) {
  const Map* const tokens = model.member("vocab").map();
  if (tokens == nullptr || tokens->empty()) return model.wrong("vocab", "an object with tokens");
  Vocabulary vocabulary;
  vocabulary.ids_.reserve(tokens->size());
  for (const auto& [token, value] : *tokens) {
    const auto* const id = value.get_if<std::int64_t>();
    if (id == nullptr || *id < 0 || *id > std::numeric_limits<std::int32_t>::max())
      return wrong_model("the token " + shown_text(token) + " has no number from 0 to 2^31 - 1");
    vocabulary.set(token, static_cast<std::uint32_t>(*id));
  }
  return vocabulary;
}

std::optional<std::uint32_t> Vocabulary::find(std::string_view token) const {
  const auto found = ids_.find(token);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

Result<std::uint32_t> Vocabulary::must_find(std::string_view token) const {
  const auto found = find(token);
  if (found) return *found;
  return wrong_model("the vocabulary has no token " + shown_text(token));
}

void Vocabulary::set(std::string token, std::uint32_t id) {
  ids_.insert_or_assign(std::move(token), id);
  largest_id_ = std::max(largest_id_, id);
}

}  // namespace cairn::tools
