// Values stand below each other, since names of columns are filled up to one width.
#include "tools/text/cell_text.hpp"
#include "tools/text/palette.hpp"
#include "tools/text/row_count.hpp"
#include "tools/text/row_writers.hpp"

#include <algorithm>
#include <ostream>

namespace cairn::tools {
namespace {

class VerticalWriter final : public RowWriter {
 public:
  VerticalWriter(std::ostream& out, const RowLook& look)
      : out_(out),
        null_text_(look.null_text),
        has_colours_(look.has_colours),
        has_prompt_(look.has_prompt) {}

  void begin(const std::vector<std::string>& columns) override {
    std::size_t widest = 0;
    for (const std::string& column : columns) {
      names_.push_back(make_visible(column));
      widest = std::max(widest, display_width(names_.back()));
    }
    for (std::string& name : names_) {
      const std::string space(widest - display_width(name), ' ');
      name = painted(name, Paint::heading, has_colours_) + space;
    }
  }

  void row(std::span<const Value> values) override {
    out_ << "-[ row " << ++rows_ << " ]-\n";
    for (std::size_t i = 0; i < values.size(); ++i)
      out_ << names_[i] << " \xe2\x94\x82 " << text_of(values[i]) << "\n";
  }

  void finish() override { finish(count_text(rows_)); }
  void finish_cut(const RowTotal& total) override { finish(count_text(rows_, total, has_prompt_)); }
  void finish_failed() override { finish(failed_count_text(rows_)); }

 private:
  void finish(const std::string& count) {
    if (!names_.empty()) out_ << count;
  }

  [[nodiscard]] std::string text_of(const Value& value) const {
    const auto paint = paint_of(value);
    const std::string text = cell_text(value, null_text_);
    return paint ? painted(text, *paint, has_colours_) : text;
  }

  std::ostream& out_;
  std::optional<std::string> null_text_;
  bool has_colours_;
  bool has_prompt_;
  std::vector<std::string> names_;
  std::size_t rows_ = 0;
};

}  // namespace

std::unique_ptr<RowWriter> make_vertical_writer(std::ostream& out, const RowLook& look) {
  return std::make_unique<VerticalWriter>(out, look);
}

}  // namespace cairn::tools
