#pragma once
// The engines with which full-text indexes are compared. Only cairn_compare_text links the
// libraries of these engines.

#include "tools/bench/text.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace cairn::tools {

/// Whether an engine stores the texts next to their index, as Cairn does.
enum class KeptTexts : std::uint8_t { no, yes };

/// SQLite's FTS5 with a WAL that is synced at each commit and ranking by bm25. `file` must not
/// exist. The analyzer "english" selects SQLite's porter tokenizer.
[[nodiscard]] Result<std::unique_ptr<TextEngine>> make_sqlite_engine(const std::string& file,
                                                                     const TextWorkload& workload,
                                                                     KeptTexts texts);

/// Xapian with positions but without document data. `directory` must not exist.
[[nodiscard]] Result<std::unique_ptr<TextEngine>> make_xapian_engine(const std::string& directory,
                                                                     const TextWorkload& workload);

}  // namespace cairn::tools
