// The system refuses a thread. Whichever thread it is, the open returns an error or continues without the thread, and
// the next open succeeds.

#include "tests/engine/hostile/sample_database.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <memory>

using namespace cairn;
using test::must;

namespace {

constexpr int no_limit = 1'000;
std::atomic<int> alive = 0;
std::atomic<int> most_alive = no_limit;

struct Start {
  void* (*routine)(void*);
  void* argument;
};

void* run_counted(void* raw) {
  const std::unique_ptr<Start> start(static_cast<Start*>(raw));
  void* const result = start->routine(start->argument);
  --alive;
  return result;
}

}  // namespace

/// In place of the C library's: as many threads live at once as a limit of the system lets.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*routine)(void*), void* argument) noexcept {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto real = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
  if (++alive > most_alive) {
    --alive;
    return EAGAIN;
  }
  return real(thread, attributes, run_counted, new Start{routine, argument});
}

namespace {

/// Each opening in a process of its own, and none in this one: RocksDB's threads stay from one to the next.
bool in_child(const std::function<bool()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(120);
    ::_exit(work() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  BOOST_TEST(WIFEXITED(status), "signal " << WTERMSIG(status));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// If the open is refused, the error has the reason, and an open with enough threads succeeds.
bool opens_or_tells(const std::filesystem::path& path, int threads) {
  most_alive = alive + threads;
  auto opened = Database::open(path);
  bool is_right = opened || (opened.error().code == ErrorCode::resource_limit &&
                             opened.error().message.find("thread") != std::string::npos);
  if (!opened)
    std::fprintf(stderr, "with %d threads: %s\n", threads, opened.error().message.c_str());
  if (opened) {
    test::run_all(*opened, {"MATCH (n:Doc) SET n.text = n.text + ' more'"});
    is_right = opened->checkpoint().has_value() && opened->close().has_value();
    std::fprintf(stderr, "with %d threads: opened\n", threads);
  }
  opened = Error{};
  most_alive = no_limit;
  if (!is_right) return false;
  Database again = must(Database::open(path));
  test::run_all(again, {"CREATE (:After)"});
  return again.checkpoint().has_value() && must(again.check()).empty();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(thread_limit)

BOOST_AUTO_TEST_CASE(a_thread_that_cannot_be_started_is_an_error) {
  const test::TemporaryDirectory directory;
  const auto sample = directory.path() / "sample";
  BOOST_REQUIRE(in_child([&] {
    test::make_sample_database(sample, 0, true);
    return true;
  }));
  for (int threads = 0; threads < 8; ++threads) {
    const auto copy = directory.path() / ("copy" + std::to_string(threads));
    test::copy_tree(sample, copy);
    BOOST_TEST(in_child([&] { return opens_or_tells(copy, threads); }), threads << " threads");
  }
}

BOOST_AUTO_TEST_SUITE_END()
