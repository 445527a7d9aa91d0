#pragma once
// Parses XML as events, without trees, declared entities or external files. The only user of expat.

#include "tools/documents/document_text.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::tools {

/// Receives events. Names have no namespace: `w:p` is "p".
class XmlEvents {
 public:
  using Attributes = std::span<const std::pair<std::string_view, std::string_view>>;

  virtual ~XmlEvents() = default;
  virtual void begin(std::string_view name, Attributes attributes) = 0;
  virtual void end(std::string_view name) = 0;
  virtual void text(std::string_view text) = 0;
  /// Returns true to stop the parser.
  [[nodiscard]] virtual bool is_done() const { return false; }
};

/// Returns the value of an attribute; empty if it is absent.
[[nodiscard]] std::string_view attribute(XmlEvents::Attributes attributes, std::string_view name);

/// Parses a text, which `what` names in errors. Errors: unsupported if it is not XML, declares a
/// document type (which may define entities) or nests too deeply.
[[nodiscard]] Status read_xml(std::string_view what, std::string_view xml, XmlEvents& events,
                              const DocumentLimits& limits);

/// Reads the elements `title`, which office files of both families have.
class TitleReader final : public XmlEvents {
 public:
  void begin(std::string_view name, Attributes) override { is_title_ = name == "title"; }
  void end(std::string_view) override { is_title_ = false; }
  void text(std::string_view text) override {
    if (is_title_) title += text;
  }

  std::string title;

 private:
  bool is_title_ = false;
};

}  // namespace cairn::tools
