// Writes rows as records in the formats of query/format/output.cpp. The first node of a row becomes
// the record, the column `score` its score, and relationships are added to it. Other columns are
// shown as context. In rows without a node, `content` and `id` form the record. All rows are stored
// until the end, because the formats begin with the number of rows.
#include "tools/text/cell_text.hpp"
#include "tools/text/row_writers.hpp"

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

namespace cairn::tools {
namespace {

using memory::OutputItem;

OutputItem item_of(const Node& node) {
  FacetedPage page;
  page.nodes.push_back(node);
  return std::move(memory::output_of(page).items.front());
}

// Accepts a relationship, or a list of relationships only.
bool add_relationships(const Value& value, OutputItem& item) {
  const List single{value};
  const List& list = value.list() != nullptr ? *value.list() : single;
  const auto is_one = [](const Value& one) { return one.get_if<Relationship>() != nullptr; };
  if (list.empty() || !std::ranges::all_of(list, is_one)) return false;
  for (const Value& one : list) item.relationships.push_back(one.as_relationship());
  return true;
}

std::optional<double> number_of(const Value& value) {
  if (const auto* integer = value.get_if<std::int64_t>()) return static_cast<double>(*integer);
  const auto* floating = value.get_if<double>();
  return floating == nullptr ? std::nullopt : std::optional(*floating);
}

/// Assigns a column by its name: score is the relevance; content and id form a record if the row
/// has no node. Relationships are added as such, everything else as context.
void add_column(const std::string& column, const Value& value, bool has_node, OutputItem& item) {
  if (column == "score" && value.is_number()) {
    item.score = number_of(value);
  } else if (!has_node && column == "content" && value.string() != nullptr) {
    item.record.content = value.as_string();
  } else if (!has_node && column == "id" && value.string() != nullptr) {
    item.record.external_id = value.as_string();
  } else if (!add_relationships(value, item)) {
    item.columns.insert_or_assign(column, value);
  }
}

/// The format shows only contents of records and metadata of files, so for other nodes the
/// properties become the content.
void show_properties(OutputItem& item) {
  if (!item.record.content.empty()) return;
  for (const auto& [name, value] : item.record.metadata) {
    item.record.content +=
        (item.record.content.empty() ? "" : ", ") + name + ": " + cell_text(value);
    item.columns.try_emplace(name, value);
  }
}

class OutputWriter final : public RowWriter {
 public:
  OutputWriter(memory::OutputFormat format, std::ostream& out, std::optional<std::string> null_text)
      : format_(format), out_(out), null_text_(std::move(null_text)) {}

  void begin(const std::vector<std::string>& columns) override { columns_ = columns; }

  /// The first node of a row is the record; further nodes are columns.
  void row(std::span<const Value> values) override {
    const auto node = std::ranges::find_if(
        values, [](const Value& value) { return value.get_if<Node>() != nullptr; });
    const bool has_node = node != values.end();
    OutputItem item = has_node ? item_of(node->as_node()) : OutputItem();
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!has_node || &values[i] != &*node)
        add_column(columns_[i], shown(values[i]), has_node, item);
    if (format_ == memory::OutputFormat::rag && has_node) show_properties(item);
    output_.items.push_back(std::move(item));
  }

  void finish() override {
    const std::uint64_t rows = output_.items.size();
    output_.page = {1, rows, rows, rows == 0 ? 0U : 1U, false};
    std::string text = memory::to_text(format_, output_);
    if (!text.ends_with('\n')) text += '\n';
    out_ << text;
  }

 private:
  [[nodiscard]] Value shown(const Value& value) const {
    return value.is_null() && null_text_ ? Value(*null_text_) : value;
  }

  memory::OutputFormat format_;
  std::ostream& out_;
  std::optional<std::string> null_text_;
  std::vector<std::string> columns_;
  memory::Output output_;
};

}  // namespace

std::unique_ptr<RowWriter> make_output_writer(memory::OutputFormat format, std::ostream& out,
                                              std::optional<std::string> null_text) {
  return std::make_unique<OutputWriter>(format, out, std::move(null_text));
}

}  // namespace cairn::tools
