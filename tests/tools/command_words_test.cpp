// The words of dot commands, and what people type instead of them.
#include "tools/shell/command_words.hpp"

#include "tools/arguments/words.hpp"
#include "tools/text/near_name.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace cairn::tools;

namespace {

std::vector<std::string> texts(std::string_view line) {
  std::vector<std::string> found;
  for (const CommandWord& word : split_words(line).value()) found.push_back(word.text);
  return found;
}

using Texts = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(command_words)

BOOST_AUTO_TEST_CASE(a_text_in_quotes_is_one_word) {
  BOOST_TEST(texts(".a b  c") == (Texts{".a", "b", "c"}));
  BOOST_TEST(texts(R"(.a 'b c' "it's" '' 'it\'s' ";")") ==
             (Texts{".a", "b c", "it's", "", "it's", ";"}));
  BOOST_TEST(texts(".a it's") == (Texts{".a", "it's"}));
  BOOST_TEST(texts("").empty());
  BOOST_TEST(!split_words(".a 'b c").has_value());
  BOOST_TEST(split_words(".a 'b").error().message.find("not closed") != std::string::npos);
  for (const std::string text : {"plain", "two words", "it's", "", "a\\b 'c'"})
    BOOST_TEST(texts(as_word(text)) == Texts{text});
}

BOOST_AUTO_TEST_CASE(the_last_word_is_the_one_that_is_typed) {
  BOOST_TEST(begin_of_last_word(".a bc") == 3U);
  BOOST_TEST(begin_of_last_word(".a bc ") == 6U);
  BOOST_TEST(begin_of_last_word(".a 'b c") == 3U);
  BOOST_TEST(begin_of_last_word(".a") == 0U);
}

BOOST_AUTO_TEST_CASE(words_of_other_shells_stand_for_commands) {
  BOOST_TEST(find_dot_command("exit") == ".quit");
  BOOST_TEST(find_dot_command("quit;") == ".quit");
  BOOST_TEST(find_dot_command("QUIT()") == ".quit");
  BOOST_TEST(find_dot_command("Help") == ".help");
  BOOST_TEST(find_dot_command("help import") == ".help import");
  BOOST_TEST(find_dot_command("?") == ".help");
  BOOST_TEST(find_dot_command("\\d ") == ".schema");
  BOOST_TEST(find_dot_command("\\d 'Two Words';") == ".schema 'Two Words'");
  BOOST_TEST(find_dot_command("\\timing off") == ".timer off");
  BOOST_TEST(find_dot_command("exit now") == "");
  BOOST_TEST(find_dot_command("RETURN 1") == "");
}

BOOST_AUTO_TEST_CASE(exchanged_neighbours_are_one_edit) {
  BOOST_TEST(edits_between("tabels", "tables") == 1U);
  BOOST_TEST(edits_between("fromat", "format") == 1U);
  BOOST_TEST(edits_between("kitten", "sitting") == 3U);
  const std::vector<std::string> names{".labels", ".tables"};
  BOOST_TEST(nearest_name(".tabels", names, 2) == ".tables");
}

BOOST_AUTO_TEST_CASE(limits_are_told_as_the_user_can_raise_them) {
  const std::string memory =
      "the statement reached its limit of 268435456 bytes of memory; raise "
      "StatementOptions::memory_bytes (--memory) if it should go on";
  BOOST_TEST(
      user_words(memory, true) ==
      "the statement reached its limit of 256MiB of memory; raise .memory if it should go on");
  BOOST_TEST(user_words(memory, false).find("raise --memory if") != std::string::npos);
  BOOST_TEST(user_words("its limit of 1000 ms; raise StatementOptions::timeout (--timeout) x",
                        true) == "its limit of 1s; raise .timeout x");
  BOOST_TEST(user_words("beneath Options::file_root, by", true) == "beneath --file-root, by");
  BOOST_TEST(user_words("another problem", true) == "another problem");
  // What a server of another machine refuses.
  BOOST_TEST(user_words("StatementOptions::author has no effect", true) == ".author has no effect");
  BOOST_TEST(user_words("StatementOptions::author has no effect", false) ==
             "--author has no effect");
  BOOST_TEST(user_words("set CAIRN_TOKEN or RemoteOptions::token", false) ==
             "set CAIRN_TOKEN or --token-file");
  BOOST_TEST(user_words("bolt://a runs only statements, not the call `role`; use a statement "
                        "instead, or open the directory on the machine that has it",
                        true) ==
             "bolt://a runs only statements, and not this command; run it in a "
             "shell on the directory on the machine that has it");
}

BOOST_AUTO_TEST_SUITE_END()
