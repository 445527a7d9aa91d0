// Wraps libedit in a class: prompt, history in a file, completion, and the keys of emacs.
// Characters are read here instead of in libedit, so that an interrupt ends the line immediately.
#include "tools/shell/line_editor.hpp"

#include "codec/utf8.hpp"
#include "tools/shell/interrupt.hpp"
#include "tools/text/cell_text.hpp"
#include "tools/text/wrapped_text.hpp"

#include <fcntl.h>
#include <histedit.h>
#include <langinfo.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::tools {
namespace {

// Several shells may write the history file at the same time; each appends its own entries. A file
// lock prevents mixed entries, and the loss of entries while another shell trims the file.

constexpr std::string_view history_head = "_HiStOrY_V2_\n";  // first line of libedit's files

/// Prevents other shells from writing the file while it exists.
class LockedHistory {
 public:
  explicit LockedHistory(const std::filesystem::path& file)
      : descriptor_(
            ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR)) {
    if (descriptor_ >= 0) ::flock(descriptor_, LOCK_EX);
  }
  LockedHistory(const LockedHistory&) = delete;
  LockedHistory& operator=(const LockedHistory&) = delete;
  ~LockedHistory() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  [[nodiscard]] bool is_empty() const {
    struct stat status{};
    return ::fstat(descriptor_, &status) == 0 && status.st_size == 0;
  }

  [[nodiscard]] bool empty() const { return ::ftruncate(descriptor_, 0) == 0; }

  void append(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = ::write(descriptor_, text.data(), text.size());
      if (count <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }

 private:
  int descriptor_;
};

/// Appends one entry, encoded by libedit as a line. A file that cannot be written is ignored,
/// because it must not stop a statement.
void append_to_history(const std::filesystem::path& file, std::string_view entry) {
  const LockedHistory history(file);
  std::string text(history.is_empty() ? history_head : "");
  history.append(text.append(entry).append(entry.ends_with('\n') ? "" : "\n"));
}

/// Removes the oldest entries if the file has more than twice `most` lines.
void trim_history(const std::filesystem::path& file, std::size_t most) {
  std::error_code problem;
  if (!std::filesystem::exists(file, problem)) return;
  const LockedHistory history(file);
  std::ifstream input(file, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(input, line);) lines.push_back(line);
  if (input.bad() || lines.size() <= 2 * most || !history.empty()) return;
  std::string text(history_head);
  for (std::size_t i = lines.size() - most; i < lines.size(); ++i) text += lines[i] + "\n";
  history.append(text);
}

constexpr int history_entries = 1'000;
constexpr wchar_t replacement = 0xfffd;  // for bytes that are not a character

/// The data of the editor's callbacks.
struct Callbacks {
  std::string prompt;
  int interrupt_descriptor = -1;
  LineEditor::Completer completer;
  const TerminalSignals* signals = nullptr;  ///< while a line is read
  bool is_leaving = false;                   ///< an interrupt ends the current line
};

}  // namespace

struct LineEditor::Impl {
  EditLine* editor = nullptr;
  History* history = nullptr;
  HistEvent event{};
  std::filesystem::path file;
  std::string last_entry = {};
  const InterruptCatcher& interrupts;
  Callbacks callbacks;
};

