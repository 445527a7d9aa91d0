#pragma once
// Collects the text of a document, page by page, within its limit.

#include "tools/documents/document_text.hpp"

#include <string>
#include <string_view>

namespace cairn::tools {

[[nodiscard]] Error cannot_read(std::string reason);

/// Lines and blanks are never doubled, so that layout does not become text.
class PageWriter {
 public:
  explicit PageWriter(const DocumentLimits& limits) : left_(limits.text_bytes) {}

  /// Appends the text unchanged.
  void put(std::string_view text);
  /// Appends a blank, unless the line is empty or ends in one.
  void blank();
  /// Appends a tab under the same condition.
  void tab();
  /// Ends the line, unless it is empty.
  void line();
  /// Ends the page.
  void page();
  /// Whether the limit was exceeded; the rest is dropped.
  [[nodiscard]] bool is_full() const noexcept { return is_full_; }
  /// Errors: unsupported where it was full.
  [[nodiscard]] Result<DocumentText> finish(bool has_pages);

 private:
  void trim();

  std::uint64_t left_;
  bool is_full_ = false;
  std::string page_;
  std::vector<std::string> pages_;
};

}  // namespace cairn::tools
