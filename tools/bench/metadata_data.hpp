#pragma once
// Generated records of `cairn-bench metadata`: eight properties a node, drawn from a seed.

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>

namespace cairn::tools {

/// Write `nodes` lines of APOC JSON, label Memory, with
///   resolved  boolean, 2 values             kind   text, 20 values
///   topic     text, 1,000 values, Zipf      level  integer, 10 values
///   tags      list of 1 to 5 texts of 200, Zipf
///   serial    integer, distinct, shuffled   created  date text over two years
///   weight    float in [0, 1)
/// Errors: io_error.
[[nodiscard]] Status write_metadata_nodes(const std::filesystem::path& file, std::uint64_t nodes,
                                          std::uint64_t seed);

}  // namespace cairn::tools
