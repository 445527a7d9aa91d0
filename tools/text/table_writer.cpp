// Widths of columns are measured on the first 1,000 rows, which are held until then; later rows are
// cut to fit. Within a terminal the widest columns give way first.
#include "tools/text/table_writer.hpp"

#include "tools/text/cell_text.hpp"

#include <algorithm>
#include <ostream>

namespace cairn::tools {
namespace {

constexpr std::size_t sampled_rows = 1'000;
constexpr std::size_t narrowest = 4;
constexpr std::size_t border = 3;  // " │ " between two columns

struct Cell {
  std::string text;
  bool is_number = false;
};

std::string repeat(std::string_view piece, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += piece;
  return out;
}

std::string padded(const Cell& cell, std::size_t width) {
  const std::string text = fit_width(cell.text, width);
  const std::string space(width - std::min(width, display_width(text)), ' ');
  return cell.is_number ? space + text : text + space;
}

class TableWriter final : public RowWriter {
 public:
  TableWriter(std::ostream& out, std::size_t width) : out_(out), width_(width) {}

  void begin(const std::vector<std::string>& columns) override {
    for (const std::string& column : columns) head_.push_back({make_visible(column), false});
  }

  void row(std::span<const Value> values) override {
    std::vector<Cell> cells;
    for (const Value& value : values) cells.push_back({cell_text(value), value.is_number()});
    ++rows_;
    if (settled_) return print(cells);
    sample_.push_back(std::move(cells));
    if (sample_.size() >= sampled_rows) settle();
  }

  void finish() override {
    if (head_.empty()) return;
    if (!settled_) settle();
    if (rows_ == 0)
      out_ << "(no rows)\n";
    else
      out_ << "(" << rows_ << (rows_ == 1 ? " row)\n" : " rows)\n");
  }

 private:
  /// Widths are those of the first rows, which are held back for it; later cells are cut to them,
  /// so that a table streams.
  void settle() {
    measure();
    shrink();
    settled_ = true;
    print(head_);
    std::string line;
    for (std::size_t i = 0; i < widths_.size(); ++i)
      line += (i == 0 ? "" : "\xe2\x94\x80\xe2\x94\xbc\xe2\x94\x80") +
              repeat("\xe2\x94\x80", widths_[i]);
    out_ << line << "\n";
    for (const std::vector<Cell>& cells : sample_) print(cells);
    sample_.clear();
  }

  void measure() {
    for (const Cell& cell : head_)
      widths_.push_back(std::max<std::size_t>(1, display_width(cell.text)));
    for (const std::vector<Cell>& cells : sample_)
      for (std::size_t i = 0; i < cells.size(); ++i)
        widths_[i] = std::max(widths_[i], display_width(cells[i].text));
  }

  /// Not below 4 columns: then the table is wider than the terminal.
  void shrink() {
    if (width_ == 0 || widths_.empty()) return;
    std::size_t total = border * (widths_.size() - 1);
    for (std::size_t width : widths_) total += width;
    while (total > width_) {
      auto widest = std::max_element(widths_.begin(), widths_.end());
      if (*widest <= narrowest) return;
      --*widest;
      --total;
    }
  }

  void print(const std::vector<Cell>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i)
      line += (i == 0 ? "" : " \xe2\x94\x82 ") + padded(cells[i], widths_[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    out_ << line << "\n";
  }

  std::ostream& out_;
  std::size_t width_;
  std::vector<Cell> head_;
  std::vector<std::vector<Cell>> sample_;
  std::vector<std::size_t> widths_;
  std::size_t rows_ = 0;
  bool settled_ = false;
};

}  // namespace

std::unique_ptr<RowWriter> make_table_writer(std::ostream& out, std::size_t width) {
  return std::make_unique<TableWriter>(out, width);
}

}  // namespace cairn::tools
