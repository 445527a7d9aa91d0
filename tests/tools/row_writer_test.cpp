#include "tools/text/row_writer.hpp"

#include "tools/text/cell_text.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <limits>
#include <memory>
#include <sstream>
#include <vector>

using cairn::Value;
using namespace cairn::tools;

namespace {

using Row = std::vector<Value>;

std::string written(Format format, const std::vector<std::string>& columns,
                    const std::vector<Row>& rows, std::size_t width = 0) {
  std::ostringstream out;
  const auto writer = make_row_writer(format, out, {width});
  writer->begin(columns);
  for (const Row& row : rows) writer->row(row);
  writer->finish();
  return out.str();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(row_writer)

BOOST_AUTO_TEST_CASE(vertical_rows_have_a_line_for_each_column) {
  BOOST_TEST(written(Format::vertical, {"name", "n"}, {{"Ada\n", 1}, {"Bob", Value()}}) ==
             "-[ row 1 ]-\nname \xe2\x94\x82 Ada\\n\nn    \xe2\x94\x82 1\n"
             "-[ row 2 ]-\nname \xe2\x94\x82 Bob\nn    \xe2\x94\x82 null\n(2 rows)\n");
  BOOST_TEST(written(Format::vertical, {"a"}, {}) == "(no rows)\n");
}

BOOST_AUTO_TEST_CASE(null_has_the_text_that_was_chosen) {
  const auto of = [](Format format) {
    std::ostringstream out;
    const auto writer = make_row_writer(format, out, {.null_text = "-"});
    const std::vector<Value> row = {Value(), "null"};
    writer->begin({"a", "b"});
    writer->row(row);
    writer->finish();
    return out.str();
  };
  BOOST_TEST(of(Format::csv) == "a,b\r\n-,null\r\n");
  BOOST_TEST(of(Format::vertical).find("a \xe2\x94\x82 -\n") != std::string::npos);
  BOOST_TEST(of(Format::table).find("- \xe2\x94\x82 null\n") != std::string::npos);
  BOOST_TEST(of(Format::markdown).find("| - | null |") != std::string::npos);
  BOOST_TEST(of(Format::llm).find("- a: -") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_table_aligns_wide_characters) {
  BOOST_TEST(written(Format::table, {"name", "n"}, {{"日本", 1}, {"ab", 22}}) ==
                 "name │ n\n"
                 "─────┼───\n"
                 "日本 │  1\n"
                 "ab   │ 22\n"
                 "(2 rows)\n",
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_empty_table_says_so) {
  BOOST_TEST(written(Format::table, {"a"}, {}).find("(no rows)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_table_fits_its_width) {
  std::istringstream lines(
      written(Format::table, {"a", "b"}, {{std::string(300, 'x'), std::string(50, 'y')}}, 60));
  for (std::string line; std::getline(lines, line);) BOOST_TEST(display_width(line) <= 60U);
}

namespace {

// Behind the rows that widths are measured on.
std::vector<Row> rows_that_end_with(Row last) {
  std::vector<Row> rows(1'000, Row{1, "a"});
  rows.push_back(std::move(last));
  return rows;
}

}  // namespace

BOOST_AUTO_TEST_CASE(without_a_terminal_no_cell_is_cut) {
  const std::string text(200, 'x');
  const std::string table =
      written(Format::table, {"n", "t"}, rows_that_end_with({1'234'567'890, text}));
  BOOST_TEST(table.find("1 \xe2\x94\x82 a\n\nn") != std::string::npos);  // the header once more
  BOOST_TEST(table.find("1234567890 \xe2\x94\x82 " + text + "\n(1,001 rows)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_terminal_cuts_text_and_neither_numbers_nor_dates) {
  const Value date = cairn::parse_literal("date('2020-01-01')").value();
  const std::string first = written(Format::table, {"t", "d"}, {{std::string(90, 'x'), date}}, 20);
  BOOST_TEST(first.find("2020-01-01") != std::string::npos);
  const std::string later = written(Format::table, {"n", "t"},
                                    rows_that_end_with({-1'234'567'890, std::string(90, 'x')}), 20);
  BOOST_TEST(later.find("\n-1234567890 \xe2\x94\x82 ") != std::string::npos);
  BOOST_TEST(later.find(std::string(9, 'x')) == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_later_text_takes_the_room_that_a_terminal_has) {
  const std::string fits =
      written(Format::table, {"n", "t"}, rows_that_end_with({2, "twenty letters, here"}), 40);
  BOOST_TEST(fits.find("2 \xe2\x94\x82 twenty letters, here\n(1,001 rows)\n") != std::string::npos);
  BOOST_TEST(fits.find("cut") == std::string::npos);
  const std::string cut =
      written(Format::table, {"n", "t"}, rows_that_end_with({2, std::string(90, 'x')}), 40);
  BOOST_TEST(cut.find("2 \xe2\x94\x82 " + std::string(35, 'x') + "\xe2\x80\xa6\n") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_cut_is_told_and_names_of_columns_give_way_first) {
  const std::string cut = written(Format::table, {"t"}, {{std::string(90, 'x')}}, 20);
  BOOST_TEST(cut.ends_with("(1 row)\n(cells are cut; --format vertical shows them whole)\n"));
  const std::string whole = written(Format::table, {"a", "a_very_long_name_of_a_column"},
                                    {{"twenty letters, here", 1}}, 32);
  BOOST_TEST(whole.find("twenty letters, here \xe2\x94\x82") != std::string::npos, whole);
  BOOST_TEST(whole.find("cut") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(dates_and_times_are_bare) {
  const Value date = cairn::parse_literal("date('2020-01-01')").value();
  const Value span = cairn::parse_literal("duration('P1D')").value();
  BOOST_TEST(cell_text(date) == "2020-01-01");
  BOOST_TEST(cell_text(span) == "P1D");
  BOOST_TEST(cell_text(cairn::list_of({date})) == "[date('2020-01-01')]");
}

BOOST_AUTO_TEST_CASE(a_column_that_grows_row_by_row_brings_few_headers) {
  std::vector<Row> rows(1'000, Row{"a"});
  for (std::size_t length = 1; length <= 400; ++length) rows.push_back({std::string(length, 'x')});
  const std::string table = written(Format::table, {"column"}, rows);
  std::size_t headers = 0;
  for (std::size_t at = 0; (at = table.find("column\n", at)) != std::string::npos; ++at) ++headers;
  BOOST_TEST(headers > 1U);
  BOOST_TEST(headers < 30U);
}

BOOST_AUTO_TEST_CASE(json_is_an_array_and_jsonl_a_line_each) {
  BOOST_TEST(written(Format::json, {"a"}, {{1}, {2}}) == "[\n{\"a\":1},\n{\"a\":2}\n]\n");
  BOOST_TEST(written(Format::json, {"a"}, {}) == "[]\n");
  BOOST_TEST(written(Format::jsonl, {"b", "a"}, {{1, "x"}}) == "{\"b\":1,\"a\":\"x\"}\n");
}

BOOST_AUTO_TEST_CASE(csv_quotes_what_needs_it) {
  BOOST_TEST(written(Format::csv, {"a", "b"}, {{"x,\"y\"", nullptr}, {"line\nend", 1.5}}) ==
             "a,b\r\n\"x,\"\"y\"\"\",\r\n\"line\nend\",1.5\r\n");
}

BOOST_AUTO_TEST_CASE(csv_writes_what_json_has_no_type_for_bare) {
  const Value date = cairn::parse_literal("date('2020-01-01')").value();
  const Value nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(written(Format::csv, {"a", "b"}, {{date, nan}}) == "a,b\r\n2020-01-01,NaN\r\n");
}

BOOST_AUTO_TEST_CASE(csv_tells_an_empty_string_from_null) {
  BOOST_TEST(written(Format::csv, {"a", "b"}, {{"", nullptr}}) == "a,b\r\n\"\",\r\n");
}

// M0.60, M1.26, M3.32: rows as records, with a node or by the names of columns
BOOST_AUTO_TEST_CASE(formats_of_memories_take_rows_for_records) {
  const cairn::Node node(cairn::NodeId{7},
                         std::make_shared<const cairn::Node::Content>(cairn::Node::Content{
                             {"Memory"}, {{"content", "Ada drinks tea"}, {"x", 1}}, "ext"}));
  const std::string toon = written(Format::toon, {"m", "score", "y"}, {{node, 0.5, "z"}});
  BOOST_TEST(toon ==
             "# page=1 total=1 page_size=1 has_more=false total_pages=1\n"
             "Ada drinks tea||{\"x\":1,\"y\":\"z\"}|||ext\n");
  const std::string llm = written(Format::llm, {"content", "id", "score"}, {{"text", "a", 0.25}});
  BOOST_TEST(llm ==
             "# Memory Search Results\n\nFound 1 relevant memories:\n\n"
             "## Memory 1 (relevance: 25%)\n<memory-node id=\"a\" />\ntext\n");
  BOOST_TEST(written(Format::rag, {"x"}, {}) ==
             "{\"links\":[],\"metadata\":[],\"output\":\"\",\"total_results\":0}\n");
}

BOOST_AUTO_TEST_CASE(rag_has_the_properties_of_a_node_that_is_no_document) {
  const cairn::Node node(cairn::NodeId{7},
                         std::make_shared<const cairn::Node::Content>(cairn::Node::Content{
                             {"Person"}, {{"name", "Ada"}, {"born", 1815}}, ""}));
  const std::string rag = written(Format::rag, {"p"}, {{node}});
  BOOST_TEST(rag.find("\"output\":\"born: 1815, name: Ada\"") != std::string::npos, rag);
  BOOST_TEST(rag.find("\"name\":\"Ada\"") != std::string::npos, rag);
}

// Rows of any statement: no column is dropped, however many there are.
BOOST_AUTO_TEST_CASE(formats_of_memories_show_rows_that_are_none) {
  const std::vector<std::string> columns = {"a", "b", "c", "d", "e", "f"};
  const std::vector<std::vector<Value>> rows = {{1, "x\ny", true, nullptr, 2.5, "z"}};
  BOOST_TEST(written(Format::llm, columns, rows).find("- f: z") != std::string::npos);
  BOOST_TEST(written(Format::toon, columns, rows).find("\"f\":\"z\"") != std::string::npos);
  const std::string rag = written(Format::rag, columns, rows);
  BOOST_TEST(rag.find("\"output\":\"a: 1, b: x\\\\ny, c: true, d: null, e: 2.5, f: z\"") !=
             std::string::npos);
  BOOST_TEST(rag.find("\"f\":\"z\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(markdown_escapes_bars) {
  BOOST_TEST(written(Format::markdown, {"a"}, {{"x|y"}}) == "| a |\n| --- |\n| x\\|y |\n");
}

BOOST_AUTO_TEST_CASE(every_format_is_found_by_its_name) {
  for (Format format : {Format::table, Format::json, Format::jsonl, Format::csv, Format::markdown})
    BOOST_TEST((find_format(to_string(format)) == format));
  BOOST_TEST(!find_format("xml").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
