#include "tools/documents/zip_archive.hpp"

#include "tools/documents/page_writer.hpp"

#include <zip.h>

#include <array>

namespace cairn::tools {
namespace {

struct CloseFile {
  void operator()(zip_file_t* file) const noexcept { zip_fclose(file); }
};

std::string reason_of(zip_error_t& error) {
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

}  // namespace

// Read only: what was opened is thrown away, never written.
void ZipArchive::Close::operator()(zip* archive) const noexcept { zip_discard(archive); }

Result<ZipArchive> ZipArchive::open(std::string_view bytes, const DocumentLimits& limits) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  if (source == nullptr) return cannot_read("not a ZIP archive: " + reason_of(error));
  zip_t* opened = zip_open_from_source(source, ZIP_RDONLY, &error);
  if (opened == nullptr) {
    zip_source_free(source);
    return cannot_read("not a ZIP archive: " + reason_of(error));
  }
  zip_error_fini(&error);
  ZipArchive archive(opened, limits.unpacked_bytes);
  const zip_int64_t entries = zip_get_num_entries(opened, 0);
  if (entries < 0 || static_cast<std::uint64_t>(entries) > limits.entries)
    return cannot_read("an archive of " + std::to_string(entries) + " entries, more than " +
                       std::to_string(limits.entries));
  return archive;
}

bool ZipArchive::has(const std::string& name) const {
  return zip_name_locate(archive_.get(), name.c_str(), 0) >= 0;
}

// Sizes in the directory of the archive may lie: what comes out is counted.
Result<std::string> ZipArchive::read(const std::string& name) {
  const std::unique_ptr<zip_file_t, CloseFile> file(zip_fopen(archive_.get(), name.c_str(), 0));
  if (!file) return cannot_read(name + ": " + zip_strerror(archive_.get()));
  std::string text;
  std::array<char, 16 * 1024> piece{};
  for (;;) {
    const zip_int64_t count = zip_fread(file.get(), piece.data(), piece.size());
    if (count < 0) return cannot_read(name + " is damaged");
    if (count == 0) return text;
    const auto size = static_cast<std::uint64_t>(count);
    if (size > left_) return cannot_read(name + " unpacks to more than may be read");
    left_ -= size;
    text.append(piece.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace cairn::tools
