// The disk of a host is full while other processes are attached: their writes are refused completely, and later writes
// succeed.

#include "tests/engine/disk/small_disk.hpp"
#include "tests/query/attach/attached_fixture.hpp"

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>
#include <vector>

namespace cairn::test {
namespace {

/// Starts a process that writes through this one until a write fails, and records acknowledged writes in a file.
pid_t start_writer(const std::filesystem::path& path, int client,
                   const std::filesystem::path& said) {
  const std::string name = "client=" + std::to_string(client);
  const char* const words[] = {CAIRN_ATTACH_HOST, path.c_str(), name.c_str(), nullptr};
  const int file = ::open(said.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const pid_t child = ::vfork();
  if (child == 0) {
    ::dup2(file, STDOUT_FILENO);
    ::execv(words[0], const_cast<char* const*>(words));
    ::_exit(127);
  }
  ::close(file);
  return child;
}

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::int64_t count(Database& database) {
  Rows rows = must(execute(database, "MATCH (n:W) RETURN count(*)"));
  return (*must(rows.next()))[0].as_integer();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(attach_full_disk)

BOOST_AUTO_TEST_CASE(what_has_no_room_in_the_host_is_refused_to_the_attached) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "disk" / "db";
  std::filesystem::create_directory(path.parent_path());
  SmallDisk disk(path.parent_path());
  watch_disk(path.parent_path(), &disk);
  {
    Database host = must(Database::open(path));
    must(execute(host, "CREATE (:First)"));
    disk.leave(32);
    const auto said = directory.path() / "said";
    int status = 0;
    ::waitpid(start_writer(path, 1, said), &status, 0);
    const auto lines = lines_of(said);
    BOOST_TEST_REQUIRE(!lines.empty());
    BOOST_TEST(lines.back().starts_with("failed: "), lines.back());
    BOOST_TEST(lines.back().find("No space left on device") != std::string::npos, lines.back());
    BOOST_TEST(count(host) == static_cast<std::int64_t>(lines.size()) - 1);
    disk.leave_enough();
    const pid_t second = start_writer(path, 2, directory.path() / "more");
    while (lines_of(directory.path() / "more").size() < 3) ::usleep(1'000);
    ::kill(second, SIGKILL);
    ::waitpid(second, &status, 0);
    for (const std::string& line : lines_of(directory.path() / "more"))
      BOOST_TEST(!line.starts_with("failed"), line);
    BOOST_TEST(must(host.check()).empty());
  }
  watch_disk({}, nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
