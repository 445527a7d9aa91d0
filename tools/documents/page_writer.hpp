#pragma once
// Collects the text of a document, page by page, within a limit.

#include "tools/documents/document_text.hpp"

#include <string>
#include <string_view>

namespace cairn::tools {

[[nodiscard]] Error cannot_read(std::string reason);

/// Builds text without repeated blanks and empty lines, which are only layout.
class PageWriter {
 public:
  explicit PageWriter(const DocumentLimits& limits) : left_(limits.text_bytes) {}

  /// Appends the text unchanged.
  void put(std::string_view text);
  /// Appends a blank, unless the line is empty or ends in one.
  void blank();
  /// Appends a tab, unless the line is empty or ends in one.
  void tab();
  /// Ends the line, unless it is empty.
  void line();
  /// Ends the page.
  void page();
  /// True if the limit was exceeded; further text is dropped.
  [[nodiscard]] bool is_full() const noexcept { return is_full_; }
  /// Returns the text. Errors: unsupported if the limit was exceeded.
  [[nodiscard]] Result<DocumentText> finish(bool has_pages);

 private:
  void trim();

  std::uint64_t left_;
  bool is_full_ = false;
  std::string page_;
  std::vector<std::string> pages_;
};

}  // namespace cairn::tools
