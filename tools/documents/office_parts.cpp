// The file's own relations are in `_rels/.rels`, those of `word/document.xml` in `word/_rels/document.xml.rels`. Targets
// begin at the folder of the part, or with a slash at the top.
#include "tools/documents/office_parts.hpp"

#include "tools/documents/page_writer.hpp"

#include <algorithm>
#include <utility>

namespace cairn::tools {
namespace {

/// "word/" of "word/document.xml".
std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

/// Steps up are taken: "word/../media/x" is "media/x". None leads out of the archive.
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

/// The ids of relations that elements of one name have, in order, with their names.
class ListReader final : public XmlEvents {
 public:
  explicit ListReader(std::string_view element) : element_(element) {}
  void begin(std::string_view name, Attributes attributes) override {
    if (name != element_) return;
    // Both `id` and `r:id` are "id" here; the relation's is the one that is not a number.
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
    // A kind is a URL, of two families; its last part is the same in both.
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

}  // namespace cairn::tools
