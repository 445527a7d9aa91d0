#pragma once
// Vocabulary: the tokens of a model and their numbers.

#include "tools/embedders/tokenizer/settings.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace cairn::tools {

/// Finds texts by any kind of string.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept {
    return std::hash<std::string_view>()(text);
  }
};

using TokenIds = std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>>;

class Vocabulary {
 public:
  /// Reads the member "vocab", an object of tokens and numbers. Errors: corruption.
  [[nodiscard]] static Result<Vocabulary> of(const Settings& model);

  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view token) const;
  /// The number of a token that must be there. Errors: corruption, with the token.
  [[nodiscard]] Result<std::uint32_t> must_find(std::string_view token) const;
  [[nodiscard]] const TokenIds& ids() const noexcept { return ids_; }
  /// Adds a token, or gives it another number.
  void set(std::string token, std::uint32_t id);
  [[nodiscard]] std::uint32_t largest_id() const noexcept { return largest_id_; }

 private:
  TokenIds ids_;
  std::uint32_t largest_id_ = 0;
};

}  // namespace cairn::tools
