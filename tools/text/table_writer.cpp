// The first 1,000 rows are held back to measure the column widths. If a later cell is wider than
// its column, the column may grow, and the header is then printed again. Numbers, booleans and
// temporal values always get the width they need, because they must not be cut. Without a terminal
// width, all cells get the width they need. With a terminal width, a column grows for other cells
// only into the free width, and longer cells are cut. If the table is too wide, the widest columns
// are shortened first.

#include "tools/text/cell_text.hpp"
#include "tools/text/palette.hpp"
#include "tools/text/quantity.hpp"
#include "tools/text/row_writers.hpp"

#include <algorithm>
#include <ostream>

namespace cairn::tools {
namespace {

constexpr std::size_t sampled_rows = 1'000;
constexpr std::size_t narrowest = 4;
constexpr std::size_t shortest_name = 8;  // least columns for a name, if cells need the space
constexpr std::size_t border = 3;         // columns of " │ " between two columns

struct Cell {
  std::string text;
  bool is_number = false;
  bool is_whole = false;  ///< must not be cut, because the rest would be another value
  std::optional<Paint> paint = std::nullopt;
};

bool is_whole(const Value& value) {
  const ValueType type = value.type();
  return value.is_number() || type == ValueType::boolean ||
         (type >= ValueType::date && type <= ValueType::duration);
}

std::string repeat(std::string_view piece, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += piece;
  return out;
}

std::string padded(const Cell& cell, std::size_t width) {
  std::string text = fit_width(cell.text, width);
  const std::string space(width - std::min(width, display_width(text)), ' ');
  if (cell.paint) text = painted(text, *cell.paint, true);
  return cell.is_number ? space + text : text + space;
}

class TableWriter final : public RowWriter {
 public:
  TableWriter(std::ostream& out, const RowLook& look) : out_(out), look_(look) {}

  void begin(const std::vector<std::string>& columns) override {
    for (const std::string& column : columns) {
      head_.push_back({make_visible(column)});
      if (look_.has_colours) head_.back().paint = Paint::heading;
    }
  }

  void row(std::span<const Value> values) override {
    std::vector<Cell> cells;
    for (const Value& value : values)
      cells.push_back({cell_text(value, look_.null_text), value.is_number(), is_whole(value),
                       look_.has_colours ? paint_of(value) : std::nullopt});
    ++rows_;
    if (settled_) return print_later(cells);
    sample_.push_back(std::move(cells));
    if (sample_.size() >= sampled_rows) settle();
  }

  void finish() override { finish(count_text(rows_)); }
  void finish_cut(const RowTotal& total) override {
    finish(count_text(rows_, total, look_.has_prompt));
  }
  void finish_failed() override { finish(failed_count_text(rows_)); }

 private:
  void finish(const std::string& count) {
    if (head_.empty()) return;
    if (!settled_) settle();
    out_ << count;
    if (is_cut_)
      out_ << "(cells are cut; " << (look_.has_prompt ? ".mode" : "--format")
           << " vertical shows them whole)\n";
  }

  /// Buffers the first rows to measure widths; later rows are written directly.
  void settle() {
    measure();
    shrink();
    settled_ = true;
    print_head();
    for (const std::vector<Cell>& cells : sample_) print_row(cells);
    sample_.clear();
  }

  void print_head() {
    if (!look_.has_headers) return;
    print(head_);
    std::string line;
    for (std::size_t i = 0; i < widths_.size(); ++i)
      line += (i == 0 ? "" : "\xe2\x94\x80\xe2\x94\xbc\xe2\x94\x80") +
              repeat("\xe2\x94\x80", widths_[i]);
    out_ << line << "\n";
  }

  // A cell that is wider than its column widens the table, whose head is then printed once more.
  void print_later(const std::vector<Cell>& cells) {
    bool has_grown = false;
    for (std::size_t i = 0; i < cells.size(); ++i) has_grown |= grow(i, cells[i]);
    if (has_grown) {
      shrink();
      out_ << "\n";
      print_head();
    }
    print_row(cells);
  }

  void print_row(const std::vector<Cell>& cells) {
    for (std::size_t i = 0; is_bounded() && !is_cut_ && i < cells.size(); ++i)
      is_cut_ = display_width(cells[i].text) > widths_[i];
    print(cells);
  }

  /// Grows by at least a quarter, so that a column that grows row by row causes few headers.
  bool grow(std::size_t column, const Cell& cell) {
    const std::size_t needed = display_width(cell.text);
    const std::size_t before = widths_[column];
    if (cell.is_whole) least_[column] = std::max(least_[column], needed);
    if (needed <= before) return false;
    std::size_t width = std::max(needed, before + before / 4);
    if (is_bounded() && !cell.is_whole) width = std::min(width, before + free_room());
    widths_[column] = width;
    cells_[column] = std::max(cells_[column], width);
    return width > before;
  }

  /// The width of a row, with borders.
  [[nodiscard]] std::size_t total_width() const {
    std::size_t total = border * (widths_.size() - 1);
    for (const std::size_t width : widths_) total += width;
    return total;
  }

  [[nodiscard]] std::size_t free_room() const {
    return look_.width - std::min(look_.width, total_width());
  }

  [[nodiscard]] bool is_bounded() const { return look_.width != 0; }

  void measure() {
    cells_.assign(head_.size(), 1);
    least_.assign(head_.size(), narrowest);
    for (const std::vector<Cell>& cells : sample_)
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::size_t width = display_width(cells[i].text);
        cells_[i] = std::max(cells_[i], width);
        if (cells[i].is_whole) least_[i] = std::max(least_[i], width);
      }
    widths_ = cells_;
    for (std::size_t i = 0; look_.has_headers && i < head_.size(); ++i)
      widths_[i] = std::max(widths_[i], display_width(head_[i].text));
  }

  /// First shortens the names of columns, because cells matter more; then the widest columns. No
  /// column gets narrower than 4, nor than a cell that must not be cut, so the table may stay wider
  /// than the terminal.
  void shrink() {
    if (!is_bounded()) return;
    std::vector<std::size_t> with_names = cells_;
    for (std::size_t& width : with_names) width = std::max(width, shortest_name);
    shrink_to(with_names);
    shrink_to(least_);
  }

  /// Shortens the widest columns first, none below its minimum.
  void shrink_to(const std::vector<std::size_t>& least) {
    for (std::size_t total = total_width(); total > look_.width; --total) {
      std::size_t* widest = nullptr;
      for (std::size_t i = 0; i < widths_.size(); ++i)
        if (widths_[i] > least[i] && (widest == nullptr || widths_[i] > *widest))
          widest = &widths_[i];
      if (widest == nullptr) return;
      --*widest;
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
  RowLook look_;
  std::vector<Cell> head_;
  std::vector<std::vector<Cell>> sample_;
  std::vector<std::size_t> widths_;
  std::vector<std::size_t> cells_;  // width of the widest of the first cells, without the name
  std::vector<std::size_t>
      least_;  // minimum of a column: narrowest, or its widest cell that must not be cut
  std::size_t rows_ = 0;
  bool settled_ = false;
  bool is_cut_ = false;  // true if a cell was cut
};

}  // namespace

std::unique_ptr<RowWriter> make_table_writer(std::ostream& out, const RowLook& look) {
  return std::make_unique<TableWriter>(out, look);
}

// Values are aligned, because column names are padded to one width.

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
