#pragma once
// Line editing with history; the only user of libedit.

#include "tools/shell/completion.hpp"
#include "tools/shell/interrupt.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

/// The result of reading a line.
struct TypedLine {
  enum class Ending { line, interrupt, end_of_input };
  Ending ending = Ending::line;
  /// Without the line end; empty unless `ending` is `line`. Pasted and recalled text may have
  /// several lines.
  std::string text;
};

/// Reads lines from the terminal. Threads: one.
class LineEditor {
 public:
  /// Encloses parts of a prompt that take no columns, such as colour sequences. Such a part must
  /// not be at the end of the prompt.
  static constexpr char escape_mark = '\1';
  /// Returns completions for the end of the text.
  using Completer = std::function<Completions(std::string_view text)>;

  /// Reads `history_file` now, and appends each entry immediately, so that a killed shell loses
  /// nothing and several shells can share the file. An empty `history_file` means no history file.
  /// Pasted text is inserted with tabs and line ends. Tab completes by `completer` and lists
  /// completions if there are several; Ctrl-R searches the history. Characters are UTF-8 in any
  /// locale. `interrupts` must outlive the editor.
  LineEditor(std::filesystem::path history_file, const InterruptCatcher& interrupts,
             Completer completer);
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;
  ~LineEditor();

  /// Reads the next line; an interrupt drops the typed text. Ctrl-Z stops the program; the typed
  /// text is shown again when it continues.
  [[nodiscard]] TypedLine read(const std::string& prompt);
  /// Adds a whole statement to the history as one entry with its lines.
  void remember(const std::string& statement);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Computes the place of the typed line on the screen.

/// Returns the number of screen rows above the cursor's row; `before` is the text from the prompt
/// to the cursor.
[[nodiscard]] std::size_t rows_above(std::string_view before, std::size_t width);

/// Returns the sequence that moves up `rows` rows to the beginning of the line and clears
/// everything from there.
[[nodiscard]] std::string clearing_sequence(std::size_t rows);

/// Returns a prompt without the parts between marks.
[[nodiscard]] std::string without_marked(std::string_view prompt, char mark);

// The list of completions that Tab shows.

/// Returns the common prefix of all words.
[[nodiscard]] std::string common_begin(const std::vector<std::string>& words);

/// Formats words in columns that fit the width, sorted down each column, with a limit on lines and
/// the number of words omitted. Control characters are made visible.
[[nodiscard]] std::string candidate_text(const std::vector<std::string>& words, std::size_t width);

// Pasted text.

/// True if standard output is a terminal that supports escape sequences.
[[nodiscard]] bool knows_sequences();

/// Switches paste marks of the terminal on or off.
void mark_pastes(bool is_on);

inline constexpr std::wstring_view end_of_paste = L"\x1b[201~";

/// Returns the pasted text between the marks. Terminals end lines with \r; control characters are
/// dropped.
[[nodiscard]] std::wstring text_of_paste(std::wstring_view pasted);

}  // namespace cairn::tools
