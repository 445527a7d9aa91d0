#include "tools/shell/limit_hint.hpp"

#include "tools/text/counted.hpp"
#include "tools/text/quantity.hpp"

#include <charconv>
#include <chrono>
#include <cstdint>
#include <string_view>

namespace cairn::tools {
namespace {

struct OptionWords {
  std::string_view library;
  std::string_view option;
  std::string_view command;
};

/// Longer ones stand before those that they begin with.
constexpr OptionWords option_words[] = {
    {"StatementOptions::memory_bytes (--memory)", "--memory", ".memory"},
    {"StatementOptions::max_rows (--max-rows)", "--max-rows", ".max_rows"},
    {"StatementOptions::timeout (--timeout)", "--timeout", ".timeout"},
    {"StatementOptions::memory_bytes", "--memory", ".memory"},
    {"Options::transaction_bytes, --transaction-mib", "--transaction-mib", "--transaction-mib"},
    {"Options::file_root", "--file-root", "--file-root"},
};

struct UnitWords {
  std::string_view before;
  std::string_view behind;
  std::string (*text)(std::uint64_t);
};

std::string milliseconds_text(std::uint64_t count) {
  return duration_text(std::chrono::milliseconds(static_cast<std::int64_t>(count)));
}

std::string rows_text(std::uint64_t count) { return counted(count, "row", "rows"); }

constexpr UnitWords unit_words[] = {
    {"its limit of ", " bytes", byte_text},
    {"its limit of ", " ms", milliseconds_text},
    {"its limit of ", " rows", rows_text},
    {"more than ", " bytes of changes",
     [](std::uint64_t count) { return byte_text(count) + " of changes"; }},
};

/// The number between two pieces, if there is one, and both, with its unit.
void add_unit(std::string& message, const UnitWords& words) {
  const std::size_t at = message.find(words.before);
  if (at == std::string::npos) return;
  const char* begin = message.data() + at + words.before.size();
  std::uint64_t count = 0;
  const auto [end, problem] = std::from_chars(begin, message.data() + message.size(), count);
  const std::size_t behind = static_cast<std::size_t>(end - message.data());
  if (problem != std::errc() || !std::string_view(message).substr(behind).starts_with(words.behind))
    return;
  const std::size_t from = at + words.before.size();
  message.replace(from, behind + words.behind.size() - from, words.text(count));
}

}  // namespace

std::string user_words(std::string message, bool has_prompt) {
  for (const OptionWords& words : option_words)
    if (const std::size_t at = message.find(words.library); at != std::string::npos)
      message.replace(at, words.library.size(), has_prompt ? words.command : words.option);
  for (const UnitWords& words : unit_words) add_unit(message, words);
  return message;
}

}  // namespace cairn::tools
