#include "tests/model/readers.hpp"

#include "tests/support/threads_of_run.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cairn::test {
namespace {

// Works on a const Snapshot and on a Transaction.
template <class Place>
Result<Rows> run_on(Place& place, std::string_view text, const Parameters& parameters,
                    const StatementOptions& options) {
  CAIRN_ASSIGN(const Statement statement, Statement::parse(text));
  return statement.run(place, parameters, with_threads_of_run(options));
}

std::string joined(const Lines& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < 5; ++i) text += "\n    " + lines[i];
  return lines.size() > 5 ? text + "\n    ..." : text;
}

Lines minus(const Lines& a, const Lines& b) {
  Lines rest;
  std::ranges::set_difference(a, b, std::back_inserter(rest));
  return rest;
}

}  // namespace

Reader reader_of(const Snapshot& snapshot) {
  return [&snapshot](std::string_view text, const Parameters& parameters,
                     const StatementOptions& options) {
    return run_on(snapshot, text, parameters, options);
  };
}

Reader reader_of(Transaction& transaction) {
  return [&transaction](std::string_view text, const Parameters& parameters,
                        const StatementOptions& options) {
    return run_on(transaction, text, parameters, options);
  };
}

Result<std::vector<std::vector<Value>>> read_rows(const Reader& reader, std::string_view text,
                                                  const Parameters& parameters,
                                                  const StatementOptions& options) {
  CAIRN_ASSIGN(Rows rows, reader(text, parameters, options));
  return rows.all();
}

Result<Lines> read_lines(const Reader& reader, std::string_view text, const Parameters& parameters,
                         const StatementOptions& options) {
  CAIRN_ASSIGN(const auto rows, read_rows(reader, text, parameters, options));
  Lines lines;
  for (const auto& row : rows) {
    std::string line;
    for (const Value& cell : row) line += (line.empty() ? "" : " | ") + describe(cell);
    lines.push_back(std::move(line));
  }
  return lines;
}

Difference compare_lines(std::string_view about, Lines expected, Lines found) {
  std::ranges::sort(expected);
  std::ranges::sort(found);
  if (expected == found) return {};
  return std::string(about) + "\n  missing:" + joined(minus(expected, found)) +
         "\n  too many:" + joined(minus(found, expected));
}

Difference expect_lines(const Reader& reader, std::string_view text, const Parameters& parameters,
                        Lines expected, const StatementOptions& options) {
  auto found = read_lines(reader, text, parameters, options);
  const std::string about = std::string(text) + "\n  with " + describe(parameters);
  if (!found) return about + "\n  failed: " + describe(found.error());
  return compare_lines(about, std::move(expected), *std::move(found));
}

std::string describe(const Error& error) {
  return std::string(to_string(error.code)) + ": " + error.message;
}

std::string describe(const ModelNode& node) {
  std::string text = "(";
  for (const std::string& label : node.labels) text += ":" + label;
  return text + " " + Value(node.properties).to_text() + " " + node.external_id + ")";
}

std::string describe(const ModelRelationship& relationship) {
  return "[" + std::to_string(relationship.source.value) + " " + relationship.type + " " +
         std::to_string(relationship.target.value) + " " +
         Value(relationship.properties).to_text() + "]";
}

std::string describe(const Value& cell) {
  if (const auto* node = cell.get_if<Node>())
    return describe(ModelNode{
        {node->labels().begin(), node->labels().end()}, node->properties(), node->external_id()});
  if (const auto* found = cell.get_if<Relationship>())
    return describe(
        ModelRelationship{found->type(), found->source(), found->target(), found->properties()});
  return cell.to_text();
}

std::string describe(const Parameters& parameters) { return Value(parameters).to_text(); }

}  // namespace cairn::test