namespace {

/// libedit drops characters that the locale does not know, and the locale of a bare environment
/// only knows ASCII.
void use_utf8() {
  std::setlocale(LC_CTYPE, "");
  if (std::string_view(nl_langinfo(CODESET)) != "UTF-8") std::setlocale(LC_CTYPE, "C.UTF-8");
}

Callbacks& callbacks_of(EditLine* editor) {
  void* data = nullptr;
  el_get(editor, EL_CLIENTDATA, &data);
  return *static_cast<Callbacks*>(data);
}

const char* prompt_of(EditLine* editor) { return callbacks_of(editor).prompt.c_str(); }

int count_characters(std::string_view text) { return static_cast<int>(codec::utf8_length(text)); }

/// Inserts a single completion, or the common prefix of several. If that adds nothing, lists them.
unsigned char complete_word(EditLine* editor, int) {
  const LineInfo* line = el_line(editor);
  const std::string_view text(line->buffer, static_cast<std::size_t>(line->cursor - line->buffer));
  const Completions found = callbacks_of(editor).completer(text);
  if (found.words.empty()) return CC_REFRESH_BEEP;
  const std::string_view typed = text.substr(found.from);
  const bool is_only = found.words.size() == 1;
  const std::string word =
      is_only ? found.words.front() + (found.is_part ? "" : " ") : common_begin(found.words);
  if (is_only || word.size() > typed.size()) {
    if (!typed.empty()) el_deletestr(editor, count_characters(typed));
    return el_insertstr(editor, word.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
  }
  std::fputs(("\n" + candidate_text(found.words, terminal_width())).c_str(), stdout);
  std::fflush(stdout);
  return CC_REDISPLAY;
}

/// Sets the terminal's mode again, because another program may have changed it.
void take_terminal_again(EditLine* editor, bool is_to_stop) {
  mark_pastes(false);
  el_set(editor, EL_PREP_TERM, 0);
  if (is_to_stop) TerminalSignals::suspend();
  el_set(editor, EL_PREP_TERM, 1);
  mark_pastes(true);
}

/// Clears the drawn line, because the editor then draws from the position of the cursor. After a
/// change of the width, the terminal has wrapped the text differently. After a job-control stop,
/// the cursor is in an empty row, so nothing above it is cleared.
void clear_drawn(EditLine* editor, TerminalEvent event) {
  const LineInfo* line = el_line(editor);
  std::string before = without_marked(callbacks_of(editor).prompt, LineEditor::escape_mark);
  before.append(line->buffer, static_cast<std::size_t>(line->cursor - line->buffer));
  const bool is_in_place = event == TerminalEvent::resized;
  const std::size_t rows = is_in_place ? rows_above(before, terminal_width()) : 0;
  std::fputs(knows_sequences() ? clearing_sequence(rows).c_str() : "\n", stdout);
  std::fflush(stdout);
}

/// Redraws the current line after a change of the terminal's size, and after Ctrl-Z and `fg`.
void follow_terminal(EditLine* editor, const TerminalSignals& signals) {
  for (auto event = signals.take(); event != TerminalEvent::none; event = signals.take()) {
    if (event != TerminalEvent::resized)
      take_terminal_again(editor, event == TerminalEvent::suspended);
    clear_drawn(editor, event);
    el_resize(editor);
    el_set(editor, EL_REFRESH);
  }
}

/// Waits for input; returns false at an interrupt.
bool wait_for_input(EditLine* editor) {
  const Callbacks& callbacks = callbacks_of(editor);
  const int interrupts = callbacks.interrupt_descriptor;
  const int signals = callbacks.signals->descriptor();
  while (true) {
    std::array<pollfd, 3> inputs{
        {{STDIN_FILENO, POLLIN, 0}, {interrupts, POLLIN, 0}, {signals, POLLIN, 0}}};
    const bool is_ready = poll(inputs.data(), inputs.size(), -1) > 0;
    if (is_ready && inputs[2].revents != 0) follow_terminal(editor, *callbacks.signals);
    if (is_ready && (inputs[0].revents != 0 || inputs[1].revents != 0))
      return inputs[1].revents == 0;
    if (!is_ready && errno != EINTR) return true;  // reading will report the error
  }
}

constexpr wchar_t escape = L'\x1b';
/// A character that no key sends, bound to a function that puts an escape before the next keys.
constexpr wchar_t escape_again = 0x80;

/// During a search, the editor shows the pattern as the last line of its text.
bool is_searching(EditLine* editor) {
  const LineInfoW* line = el_wline(editor);
  const std::wstring_view text(line->buffer,
                               static_cast<std::size_t>(line->lastchar - line->buffer));
  const std::size_t end = text.rfind(L'\n');
  const std::wstring_view last =
      text.substr(end == std::wstring_view::npos ? text.size() : end + 1);
  return last.starts_with(L"bck") || last.starts_with(L"fwd");
}

/// An arrow key sends an escape and more bytes at once; the Escape key sends only an escape.
bool is_followed_at_once() {
  constexpr int patience_milliseconds = 50;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, patience_milliseconds) == 1;
}

/// Puts back the escape that ended a search. The editor drops it, and would insert the rest of the key as text.
unsigned char put_escape(EditLine* editor, int) {
  el_wpush(editor, std::wstring(1, escape).c_str());
  return CC_NORM;
}

/// Moves to the end of the line, like Ctrl-E, so that later output does not overwrite the line.
int leave_line(EditLine* editor, wchar_t* character) {
  constexpr wchar_t end_of_line = 5;
  const bool is_there = std::exchange(callbacks_of(editor).is_leaving, true);
  *character = end_of_line;
  errno = EINTR;
  return is_there ? -1 : 1;
}

/// Reads a character. libedit's own function would continue after a signal. Returns 1 with a
/// character, 0 at the end of input, and -1 after an interrupt.
int read_character(EditLine* editor, wchar_t* character) {
  std::mbstate_t state{};
  while (true) {
    if (!wait_for_input(editor)) return leave_line(editor, character);
    char byte = 0;
    const ssize_t count = ::read(STDIN_FILENO, &byte, 1);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return 0;
    const std::size_t length = std::mbrtowc(character, &byte, 1, &state);
    if (length == static_cast<std::size_t>(-2)) continue;  // the character has more bytes
    if (length == static_cast<std::size_t>(-1)) *character = replacement;
    if (*character == escape && is_searching(editor) && is_followed_at_once())
      *character = escape_again;
    return 1;
  }
}

/// Inserts everything between the paste marks of the terminal as text, including tabs and line
/// ends.
unsigned char insert_paste(EditLine* editor, int) {
  std::wstring pasted;
  for (wchar_t character = 0; !pasted.ends_with(end_of_paste); pasted += character) {
    const int count = read_character(editor, &character);
    if (count != 1) return count == 0 ? CC_EOF : CC_ERROR;
  }
  pasted.resize(pasted.size() - end_of_paste.size());
  const std::wstring text = text_of_paste(pasted);
  return text.empty() || el_winsertstr(editor, text.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
}

/// Returns an entry as libedit writes it to files; empty if that fails.
std::string encoded_entry(History* history) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  HistEvent event{};
  if (!file || ::history(history, &event, H_NSAVE_FP, std::size_t{1}, file.get()) < 0) return {};
  std::rewind(file.get());
  std::string text;
  for (int c; (c = std::fgetc(file.get())) != EOF;) text += static_cast<char>(c);
  if (text.ends_with('\n')) text.pop_back();
  const std::size_t begin = text.rfind('\n');
  return text.substr(begin == std::string::npos ? 0 : begin + 1);
}

}  // namespace

