#include "tools/shell/pasted_text.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace cairn::tools {

bool knows_sequences() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) == 1 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

void mark_pastes(bool is_on) {
  if (!knows_sequences()) return;
  std::fputs(is_on ? "\x1b[?2004h" : "\x1b[?2004l", stdout);
  std::fflush(stdout);
}

std::wstring text_of_paste(std::wstring_view pasted) {
  std::wstring text;
  for (std::size_t i = 0; i < pasted.size(); ++i) {
    const bool is_pair = pasted[i] == L'\r' && i + 1 < pasted.size() && pasted[i + 1] == L'\n';
    const wchar_t c = pasted[i] == L'\r' ? L'\n' : pasted[i];
    const bool is_control = c < L' ' && c != L'\n' && c != L'\t';
    if (!is_pair && !is_control && c != L'\x7f') text += c;
  }
  return text;
}

}  // namespace cairn::tools
