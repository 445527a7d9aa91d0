#pragma once

#include <cstdint>

namespace cairn::engine {

/// How many of the true nearest a search should find, on average: .90, .95, .99 of them.
enum class Accuracy : std::uint8_t { fast, standard, high };

}  // namespace cairn::engine
