// Runs statements under tight limits and converts their results or errors to comparable text. An
// error that indicates damage, or that has no message, is itself a finding.
#include "fuzz/support/outcome.hpp"

#include "fuzz/support/expect.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <utility>

namespace cairn::fuzz {

StatementOptions tight_limits() {
  StatementOptions options;
  options.timeout = std::chrono::milliseconds(500);
  options.memory_bytes = std::size_t{16} << 20;
  options.max_rows = most_rows;
  options.now = 1'767'225'600'000'000;  // 2026-01-01T00:00:00Z
  return options;
}

const Parameters& sample_parameters() {
  static const Parameters parameters{
      {"null", nullptr},
      {"yes", true},
      {"one", 1},
      {"ratio", 0.5},
      {"text", "Ada drinks tea"},
      {"list", list_of({1, 2, 3})},
      {"map", Map{{"a", 1}, {"b", nullptr}}},
      {"day", Date{20'454}},
      {"vector", Vector({0.5F, 0.5F, 0.5F})},
      {"filter", Map{{"field", "age"}, {"operator", "greater_than"}, {"value", 30}}},
  };
  return parameters;
}

bool Outcome::is_limited() const {
  return error && (error->code == ErrorCode::resource_limit || error->code == ErrorCode::cancelled);
}

std::string Outcome::to_text() const {
  if (error) return std::string(to_string(error->code)) + ": " + error->message;
  std::string text = std::to_string(rows.size()) + " rows";
  for (const std::string& row : rows) text += "\n  " + row;
  return text;
}

namespace {

Outcome failed(Error error) {
  const bool is_damage = error.code == ErrorCode::corruption || error.code == ErrorCode::io_error;
  expect(!is_damage && !error.message.empty(), error.message);
  Outcome outcome;
  outcome.error = std::move(error);
  return outcome;
}

std::string row_text(const std::vector<Value>& row) {
  std::string text;
  for (const Value& value : row) text += (text.empty() ? "" : " | ") + value.to_text();
  return text;
}

}  // namespace

Outcome outcome_of(Result<Rows> rows) {
  if (!rows) return failed(std::move(rows).error());
  Outcome outcome;
  while (true) {
    auto row = rows->next();
    if (!row) return failed(std::move(row).error());
    if (!*row) break;
    expect((*row)->size() == rows->columns().size());
    outcome.values.emplace_back((*row)->begin(), (*row)->end());
    outcome.rows.push_back(row_text(outcome.values.back()));
  }
  expect(outcome.rows.size() <= most_rows);
  outcome.changes = rows->changes();
  static_cast<void>(rows->warnings());
  static_cast<void>(rows->plan());
  return outcome;
}

void expect_alike(const Outcome& a, const Outcome& b, const std::string& about) {
  if (a.is_limited() || b.is_limited()) return;
  const bool same = a.error.has_value() == b.error.has_value() &&
                    (!a.error || a.error->code == b.error->code) && a.rows == b.rows;
  expect(same, about + "\n" + a.to_text() + "\n" + b.to_text());
}

bool is_repeatable(std::string_view text) {
  static constexpr std::array<std::string_view, 6> words{"rand",    "realtime", "show",
                                                         "indexes", "profile",  "timer"};
  const auto is_letter = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  };
  return std::ranges::none_of(words, [&](std::string_view word) {
    return std::search(text.begin(), text.end(), word.begin(), word.end(), is_letter) != text.end();
  });
}

}  // namespace cairn::fuzz
