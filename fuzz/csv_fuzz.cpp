// Reads a CSV file in pieces of different sizes: records or error must be the same. Records are
// written with every text in quotes and must be read back equal. Each field is converted to a
// value.
//
// input := delimiter byte, text

#include "fuzz/support/expect.hpp"
#include "fuzz/support/outcome.hpp"
#include "tools/transfer/csv_import.hpp"

#include <cairn/csv.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace cairn;
using namespace cairn::fuzz;

constexpr std::size_t most_bytes = 1'024;

using Records = std::vector<std::vector<CsvField>>;

/// The records of a file, and the error that ended it.
struct Read {
  Records records;
  std::vector<std::uint64_t> lines;
  std::string error;

  friend bool operator==(const Read&, const Read&) = default;
};

/// Reads a file that delivers at most `piece` bytes at a time.
Read read(std::string_view text, std::size_t piece, const CsvOptions& options) {
  CsvReader reader(
      "f",
      [text, piece](std::span<char> room) mutable -> Result<std::size_t> {
        const std::size_t size = std::min({text.size(), piece, room.size()});
        std::ranges::copy(text.substr(0, size), room.begin());
        text.remove_prefix(size);
        return size;
      },
      options);
  Read result;
  std::vector<CsvField> record;
  while (true) {
    const auto is_there = reader.next(record);
    if (!is_there) result.error = is_there.error().message;
    if (!is_there || !*is_there) break;
    expect(!record.empty());
    result.records.push_back(record);
    result.lines.push_back(reader.line());
  }
  const auto behind = reader.next(record);
  expect(behind.has_value() && !*behind);
  return result;
}

/// Writes records as CSV.
std::string written(const Records& records, char delimiter) {
  std::string text;
  for (const auto& record : records) {
    for (std::size_t i = 0; i < record.size(); ++i) {
      if (i != 0) text += delimiter;
      if (record[i].is_missing()) continue;
      text += '"';
      for (const char c : record[i].text)
        text += c == '"' ? std::string("\"\"") : std::string(1, c);
      text += '"';
    }
    text += "\r\n";
  }
  return text;
}

bool are_same(const Records& one, const Records& other) {
  const auto same = [](const CsvField& a, const CsvField& b) {
    return a.text == b.text && a.is_missing() == b.is_missing();
  };
  return std::ranges::equal(
      one, other, [&](const auto& a, const auto& b) { return std::ranges::equal(a, b, same); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > most_bytes) return -1;
  const std::string_view text = text_of(data, size);
  CsvOptions options{.delimiter = text.front(), .max_field_bytes = 256, .max_record_bytes = 2'048};
  if (std::string_view("\"\r\n\0", 4).find(options.delimiter) != std::string_view::npos) return -1;
  if (static_cast<unsigned char>(options.delimiter) >= 0x80) return -1;
  const Read whole = read(text.substr(1), most_bytes, options);
  expect(read(text.substr(1), 1, options) == whole);
  expect(read(text.substr(1), 7, options) == whole);
  const Read again = read(written(whole.records, options.delimiter), 64, options);
  expect(again.error.empty(), again.error);
  expect(are_same(again.records, whole.records));
  for (const auto& record : whole.records)
    for (const CsvField& field : record)
      expect(tools::csv_value(field).is_null() == field.is_missing());
  return 0;
}
