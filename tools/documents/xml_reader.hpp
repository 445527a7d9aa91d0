#pragma once
// XML as events, without trees, declared entities or external files. The only user of expat.

#include "tools/documents/document_text.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::tools {

/// Names without their namespace: `w:p` is "p".
class XmlEvents {
 public:
  using Attributes = std::span<const std::pair<std::string_view, std::string_view>>;

  virtual ~XmlEvents() = default;
  virtual void begin(std::string_view name, Attributes attributes) = 0;
  virtual void end(std::string_view name) = 0;
  virtual void text(std::string_view text) = 0;
  /// True stops the parser.
  [[nodiscard]] virtual bool is_done() const { return false; }
};

/// The value of an attribute; empty where it is not there.
[[nodiscard]] std::string_view attribute(XmlEvents::Attributes attributes, std::string_view name);

/// Errors: unsupported where it is no XML, declares a document type (entities live there) or is deeper than may be.
[[nodiscard]] Status read_xml(std::string_view what, std::string_view xml, XmlEvents& events,
                              const DocumentLimits& limits);

/// The text of the elements `title`, as office files of both families have it.
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