// ~/.editrc is read last, so it overrides the settings above.
LineEditor::LineEditor(std::filesystem::path history_file, const InterruptCatcher& interrupts,
                       Completer completer)
    : impl_(new Impl{.file = std::move(history_file),
                     .interrupts = interrupts,
                     .callbacks = {"", interrupts.descriptor(), std::move(completer)}}) {
  use_utf8();
  impl_->editor = el_init("cairn", stdin, stdout, stderr);
  impl_->history = history_init();
  history(impl_->history, &impl_->event, H_SETSIZE, history_entries);
  history(impl_->history, &impl_->event, H_SETUNIQUE, 1);
  if (!impl_->file.empty()) {
    trim_history(impl_->file, history_entries);
    history(impl_->history, &impl_->event, H_LOAD, impl_->file.c_str());
  }
  el_set(impl_->editor, EL_CLIENTDATA, &impl_->callbacks);
  el_set(impl_->editor, EL_PROMPT_ESC, &prompt_of, escape_mark);
  el_set(impl_->editor, EL_GETCFN, &read_character);
  el_set(impl_->editor, EL_EDITOR, "emacs");
  el_set(impl_->editor, EL_HIST, ::history, impl_->history);
  el_set(impl_->editor, EL_ADDFN, "complete-word", "complete the word", &complete_word);
  el_set(impl_->editor, EL_ADDFN, "insert-paste", "insert what is pasted", &insert_paste);
  el_set(impl_->editor, EL_BIND, "^I", "complete-word", nullptr);
  el_set(impl_->editor, EL_ADDFN, "put-escape", "go on with the key that ended a search",
         &put_escape);
  el_set(impl_->editor, EL_BIND, "\\e[200~", "insert-paste", nullptr);
  el_set(impl_->editor, EL_BIND, "\\200", "put-escape", nullptr);
  el_set(impl_->editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  el_source(impl_->editor, nullptr);
}

LineEditor::~LineEditor() {
  history_end(impl_->history);
  el_end(impl_->editor);
}

// Ctrl-C and the end of input both return no line; a recorded interrupt distinguishes them.
TypedLine LineEditor::read(const std::string& prompt) {
  using Ending = TypedLine::Ending;
  impl_->callbacks.prompt = prompt;
  impl_->callbacks.is_leaving = false;
  int length = 0;
  const TerminalSignals signals;
  impl_->callbacks.signals = &signals;
  el_resize(impl_->editor);
  mark_pastes(true);
  const char* line = el_gets(impl_->editor, &length);
  mark_pastes(false);
  if (line == nullptr)
    return {impl_->interrupts.take() ? Ending::interrupt : Ending::end_of_input, ""};
  std::string text(line, static_cast<std::size_t>(std::max(length, 0)));
  // A recalled entry may have several lines.
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return {Ending::line, std::move(text)};
}

void LineEditor::remember(const std::string& statement) {
  std::string entry = statement;
  entry.erase(entry.find_last_not_of(" \t\r\n") + 1);
  if (entry.empty() || entry == std::exchange(impl_->last_entry, entry)) return;
  history(impl_->history, &impl_->event, H_ENTER, entry.c_str());
  if (!impl_->file.empty()) append_to_history(impl_->file, encoded_entry(impl_->history));
}

std::size_t rows_above(std::string_view before, std::size_t width) {
  std::size_t rows = 0;
  while (true) {
    const std::size_t end = std::min(before.find('\n'), before.size());
    rows += display_width(before.substr(0, end)) / std::max<std::size_t>(width, 1);
    if (end == before.size()) return rows;
    ++rows;
    before.remove_prefix(end + 1);
  }
}

std::string clearing_sequence(std::size_t rows) {
  return "\r" + (rows == 0 ? std::string() : "\x1b[" + std::to_string(rows) + "A") + "\x1b[J";
}

std::string without_marked(std::string_view prompt, char mark) {
  std::string visible;
  bool is_marked = false;
  for (const char c : prompt) {
    if (c == mark)
      is_marked = !is_marked;
    else if (!is_marked)
      visible += c;
  }
  return visible;
}

namespace {

constexpr std::size_t most_candidate_lines = 20;
constexpr std::size_t candidate_gap = 2;

}  // namespace

std::string common_begin(const std::vector<std::string>& words) {
  std::string_view common = words.front();
  for (const std::string& word : words) {
    const auto [end, other] = std::ranges::mismatch(common, word);
    common = common.substr(0, static_cast<std::size_t>(end - common.begin()));
  }
  return std::string(common);
}

std::string candidate_text(const std::vector<std::string>& words, std::size_t width) {
  std::vector<std::string> shown;
  std::size_t widest = 1;
  for (const std::string& word : words) {
    shown.push_back(fit_width(make_visible(word), std::max<std::size_t>(width, 1)));
    widest = std::max(widest, display_width(shown.back()));
  }
  const std::size_t columns =
      std::max<std::size_t>(1, (width + candidate_gap) / (widest + candidate_gap));
  const std::size_t lines = (shown.size() + columns - 1) / columns;
  std::string text;
  std::size_t count = 0;
  for (std::size_t line = 0; line < std::min(lines, most_candidate_lines); ++line) {
    for (std::size_t i = line; i < shown.size(); i += lines) {
      const bool is_last = i + lines >= shown.size();
      const std::size_t space = is_last ? 0 : widest + candidate_gap - display_width(shown[i]);
      text += shown[i] + std::string(space, ' ');
      ++count;
    }
    text += "\n";
  }
  if (count < shown.size()) text += "... and " + std::to_string(shown.size() - count) + " more\n";
  return text;
}

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
