#pragma once
// Line editing with history. The one home of libedit.

#include "tools/shell/interrupt.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace cairn::tools {

/// What came from the terminal.
struct TypedLine {
  enum class Ending { line, interrupt, end_of_input };
  Ending ending = Ending::line;
  std::string text;  ///< without the line's end; empty unless `ending` is `line`
};

/// Reads lines from the terminal. Threads: one.
class LineEditor {
 public:
  /// `history_file` is read now and written at the end; empty for none. Characters are UTF-8, or
  /// those of the locale of the environment if that is a UTF-8 one. `interrupts` must outlive it.
  LineEditor(std::filesystem::path history_file, const InterruptCatcher& interrupts);
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;
  ~LineEditor();

  /// The next line; an interrupt drops what was typed of it.
  [[nodiscard]] TypedLine read(const std::string& prompt);
  /// Remember a whole statement as one entry.
  void remember(const std::string& statement);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::tools
