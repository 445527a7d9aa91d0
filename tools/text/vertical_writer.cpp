// Values stand below each other, since names of columns are filled up to one width.
#include "tools/text/vertical_writer.hpp"

#include "tools/text/cell_text.hpp"

#include <algorithm>
#include <ostream>

namespace cairn::tools {
namespace {

class VerticalWriter final : public RowWriter {
 public:
  VerticalWriter(std::ostream& out, const RowLook& look) : out_(out), null_text_(look.null_text) {}

  void begin(const std::vector<std::string>& columns) override {
    std::size_t widest = 0;
    for (const std::string& column : columns) {
      names_.push_back(make_visible(column));
      widest = std::max(widest, display_width(names_.back()));
    }
    for (std::string& name : names_) name.append(widest - display_width(name), ' ');
  }

  void row(std::span<const Value> values) override {
    out_ << "-[ row " << ++rows_ << " ]-\n";
    for (std::size_t i = 0; i < values.size(); ++i)
      out_ << names_[i] << " \xe2\x94\x82 " << cell_text(values[i], null_text_) << "\n";
  }

  void finish() override {
    if (names_.empty()) return;
    if (rows_ == 0)
      out_ << "(no rows)\n";
    else
      out_ << "(" << rows_ << (rows_ == 1 ? " row)\n" : " rows)\n");
  }

 private:
  std::ostream& out_;
  std::optional<std::string> null_text_;
  std::vector<std::string> names_;
  std::size_t rows_ = 0;
};

}  // namespace

std::unique_ptr<RowWriter> make_vertical_writer(std::ostream& out, const RowLook& look) {
  return std::make_unique<VerticalWriter>(out, look);
}

}  // namespace cairn::tools
