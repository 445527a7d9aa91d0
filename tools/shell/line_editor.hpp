#pragma once
// Line editing with history. The one home of libedit.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace cairn::tools {

/// Reads lines from the terminal. Threads: one.
class LineEditor {
 public:
  /// `history_file` is read now and written at the end; empty for none.
  explicit LineEditor(std::filesystem::path history_file);
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;
  ~LineEditor();

  /// The next line without its end; nullopt at the end of input. An interrupted line is empty.
  [[nodiscard]] std::optional<std::string> read(const std::string& prompt);
  /// Remember a whole statement as one entry.
  void remember(const std::string& statement);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::tools
