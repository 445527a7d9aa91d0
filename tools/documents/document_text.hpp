#pragma once
// Extracts text from documents: office files, HTML, PDF.
//
// Files are untrusted. Whatever they contain, readers stop at their limits, load nothing from the
// network, and follow no reference out of the file.

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

/// Limits for a document; a document that exceeds them is refused.
struct DocumentLimits {
  std::uint64_t text_bytes = std::uint64_t{16} << 20;       ///< of the extracted text
  std::uint64_t unpacked_bytes = std::uint64_t{256} << 20;  ///< of unpacked data of an archive
  std::size_t entries = 10'000;                             ///< number of entries of an archive
  std::size_t depth = 256;                                  ///< nesting of elements
  std::chrono::seconds time{60};                            ///< for HTML, and for pdftotext
  /// Memory limit of pdftotext.
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;
  std::string pdf_program = "pdftotext";  ///< searched in PATH like a shell does
};

/// The text of a document.
struct DocumentText {
  std::string title;               ///< from the document; may be empty
  std::vector<std::string> pages;  ///< pages, slides or sheets; otherwise one with everything
  bool has_pages = false;
};

/// Returns the kind of a document by its name and first bytes; text if unknown.
[[nodiscard]] DocumentKind kind_of(const std::filesystem::path& file, std::string_view bytes);

/// Returns the text of a document other than plain text, as UTF-8 without NUL. `bytes` is the
/// content of `file`, which pdftotext reads itself. Errors: unsupported, with the reason, if the
/// document cannot be read as its kind or exceeds a limit, or if pdftotext is missing.
[[nodiscard]] Result<DocumentText> read_document(DocumentKind kind,
                                                 const std::filesystem::path& file,
                                                 std::string_view bytes,
                                                 const DocumentLimits& limits);

// One reader for each family of documents; read_document() selects one.

/// Office Open XML (ECMA-376): text in order; slides and sheets are pages.
[[nodiscard]] Result<DocumentText> read_docx(std::string_view bytes, const DocumentLimits& limits);
[[nodiscard]] Result<DocumentText> read_pptx(std::string_view bytes, const DocumentLimits& limits);
[[nodiscard]] Result<DocumentText> read_xlsx(std::string_view bytes, const DocumentLimits& limits);
/// OpenDocument (ISO/IEC 26300): texts, presentations and spreadsheets.
[[nodiscard]] Result<DocumentText> read_open_document(std::string_view bytes,
                                                      const DocumentLimits& limits);
/// HTML of any quality, without scripts and styles. Only its source file includes libxml2.
[[nodiscard]] Result<DocumentText> read_html(std::string_view bytes, const DocumentLimits& limits);
/// PDF, by running `pdftotext`.
[[nodiscard]] Result<DocumentText> read_pdf(const std::filesystem::path& file,
                                            const DocumentLimits& limits);

}  // namespace cairn::tools
