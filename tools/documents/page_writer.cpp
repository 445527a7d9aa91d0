#include "tools/documents/page_writer.hpp"

#include <utf8proc.h>

#include <utility>

namespace cairn::tools {
namespace {

/// Removes NUL and invalid UTF-8, which a parser may return for a broken file.
std::string sound_text(std::string_view text) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  std::string sound;
  for (std::size_t at = 0; at < text.size();) {
    utf8proc_int32_t code = 0;
    const utf8proc_ssize_t length =
        utf8proc_iterate(bytes + at, static_cast<utf8proc_ssize_t>(text.size() - at), &code);
    const std::size_t size = length > 0 ? static_cast<std::size_t>(length) : 1;
    if (length > 0 && code != 0) sound += text.substr(at, size);
    at += size;
  }
  return sound;
}

}  // namespace

Error cannot_read(std::string reason) {
  return {ErrorCode::unsupported, std::move(reason), std::nullopt};
}

void PageWriter::put(std::string_view text) {
  is_full_ = is_full_ || text.size() > left_;
  if (is_full_) return;
  left_ -= text.size();
  page_ += text;
}

void PageWriter::blank() {
  if (!page_.empty() && page_.back() != ' ' && page_.back() != '\n' && page_.back() != '\t')
    put(" ");
}

void PageWriter::tab() {
  if (!page_.empty() && page_.back() != '\n') put("\t");
}

void PageWriter::line() {
  trim();
  if (!page_.empty() && page_.back() != '\n') put("\n");
}

// An empty page counts, so that page numbers are right. Each page costs one byte of the limit, so
// the number of pages is limited.
void PageWriter::page() {
  trim();
  while (!page_.empty() && page_.back() == '\n') page_.pop_back();
  is_full_ = is_full_ || left_ == 0;
  if (is_full_) return;
  --left_;
  pages_.push_back(sound_text(std::exchange(page_, {})));
}

void PageWriter::trim() {
  while (!page_.empty() && (page_.back() == ' ' || page_.back() == '\t')) page_.pop_back();
}

Result<DocumentText> PageWriter::finish(bool has_pages) {
  if (!page_.empty() || pages_.empty()) page();
  if (is_full_) return cannot_read("its text exceeds the size limit of text files");
  return DocumentText{{}, std::move(pages_), has_pages};
}

}  // namespace cairn::tools
