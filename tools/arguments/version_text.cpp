// The text of `--version`. It has a file of its own because every new commit compiles this file again.
#include "tools/arguments/command_parser.hpp"
#include "tools/commit_generated.h"
#include "tools/libraries_generated.h"

#include <cairn/version.hpp>

#include <utf8proc.h>

namespace cairn::tools {
namespace {

#define CAIRN_TEXT_OF_NUMBER(number) #number
#define CAIRN_TEXT_OF(macro) CAIRN_TEXT_OF_NUMBER(macro)
constexpr std::string_view utf8proc_header_version =
    CAIRN_TEXT_OF(UTF8PROC_VERSION_MAJOR) "." CAIRN_TEXT_OF(
        UTF8PROC_VERSION_MINOR) "." CAIRN_TEXT_OF(UTF8PROC_VERSION_PATCH);

void append_line(std::string& text, std::string_view name, std::string_view value) {
  constexpr std::size_t value_column = 16;
  text.append("\n").append(name);
  text.append(name.size() < value_column ? value_column - name.size() : 1, ' ').append(value);
}

}  // namespace

std::string version_text(std::string_view program) {
  std::string text(program);
  text.append(" ").append(version());
  if (!built_commit.empty()) append_line(text, "commit", built_commit);
  append_line(text, "format version", std::to_string(format_version()));
  for (const auto& [name, version] : built_with) append_line(text, name, version);
  append_line(text, "utf8proc", utf8proc_header_version);
  return text;
}

}  // namespace cairn::tools
