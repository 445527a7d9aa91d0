// Processes share a database although the file system of its directory has no sockets.

#include "tests/query/attach/attached_fixture.hpp"

#include <boost/test/unit_test.hpp>
#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

// What bind() and fchmodat() below say of the directories of databases.
bool has_sockets = true;
bool has_permissions = true;

}  // namespace

// In front of the C library's calls.
extern "C" int bind(int socket, const sockaddr* address, socklen_t size) noexcept {
  using Bind = int(int, const sockaddr*, socklen_t);
  static auto* const real = reinterpret_cast<Bind*>(::dlsym(RTLD_NEXT, "bind"));
  const bool is_denied = !has_sockets && address->sa_family == AF_UNIX &&
                         std::string_view(reinterpret_cast<const sockaddr_un*>(address)->sun_path)
                             .ends_with("/attach.sock");
  if (!is_denied) return real(socket, address, size);
  errno = EPERM;
  return -1;
}
extern "C" int fchmodat(int directory, const char* name, mode_t mode, int flags) noexcept {
  using Change = int(int, const char*, mode_t, int);
  static auto* const real = reinterpret_cast<Change*>(::dlsym(RTLD_NEXT, "fchmodat"));
  if (has_permissions || std::string_view(name) != "attach.sock")
    return real(directory, name, mode, flags);
  errno = EPERM;
  return -1;
}

namespace cairn::test {
namespace {

namespace fs = std::filesystem;

/// Databases on a file system without sockets, and a runtime directory.
struct WithoutSockets {
  WithoutSockets() {
    has_sockets = false;
    fs::create_directory(runtime());
    fs::permissions(runtime(), fs::perms(0700));
    ::setenv("XDG_RUNTIME_DIR", runtime().c_str(), 1);
  }
  ~WithoutSockets() {
    has_sockets = true;
    has_permissions = true;
    ::unsetenv("XDG_RUNTIME_DIR");
  }
  [[nodiscard]] fs::path runtime() const { return directory.path() / "run"; }
  [[nodiscard]] Database open(const std::string& name) const {
    return must(Database::open(directory.path() / name, sharing()));
  }
  [[nodiscard]] std::vector<fs::path> sockets() const {
    std::error_code absent;
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(runtime() / "cairn", absent))
      found.push_back(entry.path());
    return found;
  }
  static Options sharing() {
    Options options;
    options.share = Share::automatic;
    options.attach_timeout = std::chrono::milliseconds(300);
    return options;
  }

  TemporaryDirectory directory;
};

std::int64_t count(Database& database) {
  Rows rows = must(execute(database, "MATCH (n) RETURN count(*)"));
  return (*must(rows.next()))[0].as_integer();
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(attach_runtime_socket, WithoutSockets)

BOOST_AUTO_TEST_CASE(others_attach_at_a_socket_in_the_runtime_directory) {
  Database database = open("db");
  BOOST_TEST(!fs::exists(directory.path() / "db" / "attach.sock"));
  BOOST_REQUIRE_EQUAL(sockets().size(), 1u);
  std::ifstream file(directory.path() / "db" / "HOST");
  const std::string said((std::istreambuf_iterator<char>(file)), {});
  BOOST_TEST(said.find("socket " + sockets()[0].string() + "\n") != std::string::npos, said);
  const HostProcess other(directory.path() / "db");
  BOOST_TEST(other.role() == "attached");
  BOOST_TEST(must(database.role()).attached == std::vector<std::int64_t>{other.id()},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_socket_without_permissions_does_not_stay) {
  has_sockets = true;
  has_permissions = false;
  Database database = open("db");
  BOOST_TEST(!fs::exists(directory.path() / "db" / "attach.sock"));
  BOOST_TEST(sockets().size() == 1u);
  const HostProcess other(directory.path() / "db");
  BOOST_TEST(other.role() == "attached");
}

BOOST_AUTO_TEST_CASE(the_socket_there_ends_with_its_host) {
  Database database = open("db");
  BOOST_TEST(sockets().size() == 1u);
  must(database.close());
  BOOST_TEST(sockets().empty());
}

// A copy has the same database id. Each process finds the host of its own directory.
BOOST_AUTO_TEST_CASE(a_copy_of_a_database_has_a_socket_of_its_own) {
  must(open("db").close());
  fs::copy(directory.path() / "db", directory.path() / "copy", fs::copy_options::recursive);
  Database database = open("db");
  Database copy = open("copy");
  BOOST_TEST(sockets().size() == 2u);
  const HostProcess other(directory.path() / "copy");
  BOOST_TEST(other.role() == "attached");
  BOOST_TEST(must(database.role()).attached.empty());
  BOOST_TEST(must(copy.role()).attached.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_socket_that_a_dead_host_left_there_is_replaced) {
  {
    Database database = open("db");
    const fs::path left = sockets().at(0);
    must(database.close());
    std::ofstream(left) << "left";
  }
  Database database = open("db");
  BOOST_TEST(sockets().size() == 1u);
  const HostProcess other(directory.path() / "db");
  BOOST_TEST(other.role() == "attached");
}

BOOST_AUTO_TEST_CASE(without_a_private_runtime_directory_the_host_serves_nobody) {
  fs::permissions(runtime(), fs::perms(0755));
  Database database = open("db");
  must(execute(database, "CREATE ()"));
  BOOST_TEST(count(database) == 1);
  BOOST_TEST(sockets().empty());
  BOOST_CHECK_THROW(HostProcess(directory.path() / "db", sharing()), std::exception);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
