#include "tools/shell/line_editor.hpp"

#include <histedit.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace cairn::tools {

struct LineEditor::Impl {
  EditLine* editor = nullptr;
  History* history = nullptr;
  HistEvent event{};
  std::filesystem::path file;
  std::string prompt;
};

namespace {

constexpr int history_entries = 1'000;

const char* prompt_of(EditLine* editor) {
  void* data = nullptr;
  el_get(editor, EL_CLIENTDATA, &data);
  return static_cast<const std::string*>(data)->c_str();
}

}  // namespace

LineEditor::LineEditor(std::filesystem::path history_file) : impl_(std::make_unique<Impl>()) {
  impl_->file = std::move(history_file);
  impl_->editor = el_init("cairn", stdin, stdout, stderr);
  impl_->history = history_init();
  history(impl_->history, &impl_->event, H_SETSIZE, history_entries);
  history(impl_->history, &impl_->event, H_SETUNIQUE, 1);
  if (!impl_->file.empty()) history(impl_->history, &impl_->event, H_LOAD, impl_->file.c_str());
  el_set(impl_->editor, EL_CLIENTDATA, &impl_->prompt);
  el_set(impl_->editor, EL_PROMPT, &prompt_of);
  el_set(impl_->editor, EL_EDITOR, "emacs");
  el_set(impl_->editor, EL_HIST, ::history, impl_->history);
  el_source(impl_->editor, nullptr);
}

LineEditor::~LineEditor() {
  if (!impl_->file.empty()) history(impl_->history, &impl_->event, H_SAVE, impl_->file.c_str());
  history_end(impl_->history);
  el_end(impl_->editor);
}

std::optional<std::string> LineEditor::read(const std::string& prompt) {
  impl_->prompt = prompt;
  int length = 0;
  const char* line = el_gets(impl_->editor, &length);
  if (line == nullptr) {
    if (length == -1) return std::string();  // interrupted by a signal
    return std::nullopt;
  }
  std::string text(line, static_cast<std::size_t>(std::max(length, 0)));
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

void LineEditor::remember(const std::string& statement) {
  std::string entry = statement;  // one line, so that recalling it is one key
  std::replace(entry.begin(), entry.end(), '\n', ' ');
  history(impl_->history, &impl_->event, H_ENTER, entry.c_str());
}

}  // namespace cairn::tools
