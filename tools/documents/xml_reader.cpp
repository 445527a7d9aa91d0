// Wraps expat. Its callbacks strip namespaces, limit the nesting and stop the parser at the first
// problem. A document type is refused, because it could declare entities that expand to huge texts
// or read files.
#include "tools/documents/xml_reader.hpp"

#include "tools/documents/page_writer.hpp"

#include <expat.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace cairn::tools {
namespace {

/// Separates namespace and name; neither can contain it.
constexpr char mark = '\x1f';

struct Free {
  void operator()(XML_ParserStruct* parser) const noexcept { XML_ParserFree(parser); }
};

std::string_view local_name(const XML_Char* name) {
  const std::string_view whole = name;
  const std::size_t at = whole.rfind(mark);
  return at == std::string_view::npos ? whole : whole.substr(at + 1);
}

/// The state of the parser's callbacks; stops at the first problem.
struct Reading {
  XML_Parser parser;
  XmlEvents& events;
  std::size_t depth_left;
  std::string problem = {};
  std::vector<std::pair<std::string_view, std::string_view>> attributes = {};

  void stop(std::string reason) {
    if (problem.empty()) problem = std::move(reason);
    XML_StopParser(parser, XML_FALSE);
  }

  static Reading& of(void* user) { return *static_cast<Reading*>(user); }

  static void begin(void* user, const XML_Char* name, const XML_Char** pairs) {
    Reading& reading = of(user);
    if (reading.depth_left == 0) return reading.stop("its elements are nested too deep");
    --reading.depth_left;
    reading.attributes.clear();
    for (; pairs[0] != nullptr; pairs += 2)
      reading.attributes.emplace_back(local_name(pairs[0]), pairs[1]);
    reading.events.begin(local_name(name), reading.attributes);
    if (reading.events.is_done()) XML_StopParser(reading.parser, XML_FALSE);
  }

  static void end(void* user, const XML_Char* name) {
    Reading& reading = of(user);
    ++reading.depth_left;
    reading.events.end(local_name(name));
  }

  static void text(void* user, const XML_Char* bytes, int size) {
    Reading& reading = of(user);
    reading.events.text({bytes, static_cast<std::size_t>(size)});
    if (reading.events.is_done()) XML_StopParser(reading.parser, XML_FALSE);
  }

  static void doctype(void* user, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    of(user).stop("it declares a document type, which office files do not");
  }
};

}  // namespace

std::string_view attribute(XmlEvents::Attributes attributes, std::string_view name) {
  for (const auto& [known, value] : attributes)
    if (known == name) return value;
  return {};
}

// Passes the text in pieces, whose size has at most 31 bits, the limit of the parser. The pieces
// are large, because the parser reads the start of a long token again with each piece.
Status read_xml(std::string_view what, std::string_view xml, XmlEvents& events,
                const DocumentLimits& limits) {
  const std::unique_ptr<XML_ParserStruct, Free> parser(XML_ParserCreateNS(nullptr, mark));
  if (!parser) return cannot_read("not enough memory for an XML parser");
  Reading reading{parser.get(), events, limits.depth};
  XML_SetUserData(parser.get(), &reading);
  XML_SetElementHandler(parser.get(), Reading::begin, Reading::end);
  XML_SetCharacterDataHandler(parser.get(), Reading::text);
  XML_SetStartDoctypeDeclHandler(parser.get(), Reading::doctype);
  constexpr std::size_t piece_bytes = std::size_t{1} << 30;
  for (bool is_last = false; !is_last; xml.remove_prefix(std::min(piece_bytes, xml.size()))) {
    const std::string_view piece = xml.substr(0, piece_bytes);
    is_last = piece.size() == xml.size();
    const XML_Status status = XML_Parse(parser.get(), piece.data(), static_cast<int>(piece.size()),
                                        is_last ? XML_TRUE : XML_FALSE);
    if (events.is_done() && reading.problem.empty()) return {};
    if (status == XML_STATUS_OK) continue;
    const std::string reason =
        reading.problem.empty() ? XML_ErrorString(XML_GetErrorCode(parser.get())) : reading.problem;
    return cannot_read(std::string(what) + ", line " +
                       std::to_string(XML_GetCurrentLineNumber(parser.get())) + ": " + reason);
  }
  return {};
}

}  // namespace cairn::tools
