#pragma once
// Texts as a value of the language.

#include <cairn/value.hpp>

#include <span>
#include <string>

namespace cairn::query {

[[nodiscard]] inline List list_of_texts(std::span<const std::string> texts) {
  return List(texts.begin(), texts.end());
}

}  // namespace cairn::query
