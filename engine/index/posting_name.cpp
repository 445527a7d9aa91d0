// Readable names of postings for integrity checks and error messages. Values are shown as bytes,
// since a damaged value may have no valid type. The text of a path comes from the catalog.
#include "engine/index/posting_name.hpp"

#include "codec/byte_io.hpp"
#include "codec/hex.hpp"

namespace cairn::engine {
namespace {

// The name of a path of the engine's own; such paths are not in the catalog.
std::string system_path_text(std::uint32_t path) {
  switch (static_cast<codec::SystemPath>(path)) {
    case codec::SystemPath::all:
      return "(all)";
    case codec::SystemPath::label:
      return "(label)";
    case codec::SystemPath::type:
      return "(type)";
    case codec::SystemPath::name_space:
      return "(namespace)";
    case codec::SystemPath::deleted:
      return "(deleted)";
    case codec::SystemPath::expires_at:
      return "(expires at)";
  }
  return "(path " + std::to_string(path) + ")";
}

std::string_view entry_text(codec::EntryKind entry) {
  switch (entry) {
    case codec::EntryKind::presence:
      return "presence";
    case codec::EntryKind::scalar:
      return "scalar";
    case codec::EntryKind::element:
      return "element";
    case codec::EntryKind::container:
      return "container";
    case codec::EntryKind::instant:
      return "instant";
    case codec::EntryKind::element_presence:
      return "element presence";
  }
  return "unknown";
}

}  // namespace

// Reading beyond the end of a damaged name is safe: the cursor returns zeros.
std::string posting_text(std::string_view posting, const Catalog& catalog) {
  codec::ByteCursor cursor(posting);
  static_cast<void>(cursor.read_byte());  // the caller shows the kind separately
  const auto path = cursor.read_big<std::uint32_t>();
  const auto entry = static_cast<codec::EntryKind>(cursor.read_byte());
  const codec::PathEntry* known = catalog.path(path);
  return (known != nullptr ? known->text : system_path_text(path)) + " " +
         std::string(entry_text(entry)) + " " + codec::hex_text(cursor.rest());
}

}  // namespace cairn::engine
