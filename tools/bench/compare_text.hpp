#pragma once
// The engines that full-text indexes are compared with. Only cairn_compare_text knows their libraries.

#include "tools/bench/text.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace cairn::tools {

/// Whether an engine keeps the texts beside their index, as Cairn does.
enum class KeptTexts : std::uint8_t { no, yes };

/// SQLite's FTS5, WAL synced at each commit, ranked by bm25. `file` must not exist. "english" is its
/// porter tokenizer.
[[nodiscard]] Result<std::unique_ptr<TextEngine>> make_sqlite_engine(const std::string& file,
                                                                     const TextWorkload& workload,
                                                                     KeptTexts texts);

/// Xapian with positions and without document data. `directory` must not exist.
[[nodiscard]] Result<std::unique_ptr<TextEngine>> make_xapian_engine(const std::string& directory,
                                                                     const TextWorkload& workload);

}  // namespace cairn::tools
