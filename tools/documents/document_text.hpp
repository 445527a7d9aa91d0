#pragma once
// The text of documents other than plain text: office files, HTML, PDF.
//
// Files come from anywhere. Whatever is in them, a reader ends within its limits, fetches nothing and follows no
// reference out of the file.

#include <cairn/result.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

enum class DocumentKind : std::uint8_t { text, pdf, docx, pptx, xlsx, open_document, html };

/// The limits of a document; one that exceeds them is refused.
struct DocumentLimits {
  std::uint64_t text_bytes = std::uint64_t{16} << 20;       ///< of the text that comes out
  std::uint64_t unpacked_bytes = std::uint64_t{256} << 20;  ///< of what is read of an archive
  std::size_t entries = 10'000;                             ///< of an archive
  std::size_t depth = 256;                                  ///< elements in each other
  std::chrono::seconds time{60};  ///< of HTML and of another program, by the clock
  /// The memory limit of another program.
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;
  std::string pdf_program = "pdftotext";  ///< found as a shell finds it
};

struct DocumentText {
  std::string title;               ///< as the document says; may be empty
  std::vector<std::string> pages;  ///< pages, slides or sheets; else one with all
  bool has_pages = false;
};

/// The kind of a document by its name and first bytes; anything unknown is text.
[[nodiscard]] DocumentKind kind_of(const std::filesystem::path& file, std::string_view bytes);

/// The text of a document other than plain text, as UTF-8 without NUL. `file` is where `bytes` came from; another program
/// reads it from there. Errors: unsupported for what cannot be read as its kind, for what is beyond a limit, and where
/// the program for it is missing, each with the reason.
[[nodiscard]] Result<DocumentText> read_document(DocumentKind kind,
                                                 const std::filesystem::path& file,
                                                 std::string_view bytes,
                                                 const DocumentLimits& limits);

// One reader for each family of documents; the function above chooses among them.

/// Office Open XML (ECMA-376): texts in order, slides and sheets as pages.
[[nodiscard]] Result<DocumentText> read_docx(std::string_view bytes, const DocumentLimits& limits);
[[nodiscard]] Result<DocumentText> read_pptx(std::string_view bytes, const DocumentLimits& limits);
[[nodiscard]] Result<DocumentText> read_xlsx(std::string_view bytes, const DocumentLimits& limits);
/// OpenDocument (ISO/IEC 26300): texts, presentations and spreadsheets.
[[nodiscard]] Result<DocumentText> read_open_document(std::string_view bytes,
                                                      const DocumentLimits& limits);
/// HTML of any quality, without scripts and styles. Only its source file includes libxml2.
[[nodiscard]] Result<DocumentText> read_html(std::string_view bytes, const DocumentLimits& limits);
/// PDF, by `pdftotext` as a separate process.
[[nodiscard]] Result<DocumentText> read_pdf(const std::filesystem::path& file,
                                            const DocumentLimits& limits);

}  // namespace cairn::tools
