// CsvReader: what belongs to a field, where records end, and what is refused with which line.

#include "tests/support/rounds.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/csv.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace cairn {
namespace {

using Records = std::vector<std::vector<CsvField>>;

/// Gives a text in pieces.
CsvSource source_of(std::string text, std::size_t piece) {
  return [text = std::move(text), piece,
          at = std::size_t{0}](std::span<char> room) mutable -> Result<std::size_t> {
    const std::size_t size = std::min({text.size() - at, piece, room.size()});
    std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(at), size, room.begin());
    at += size;
    return size;
  };
}

struct Read {
  Records records;
  std::vector<std::uint64_t> lines;
  std::string error = "none";
};

Read read(const std::string& text, const CsvOptions& options = {}, std::size_t piece = 3) {
  CsvReader reader("f.csv", source_of(text, piece), options);
  Read result;
  std::vector<CsvField> record;
  while (true) {
    const auto is_there = reader.next(record);
    if (!is_there) result.error = is_there.error().message;
    if (!is_there || !*is_there) return result;
    result.records.push_back(record);
    result.lines.push_back(reader.line());
  }
}

/// Fields with bars between them, records with line breaks; missing ones are "-".
std::string shown(const Records& records) {
  std::string text;
  for (const auto& record : records) {
    for (std::size_t i = 0; i < record.size(); ++i)
      text += (i == 0 ? "" : "|") + (record[i].is_missing() ? "-" : record[i].text);
    text += "\n";
  }
  return text;
}

std::string shown(const std::string& text, const CsvOptions& options = {}) {
  const Read all = read(text, options);
  BOOST_TEST(all.error == "none");
  return shown(all.records);
}

std::string refusal(const std::string& text, const CsvOptions& options = {}) {
  return read(text, options).error;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(csv_reader)

BOOST_AUTO_TEST_CASE(fields_are_between_separators) {
  BOOST_TEST(shown("a,b\n1,2\n") == "a|b\n1|2\n");
  BOOST_TEST(shown("a,b") == "a|b\n");
  BOOST_TEST(shown("a;b;c\n", {.delimiter = ';'}) == "a|b|c\n");
  BOOST_TEST(shown("a\tb,c\n", {.delimiter = '\t'}) == "a|b,c\n");
  BOOST_TEST(shown(",x,\n,,\n") == "-|x|-\n-|-|-\n");
  BOOST_TEST(shown(" a , b \n") == " a | b \n");  // blanks belong to a field
  BOOST_TEST(shown("") == "");
}

BOOST_AUTO_TEST_CASE(quotes_keep_what_is_in_them) {
  BOOST_TEST(shown("\"a,b\",\"c\"\"d\",\"e\r\nf\"\r\n") == "a,b|c\"d|e\r\nf\n");
  BOOST_TEST(shown("\"\",\"\"\"\"\n") == "|\"\n");
  BOOST_TEST(shown("a\"b,c\"\n") == "a\"b|c\"\n");  // not at the beginning: a letter as any other
  BOOST_TEST(read("\"\",\n").records[0][0].is_missing() == false);
  BOOST_TEST(read("\"\",\n").records[0][1].is_missing());
}

BOOST_AUTO_TEST_CASE(lines_end_in_either_way) {
  BOOST_TEST(shown("a\r\nb\nc\r\n\"d\"\r\n\"e\"") == "a\nb\nc\nd\ne\n");
  BOOST_TEST(shown("\n\r\na\n\n\nb\n\n") == "a\nb\n");
  BOOST_TEST(shown("\xef\xbb\xbf\"a\"\nb\xef\xbb\xbf\n") == "a\nb\xef\xbb\xbf\n");
  const std::vector<std::uint64_t> lines{2, 3, 6};
  BOOST_TEST(read("\na\n\"b\n\nc\"\nd\n").lines == lines, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_refused_has_file_and_line) {
  BOOST_TEST(refusal("a\n\"b\nc") == "f.csv, line 2: a quote is opened and never closed");
  BOOST_TEST(refusal("a\nb,\"c\"d\n") ==
             "f.csv, line 2: field 2 continues after its closing quote; double a quote within a "
             "field");
  BOOST_TEST(refusal("a\n\nb,\xff\n") ==
             "f.csv, line 3: field 2 is not valid UTF-8; convert the file with iconv");
  BOOST_TEST(refusal(std::string("a\0b", 3)) == "f.csv, line 1: a NUL byte is not text");
  BOOST_TEST(refusal("a\n12345", {.max_field_bytes = 4}) ==
             "f.csv, line 2: field 1 has more than 4 bytes; is a quote not closed?");
  BOOST_TEST(refusal("a,b\n" + std::string(100, ','), {.max_record_bytes = 1'000}) ==
             "f.csv, line 2: the record has more than 1000 bytes");
}

BOOST_AUTO_TEST_CASE(an_error_of_the_source_is_given_on) {
  CsvReader reader("f.csv",
                   [](std::span<char>) -> Result<std::size_t> {
                     return Error{ErrorCode::io_error, "the disk is gone", std::nullopt};
                   },
                   {});
  std::vector<CsvField> record;
  BOOST_TEST((reader.next(record).error().code == ErrorCode::io_error));
  BOOST_TEST(*reader.next(record) == false);
}

BOOST_AUTO_TEST_CASE(any_records_are_written_and_read_alike_in_any_pieces) {
  test::ValueGenerator random(test::test_seed());
  constexpr std::string_view letters = "ab,;\"\n\r \xc3\xa4";
  for (std::size_t round = 0; round < test::rounds(300, 20'000); ++round) {
    Records records(1 + random.below(4));
    std::string text;
    for (auto& record : records) {
      record.resize(1 + random.below(4));
      for (CsvField& field : record) {
        field.is_quoted = true;
        for (std::size_t i = random.below(6); i > 0; --i) {
          const char c = letters[random.below(letters.size() - 2)];
          field.text += random.below(5) == 0 ? std::string("\xc3\xa4") : std::string(1, c);
        }
        if (&field != &record.front()) text += ',';
        text += '"';
        for (const char c : field.text) text += c == '"' ? "\"\"" : std::string(1, c);
        text += '"';
      }
      text += random.boolean() ? "\n" : "\r\n";
    }
    const Read all = read(text, {}, 1 + random.below(9));
    BOOST_TEST_CONTEXT("CAIRN_TEST_SEED=" << test::test_seed() << ", round " << round)
    BOOST_TEST((all.records == records), text);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn
