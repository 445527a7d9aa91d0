// The syntax of full-text questions as query/LANGUAGE.md documents it: writes the texts of its
// first table, and runs each question of its second.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <sstream>

namespace cairn::test {
namespace {

using Cells = std::vector<std::string>;

/// The cells of one row of a Markdown table; an escaped pipe (`\|`) is text.
Cells cells_of(const std::string& line) {
  Cells cells;
  std::string cell;
  for (std::size_t at = 1; at < line.size(); ++at) {
    if (line[at] == '|' && line[at - 1] != '\\') {
      cells.push_back(cell.substr(1, cell.size() - 2));
      cell.clear();
    } else if (line[at] != '\\') {
      cell += line[at];
    }
  }
  return cells;
}

/// The rows of the table whose heading begins with `heading`.
std::vector<Cells> table(const std::string& heading) {
  std::ifstream page(CAIRN_LANGUAGE_PAGE);
  std::vector<Cells> rows;
  std::string line;
  while (std::getline(page, line) && !line.starts_with(heading)) {
  }
  std::getline(page, line);  // the dashes
  while (std::getline(page, line) && line.starts_with("|")) rows.push_back(cells_of(line));
  return rows;
}

std::vector<std::string> questions_in(const std::string& cell) {
  std::vector<std::string> questions;
  std::istringstream in(cell);
  std::string outside, question;
  while (std::getline(in, outside, '`') && std::getline(in, question, '`'))
    questions.push_back(question);
  return questions;
}

struct Answer {
  std::string found;
  bool is_warned = false;
};

Answer ask(Database& database, const std::string& question) {
  const auto statement = Statement::parse(
      "MATCH (t) SEARCH t IN (FULLTEXT INDEX texts FOR $q LIMIT 9) WITH t.number AS number "
      "RETURN number ORDER BY number");
  Rows rows = must(statement->run(database, {{"q", question}}));
  Answer answer;
  for (const auto& row : must(rows.all()))
    answer.found += (answer.found.empty() ? "" : ", ") + *row[0].string();
  if (answer.found.empty()) answer.found = "none";
  answer.is_warned = !rows.warnings().empty();
  return answer;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(full_text_page)

BOOST_AUTO_TEST_CASE(every_question_of_the_page_finds_what_the_page_says) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE FULLTEXT INDEX texts FOR (t:Text) ON EACH [t.title, t.content]"});
  for (const Cells& text : table("| text | title |"))
    static_cast<void>(result_of(*database, "CREATE (:Text {number: $n, title: $t, content: $c})",
                                {{"n", text.at(0)}, {"t", text.at(1)}, {"c", text.at(2)}}));
  std::size_t asked = 0;
  for (const Cells& row : table("| in a question |")) {
    for (const std::string& question : questions_in(row.at(0))) {
      const Answer answer = ask(*database, question);
      BOOST_TEST(answer.found == row.at(2), question << " finds " << answer.found);
      BOOST_TEST(answer.is_warned == (row.at(1).find("warning") != std::string::npos), question);
      ++asked;
    }
  }
  BOOST_TEST(asked > 30U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
