#pragma once
// Line editing with history. The one home of libedit.

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

/// What came from the terminal.
struct TypedLine {
  enum class Ending { line, interrupt, end_of_input };
  Ending ending = Ending::line;
  /// Without the line's end; empty unless `ending` is `line`. What was pasted or recalled has lines of its own.
  std::string text;
};

/// Reads lines from the terminal. Threads: one.
class LineEditor {
 public:
  /// Stands in a prompt around what has no width, as sequences of colours; not around its last character.
  static constexpr char escape_mark = '\1';
  /// What Tab may put in place of the text's end, and where that begins.
  using Completer = std::function<Completions(std::string_view text)>;

  /// `history_file` is read now, and each entry is added to it at once: a killed shell forgets nothing, and several at
  /// a time keep what all of them had; empty for none. What is pasted is text, with its tabs and ends of lines. Tab completes by `completer`, and lists what there is where several words fit; Ctrl-R searches
  /// the history while one types. Characters are UTF-8, or
  /// those of the locale of the environment if that is a UTF-8 one. `interrupts` must outlive it.
  LineEditor(std::filesystem::path history_file, const InterruptCatcher& interrupts,
             Completer completer);
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;
  ~LineEditor();

  /// The next line; an interrupt drops what was typed of it. Ctrl-Z stops the program, and what was typed is there again
  /// when it goes on.
  [[nodiscard]] TypedLine read(const std::string& prompt);
  /// Remember a whole statement as one entry, with its lines.
  void remember(const std::string& statement);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Where on the screen a line stands that is being typed.

/// How many rows of the screen are above that of the cursor; `before` is what stands from the prompt to the cursor.
[[nodiscard]] std::size_t rows_above(std::string_view before, std::size_t width);

/// What brings the cursor up so many rows to the begin of the line, and clears all from there on.
[[nodiscard]] std::string clearing_sequence(std::size_t rows);

/// A prompt without the sequences that stand between marks.
[[nodiscard]] std::string without_marked(std::string_view prompt, char mark);

// What Tab lists where several words fit.

/// How far all of them begin alike.
[[nodiscard]] std::string common_begin(const std::vector<std::string>& words);

/// In columns that fit the width, read downwards, each line with its end; so many lines and the number of the rest.
/// Nothing in them steers a terminal.
[[nodiscard]] std::string candidate_text(const std::vector<std::string>& words, std::size_t width);

// What is pasted into a line that is being typed.

/// Whether standard output is a terminal that knows sequences.
[[nodiscard]] bool knows_sequences();

/// Let a terminal that knows how put marks around what is pasted, or end that.
void mark_pastes(bool is_on);

inline constexpr std::wstring_view end_of_paste = L"\x1b[201~";

/// The pasted text, from between the terminal's paste marks. A terminal ends lines with \r; control characters are
/// dropped.
[[nodiscard]] std::wstring text_of_paste(std::wstring_view pasted);

}  // namespace cairn::tools
