// Reading a result or a value as another type than it has ends the program with a message. Each case runs in a child
// process, whose standard error is read.
#include <cairn/result.hpp>
#include <cairn/row.hpp>
#include <cairn/value.hpp>

#include <boost/test/unit_test.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {
namespace {

struct End {
  int signal = 0;
  std::string said;  ///< on the standard error
};

template <class Act>
[[noreturn]] void act_in_child(int said, const Act& act) {
  const rlimit no_core{};
  setrlimit(RLIMIT_CORE, &no_core);
  std::signal(SIGABRT, SIG_DFL);
  dup2(said, STDERR_FILENO);
  act();
  _exit(0);
}

template <class Act>
End end_of(const Act& act) {
  int ends[2] = {};
  BOOST_REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) act_in_child(ends[1], act);
  close(ends[1]);
  End end;
  char bytes[512];
  for (ssize_t count = 0; (count = read(ends[0], bytes, sizeof bytes)) > 0;)
    end.said.append(bytes, static_cast<std::size_t>(count));
  close(ends[0]);
  int status = 0;
  BOOST_REQUIRE(waitpid(child, &status, 0) == child);
  end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return end;
}

template <class Act>
void check_end(const Act& act, std::string_view said) {
  const End end = end_of(act);
  BOOST_TEST(end.signal == SIGABRT);
  BOOST_TEST(end.said.find(said) != std::string::npos, end.said);
}

Result<int> refused() { return Error{ErrorCode::busy, "the lock is held by process 7", {}}; }

volatile bool sink = false;

}  // namespace

BOOST_AUTO_TEST_SUITE(broken_preconditions)

BOOST_AUTO_TEST_CASE(what_is_read_as_it_is_ends_nothing) {
  const End end =
      end_of([] { sink = Result<int>(1).value() == 1 && Value("a").as_string() == "a"; });
  BOOST_TEST(end.signal == 0);
  BOOST_TEST(end.said == "");
}

BOOST_AUTO_TEST_CASE(the_value_of_an_error_ends_with_its_message) {
  check_end([] { sink = refused().value() == 1; }, "(busy): the lock is held by process 7");
  check_end([] { sink = *refused() == 1; }, "the lock is held by process 7");
}

BOOST_AUTO_TEST_CASE(the_error_of_a_success_ends_the_program) {
  check_end([] { sink = Result<int>(1).error().message.empty(); }, "it is a success");
  check_end([] { sink = Status().error().message.empty(); }, "it is a success");
}

BOOST_AUTO_TEST_CASE(a_value_of_another_type_ends_the_program) {
  check_end([] { sink = Value(1).as_string().empty(); },
            "as_string() was called on a value of type integer");
  check_end([] { sink = Value().as_list().empty(); },
            "as_list() was called on a value of type null");
}

BOOST_AUTO_TEST_CASE(a_column_that_is_not_there_ends_the_program) {
  const std::vector<Value> values = {Value(1)};
  const std::vector<std::string> columns = {"born"};
  check_end([&] { sink = Row(values, columns)["age"].is_null(); },
            "there is no column \"age\"; the column is born");
  check_end([&] { sink = Row(values, columns)[1].is_null(); },
            "there is no column 1; the column is born");
}

BOOST_AUTO_TEST_CASE(an_integer_beyond_the_range_ends_the_program) {
  check_end([] { sink = Value(std::numeric_limits<std::uint64_t>::max()).is_null(); },
            "18446744073709551615 does not fit");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn
