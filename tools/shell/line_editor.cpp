// libedit behind four calls: prompt, history in a file, completion, editing by the keys of emacs. Characters
// are read here, for an interrupt to end the line at once.
#include "tools/shell/line_editor.hpp"

#include "tools/text/cell_text.hpp"

#include <histedit.h>
#include <langinfo.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cwchar>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::tools {
namespace {

constexpr int history_entries = 1'000;
constexpr wchar_t replacement = 0xfffd;  // stands for bytes that are no character

/// What the editor's callbacks need.
struct Callbacks {
  std::string prompt;
  int interrupt_descriptor = -1;
  LineEditor::Completer completer;
};

}  // namespace

struct LineEditor::Impl {
  EditLine* editor = nullptr;
  History* history = nullptr;
  HistEvent event{};
  std::filesystem::path file;
  const InterruptCatcher& interrupts;
  Callbacks callbacks;
};

namespace {

/// The editor drops every character that the locale does not know, and that of a bare environment
/// knows ASCII only.
void use_utf8() {
  std::setlocale(LC_CTYPE, "");
  if (std::string_view(nl_langinfo(CODESET)) != "UTF-8") std::setlocale(LC_CTYPE, "C.UTF-8");
}

const Callbacks& callbacks_of(EditLine* editor) {
  void* data = nullptr;
  el_get(editor, EL_CLIENTDATA, &data);
  return *static_cast<const Callbacks*>(data);
}

const char* prompt_of(EditLine* editor) { return callbacks_of(editor).prompt.c_str(); }

/// How far all of them begin alike.
std::string common_begin(const std::vector<std::string>& words) {
  std::string_view common = words.front();
  for (const std::string& word : words) {
    const auto [end, other] = std::ranges::mismatch(common, word);
    common = common.substr(0, static_cast<std::size_t>(end - common.begin()));
  }
  return std::string(common);
}

int count_characters(std::string_view text) {
  return static_cast<int>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; }));
}

void print_words(const std::vector<std::string>& words) {
  std::fputs("\n", stdout);
  for (const std::string& word : words) std::printf("%s  ", make_visible(word).c_str());
  std::fputs("\n", stdout);
  std::fflush(stdout);
}

/// One word is put in whole, of several what they have in common; where that is nothing new, they are listed.
unsigned char complete_word(EditLine* editor, int) {
  const LineInfo* line = el_line(editor);
  const std::string_view text(line->buffer, static_cast<std::size_t>(line->cursor - line->buffer));
  const Completions found = callbacks_of(editor).completer(text);
  if (found.words.empty()) return CC_REFRESH_BEEP;
  const std::string_view typed = text.substr(found.from);
  const bool is_only = found.words.size() == 1;
  const std::string word = is_only ? found.words.front() + " " : common_begin(found.words);
  if (is_only || word.size() > typed.size()) {
    el_deletestr(editor, count_characters(typed));
    return el_insertstr(editor, word.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
  }
  print_words(found.words);
  return CC_REDISPLAY;
}

/// False where an interrupt came first.
bool wait_for_input(int interrupt_descriptor) {
  std::array<pollfd, 2> inputs{{{STDIN_FILENO, POLLIN, 0}, {interrupt_descriptor, POLLIN, 0}}};
  while (poll(inputs.data(), inputs.size(), -1) < 0 && errno == EINTR) {
  }
  return inputs[1].revents == 0;
}

/// The editor's own function would go on reading after a signal. 1 with a character, 0 at the end of
/// input, -1 after an interrupt.
int read_character(EditLine* editor, wchar_t* character) {
  std::mbstate_t state{};
  while (true) {
    if (!wait_for_input(callbacks_of(editor).interrupt_descriptor)) {
      errno = EINTR;
      return -1;
    }
    char byte = 0;
    const ssize_t count = ::read(STDIN_FILENO, &byte, 1);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return 0;
    const std::size_t length = std::mbrtowc(character, &byte, 1, &state);
    if (length == static_cast<std::size_t>(-2)) continue;  // more bytes belong to it
    if (length == static_cast<std::size_t>(-1)) *character = replacement;
    return 1;
  }
}

}  // namespace

// ~/.editrc is read last and wins.
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
  if (!impl_->file.empty()) history(impl_->history, &impl_->event, H_LOAD, impl_->file.c_str());
  el_set(impl_->editor, EL_CLIENTDATA, &impl_->callbacks);
  el_set(impl_->editor, EL_PROMPT_ESC, &prompt_of, escape_mark);
  el_set(impl_->editor, EL_GETCFN, &read_character);
  el_set(impl_->editor, EL_EDITOR, "emacs");
  el_set(impl_->editor, EL_HIST, ::history, impl_->history);
  el_set(impl_->editor, EL_ADDFN, "complete-word", "complete the word", &complete_word);
  el_set(impl_->editor, EL_BIND, "^I", "complete-word", nullptr);
  el_set(impl_->editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  el_source(impl_->editor, nullptr);
}

LineEditor::~LineEditor() {
  history_end(impl_->history);
  el_end(impl_->editor);
}

// Ctrl-C and the end of input both give no line; the interrupt that was noted tells them apart.
TypedLine LineEditor::read(const std::string& prompt) {
  using Ending = TypedLine::Ending;
  impl_->callbacks.prompt = prompt;
  int length = 0;
  const char* line = el_gets(impl_->editor, &length);
  if (line == nullptr)
    return {impl_->interrupts.take() ? Ending::interrupt : Ending::end_of_input, ""};
  std::string text(line, static_cast<std::size_t>(std::max(length, 0)));
  // What is recalled has lines of its own.
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return {Ending::line, std::move(text)};
}

void LineEditor::remember(const std::string& statement) {
  std::string entry = statement;
  entry.erase(entry.find_last_not_of(" \t\r\n") + 1);
  history(impl_->history, &impl_->event, H_ENTER, entry.c_str());
  // Whole each time: a file of a thousand lines at most, written where a person has just typed one.
  if (!impl_->file.empty()) history(impl_->history, &impl_->event, H_SAVE, impl_->file.c_str());
}

}  // namespace cairn::tools
