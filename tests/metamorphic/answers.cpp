#include "tests/metamorphic/answers.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace cairn::test {
namespace {

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text.append("\n    ").append(line);
  return text;
}

std::string number_text(double number) {
  constexpr double bound = 9'223'372'036'854'775'808.0;  // 2^63
  const bool is_integer = std::trunc(number) == number && number >= -bound && number < bound;
  return is_integer ? std::to_string(static_cast<std::int64_t>(number)) : Value(number).to_text();
}

std::string bracketed(const Lines& items, const char* open, const char* close) {
  std::string text = open;
  for (const std::string& item : items) {
    if (&item != &items.front()) text.append(", ");
    text.append(item);
  }
  return text.append(close);
}

Lines items_of(const List& list) {
  Lines items;
  std::ranges::transform(list, std::back_inserter(items), canonical);
  return items;
}

template <class Text>
Lines lines_with(const Table& table, Text text) {
  Lines lines;
  for (const auto& row : table) {
    std::string line;
    for (const Value& cell : row)
      line.append(&cell == &row.front() ? "" : " | ").append(text(cell));
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string described(const std::string& text, const Parameters& parameters,
                      const StatementOptions& options) {
  std::string about = text;
  if (!parameters.empty()) about.append("\n  with ").append(describe(parameters));
  if (!options.disabled_rules.empty())
    about.append("\n  without the rules ").append(options.disabled_rules);
  return about;
}

}  // namespace

Table Answers::rows(const std::string& text, const Parameters& parameters,
                    const StatementOptions& options) const {
  auto table = read_rows(reader_, text, parameters, options);
  if (!table)
    throw Disagreement(described(text, parameters, options) +
                       "\n  failed: " + describe(table.error()));
  return *std::move(table);
}

Lines Answers::lines(const std::string& text, const Parameters& parameters,
                     const StatementOptions& options) const {
  return lines_of(rows(text, parameters, options));
}

Value Answers::value(const std::string& text, const Parameters& parameters) const {
  const Table table = rows(text, parameters);
  if (table.size() != 1 || table.front().size() != 1)
    throw Disagreement(text + "\n  has not one value but " + std::to_string(table.size()) +
                       " rows");
  return table.front().front();
}

void Answers::expect_same(const std::string& about, const Lines& expected, const Lines& found) {
  Lines left = expected, right = found;
  std::ranges::sort(left);
  std::ranges::sort(right);
  expect_same_order(about, left, right);
}

void Answers::expect_same_order(const std::string& about, const Lines& expected,
                                const Lines& found) {
  ++compared_;
  if (expected == found) return;
  throw Disagreement(about + "\n  one answer:" + joined(expected) +
                     "\n  the other:" + joined(found));
}

std::string canonical(const Value& value) {
  if (const auto* number = value.get_if<double>()) return number_text(*number);
  if (const List* list = value.list()) return bracketed(items_of(*list), "[", "]");
  const Map* map = value.map();
  if (map == nullptr) return describe(value);
  Lines entries;
  for (const auto& [key, item] : *map) entries.push_back(key + ": " + canonical(item));
  return bracketed(entries, "{", "}");
}

std::string canonical_bag(const Value& value) {
  const List* list = value.list();
  if (list == nullptr) return canonical(value);
  Lines items = items_of(*list);
  std::ranges::sort(items);
  return bracketed(items, "[", "]");
}

Lines lines_of(const Table& table) { return lines_with(table, canonical); }

Lines bag_lines_of(const Table& table) { return lines_with(table, canonical_bag); }

Lines distinct(Lines lines) {
  std::ranges::sort(lines);
  const auto rest = std::ranges::unique(lines);
  lines.erase(rest.begin(), rest.end());
  return lines;
}

}  // namespace cairn::test
