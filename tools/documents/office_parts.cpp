// The relations of the file are in `_rels/.rels`, those of `word/document.xml` in
// `word/_rels/document.xml.rels`. A target is relative to the folder of the part, or absolute if it
// begins with a slash.
#include "tools/documents/office_parts.hpp"

#include "tools/documents/page_writer.hpp"

#include <zip.h>

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::tools {
namespace {

/// Returns the folder of a path: "word/" for "word/document.xml".
std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

/// Resolves "..": "word/../media/x" becomes "media/x". A path cannot leave the archive.
std::string resolve(const std::string& folder, std::string_view target) {
  std::string path = target.starts_with('/') ? std::string() : folder;
  while (!target.empty()) {
    const std::size_t end = std::min(target.find('/'), target.size());
    const std::string_view step = target.substr(0, end);
    target.remove_prefix(std::min(end + 1, target.size()));
    if (step == "..") {
      if (!path.empty()) path.pop_back();
      path.resize(path.rfind('/') + 1);
    } else if (!step.empty() && step != ".") {
      path += step;
      if (!target.empty()) path += '/';
    }
  }
  return path;
}

/// Collects the relation ids of elements with one name, in order, and their names.
class ListReader final : public XmlEvents {
 public:
  explicit ListReader(std::string_view element) : element_(element) {}
  void begin(std::string_view name, Attributes attributes) override {
    if (name != element_) return;
    // Both `id` and `r:id` arrive as "id"; the id of a relation is not a number.
    std::string relation;
    for (const auto& [key, value] : attributes)
      if (key == "id" && value.find_first_not_of("0123456789") != std::string_view::npos)
        relation = value;
    items.emplace_back(std::move(relation), attribute(attributes, "name"));
  }
  void end(std::string_view) override {}
  void text(std::string_view) override {}

  std::vector<std::pair<std::string, std::string>> items;

 private:
  std::string_view element_;
};

}  // namespace

class OfficeParts::RelationReader final : public XmlEvents {
 public:
  explicit RelationReader(std::string folder) : folder_(std::move(folder)) {}
  void begin(std::string_view name, Attributes attributes) override {
    if (name != "Relationship" || attribute(attributes, "TargetMode") == "External") return;
    // A type is a URL with one of two prefixes; only the last part matters.
    const std::string_view kind = attribute(attributes, "Type");
    relations.push_back({std::string(attribute(attributes, "Id")),
                         std::string(kind.substr(kind.rfind('/') + 1)),
                         resolve(folder_, attribute(attributes, "Target"))});
  }
  void end(std::string_view) override {}
  void text(std::string_view) override {}

  std::vector<Relation> relations;

 private:
  std::string folder_;
};

Result<OfficeParts> OfficeParts::open(std::string_view bytes, const DocumentLimits& limits) {
  CAIRN_ASSIGN(ZipArchive archive, ZipArchive::open(bytes, limits));
  OfficeParts parts(std::move(archive), limits);
  CAIRN_ASSIGN(const auto relations, parts.relations_of(""));
  const auto main = std::ranges::find(relations, "officeDocument", &Relation::kind);
  if (main == relations.end()) return cannot_read("_rels/.rels names no main part");
  parts.main_ = main->target;
  CAIRN_ASSIGN(parts.relations_, parts.relations_of(parts.main_));
  return parts;
}

Result<std::vector<OfficeParts::Relation>> OfficeParts::relations_of(const std::string& path) {
  const std::string folder = folder_of(path);
  const std::string list = folder + "_rels/" + path.substr(folder.size()) + ".rels";
  RelationReader reader(folder);
  if (archive_.has(list)) CAIRN_TRY(read(list, reader));
  return std::move(reader.relations);
}

Status OfficeParts::read(const std::string& path, XmlEvents& events) {
  CAIRN_ASSIGN(const std::string xml, archive_.read(path));
  return read_xml(path, xml, events, *limits_);
}

std::vector<std::string> OfficeParts::related(std::string_view kind) const {
  std::vector<std::string> paths;
  for (const Relation& relation : relations_)
    if (relation.kind == kind && archive_.has(relation.target)) paths.push_back(relation.target);
  return paths;
}

Result<std::vector<OfficePart>> OfficeParts::listed(std::string_view element) {
  ListReader reader(element);
  CAIRN_TRY(read(main_, reader));
  if (reader.items.size() > limits_->entries)
    return cannot_read(main_ + " names " + std::to_string(reader.items.size()) +
                       " parts, more than " + std::to_string(limits_->entries));
  std::vector<OfficePart> parts;
  for (auto& [id, name] : reader.items) {
    const auto relation = std::ranges::find(relations_, id, &Relation::id);
    parts.push_back(
        {relation == relations_.end() ? std::string() : relation->target, std::move(name)});
  }
  return parts;
}

std::string OfficeParts::title() {
  constexpr const char* core = "docProps/core.xml";
  TitleReader reader;
  if (!archive_.has(core) || !read(core, reader)) return {};
  return std::move(reader.title);
}

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

// The archive was only read, so nothing is written back.
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
    return cannot_read("the archive has " + std::to_string(entries) + " entries, more than " +
                       std::to_string(limits.entries));
  return archive;
}

bool ZipArchive::has(const std::string& name) const {
  return zip_name_locate(archive_.get(), name.c_str(), 0) >= 0;
}

// Sizes in the directory of the archive may be wrong, so unpacked bytes are counted.
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
    if (size > left_) return cannot_read(name + " exceeds the size limit when unpacked");
    left_ -= size;
    text.append(piece.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace cairn::tools
