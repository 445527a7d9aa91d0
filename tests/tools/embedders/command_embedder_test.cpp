// An embedder that is a program: its faults, each at every request.
#include "tests/support/graph_builder.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tools/embedders/child_program.hpp"

#include <cairn/make_embedder.hpp>
#include <cairn/value.hpp>
#include <cairn/word_vectors.hpp>

#include <boost/test/unit_test.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace cairn;
using test::must;

namespace {

using Texts = std::vector<std::string_view>;
constexpr std::chrono::milliseconds short_time{2'000};
constexpr std::chrono::milliseconds long_time{60'000};

/// Programs with plans, see made_model.cpp.
struct Programs {
  test::TemporaryDirectory directory;
  std::size_t made = 0;

  Result<std::unique_ptr<Embedder>> start(const std::string& plan,
                                          std::chrono::milliseconds timeout = long_time) {
    const auto state = directory.path() / ("state " + std::to_string(made++));
    EmbedderOptions options;
    options.timeout = timeout;
    return make_embedder(
        "command:'" CAIRN_MADE_MODEL "' '" + plan + ".' \"" + state.string() + "\"", options);
  }
};

std::vector<float> components(const Vector& vector) {
  return {vector.components().begin(), vector.components().end()};
}

/// Whether each vector is that of its text.
bool fit(const std::vector<Vector>& vectors, const Texts& texts, float kind) {
  if (vectors.size() != texts.size()) return false;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto first = texts[i].empty() ? 0 : static_cast<unsigned char>(texts[i].front());
    const std::vector<float> wanted = {static_cast<float>(texts[i].size()),
                                       static_cast<float>(first), kind};
    if (components(vectors[i]) != wanted) return false;
  }
  return true;
}

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }

std::string message_of(const Result<std::unique_ptr<Embedder>>& made) {
  return made ? std::string() : made.error().message;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(command_embedder, Programs)

BOOST_AUTO_TEST_CASE(a_program_makes_the_vectors) {
  const auto embedder = must(start(""));
  BOOST_TEST(embedder->model() == "made");
  BOOST_TEST(embedder->dimension() == 3U);
  const Texts texts = {"one", "", "drei\nZeilen \"x\"", "\xC3\xBC"};
  BOOST_TEST(fit(must(embedder->embed(texts)), texts, 0.5F));
  BOOST_TEST(fit(must(embedder->embed_documents(texts)), texts, 1.5F));
  BOOST_TEST(must(embedder->embed({})).empty());
}

BOOST_AUTO_TEST_CASE(many_and_long_texts_are_sent_in_batches_and_keep_their_order) {
  const auto embedder = must(start(""));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 1'000; ++i)
    texts.push_back(std::string(i % 100 == 99 ? 500'000 + i : i, static_cast<char>('a' + i % 26)));
  const Texts views(texts.begin(), texts.end());
  BOOST_TEST(fit(must(embedder->embed(views)), views, 0.5F));
}

// The first request asks for the model.
BOOST_AUTO_TEST_CASE(a_program_that_ends_is_started_again_once) {
  const Texts texts = {"a text"};
  for (const std::string fault : {"d", "D"})
    for (std::size_t at = 1; at < 5; ++at) {
      const auto embedder = must(start(std::string(at, '.') + fault));
      for (std::size_t call = 0; call < 5; ++call)
        BOOST_TEST(fit(must(embedder->embed(texts)), texts, 0.5F));
    }
  const auto embedder = must(start(".d.d"));
  const auto failed = embedder->embed(texts);
  BOOST_REQUIRE(!failed);
  BOOST_TEST((failed.error().code == ErrorCode::io_error));
  BOOST_TEST(failed.error().message.find("made_model ended with status 7") != std::string::npos,
             failed.error().message);
  BOOST_TEST(fit(must(embedder->embed(texts)), texts, 0.5F));
}

BOOST_AUTO_TEST_CASE(a_wrong_answer_is_an_error_and_the_next_call_works) {
  const Texts texts = {"one", "two"};
  for (const char fault : std::string("hgclniex"))
    for (std::size_t at = 1; at < 4; ++at) {
      const auto embedder =
          must(start(std::string(at, '.') + fault, fault == 'h' ? short_time : long_time));
      std::size_t failures = 0;
      for (std::size_t call = 1; call < 6; ++call) {
        const auto vectors = embedder->embed(texts);
        if (vectors) BOOST_TEST(fit(*vectors, texts, 0.5F));
        if (!vectors) BOOST_TEST(call == at);
        if (!vectors)
          BOOST_TEST(vectors.error().message.find(CAIRN_MADE_MODEL) != std::string::npos);
        failures += vectors ? 0 : 1;
      }
      BOOST_TEST(failures == 1U, fault);
    }
}

BOOST_AUTO_TEST_CASE(a_wrong_description_is_an_error) {
  for (const char fault : std::string("dDhgiex"))
    BOOST_TEST(message_of(start(std::string(1, fault), fault == 'h' ? short_time : long_time))
                       .find("the embedder " CAIRN_MADE_MODEL) == 0,
               fault);
  BOOST_TEST(!has_children());
}

BOOST_AUTO_TEST_CASE(a_program_that_comes_back_with_another_model_makes_no_vectors) {
  const auto embedder = must(start("..dm"));
  const Texts texts = {"a text"};
  BOOST_TEST(embedder->embed(texts).has_value());
  const auto failed = embedder->embed(texts);
  BOOST_REQUIRE(!failed);
  BOOST_TEST(failed.error().message.find("had the model made") != std::string::npos);
  BOOST_TEST(fit(must(embedder->embed(texts)), texts, 0.5F));
}

BOOST_AUTO_TEST_CASE(a_program_that_does_not_say_its_model_is_asked_again) {
  const auto embedder = must(start("..dem"));
  const Texts texts = {"a text"};
  BOOST_TEST(embedder->embed(texts).has_value());
  BOOST_TEST(!embedder->embed(texts).has_value());
  const auto failed = embedder->embed(texts);
  BOOST_REQUIRE(!failed);
  BOOST_TEST(failed.error().message.find("had the model made") != std::string::npos);
  BOOST_TEST(fit(must(embedder->embed(texts)), texts, 0.5F));
}

BOOST_AUTO_TEST_CASE(many_threads_get_their_own_vectors) {
  const auto embedder = must(start(".......d.......d"));
  std::vector<std::thread> threads;
  std::vector<char> was_right(8, 0);
  for (std::size_t i = 0; i < was_right.size(); ++i)
    threads.emplace_back([&, i] {
      const std::string text(i + 1, static_cast<char>('a' + i));
      const Texts texts = {text};
      bool is_right = true;
      for (int round = 0; round < 20; ++round) {
        const auto vectors = embedder->embed(texts);
        is_right = is_right && vectors && fit(*vectors, texts, 0.5F);
      }
      was_right[i] = is_right ? 1 : 0;
    });
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(was_right == std::vector<char>(8, 1), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(nothing_is_left_of_a_program) {
  const Texts texts = {"a text"};
  {
    const auto embedder = must(start(".d"));
    BOOST_TEST(embedder->embed(texts).has_value());
  }
  BOOST_TEST(!has_children());
  {
    const auto embedder = must(start(".h", short_time));
    BOOST_TEST(!embedder->embed(texts));
  }
  BOOST_TEST(!has_children());
}

BOOST_AUTO_TEST_CASE(a_fork_leaves_the_program_to_its_parent) {
  const auto embedder = must(start(""));
  const Texts texts = {"a text"};
  const pid_t child = ::fork();
  if (child == 0) {
    const auto vectors = embedder->embed(texts);
    ::_exit(!vectors && vectors.error().code == ErrorCode::unsupported ? 0 : 1);
  }
  int status = -1;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  BOOST_TEST(status == 0);
  BOOST_TEST(fit(must(embedder->embed(texts)), texts, 0.5F));
}

// The child has the socket too, so that closing it in the parent alone tells the program nothing.
BOOST_AUTO_TEST_CASE(a_program_is_told_of_its_end_while_a_fork_lives) {
  const auto file = directory.path() / "told";
  auto program = must(tools::ChildProgram::start(
      {"sh", "-c", "read line; echo ready; cat; echo told > \"$0\"", file.string()}));
  BOOST_TEST(must(program->ask("start", long_time, 100)) == "ready");
  const pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  program.reset();
  BOOST_TEST(std::filesystem::exists(file));
  ::kill(child, SIGKILL);
  BOOST_TEST(::waitpid(child, nullptr, 0) == child);
}

BOOST_AUTO_TEST_CASE(what_is_no_program_is_an_error) {
  BOOST_TEST(message_of(make_embedder("command:/no/such/program")).find("cannot be started") !=
             std::string::npos);
  BOOST_TEST(message_of(make_embedder("command:true")).find("ended with status 0") !=
             std::string::npos);
  BOOST_TEST(message_of(make_embedder("command:'true")).find("not closed") != std::string::npos);
  BOOST_TEST(message_of(make_embedder("command: ")).find("names no program") != std::string::npos);
  BOOST_TEST(!has_children());
}

// A shell would make a file of this.
BOOST_AUTO_TEST_CASE(no_shell_reads_the_line) {
  const auto file = directory.path() / "file";
  BOOST_TEST(!make_embedder("command:echo {} > " + file.string() + "; true"));
  BOOST_TEST(!std::filesystem::exists(file));
}

BOOST_AUTO_TEST_CASE(the_built_in_embedders_have_names) {
  BOOST_TEST(must(make_embedder("hash"))->model() == make_hashing_embedder()->model());
  const auto text = directory.path() / "words.txt";
  const auto file = directory.path() / "my words.cwv";
  std::ofstream(text) << "tea 1 0 0.1\ncup 0.9 0.1 0.1\n";
  must(WordVectors::convert(text, file));
  BOOST_TEST(must(make_embedder("words:" + file.string()))->dimension() == 3U);
  for (const char* const spec : {"", "hash:", "hsah", "words:", "words", "command:", "other:x"})
    BOOST_TEST((make_embedder(spec).error().code == ErrorCode::invalid_argument), spec);
  BOOST_TEST((make_embedder("words:/no/such/file").error().code == ErrorCode::io_error));
}

BOOST_AUTO_TEST_SUITE_END()
