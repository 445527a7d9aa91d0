// A group of users that share a database of one of them.

#include "query/attach/share_group.hpp"

#include "tests/query/attach/attached_fixture.hpp"

#include <boost/test/unit_test.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace cairn::test {
namespace {

namespace fs = std::filesystem;

constexpr uid_t nobody = 65'534;  // and the number of its group
const std::string as_nobody = "user=" + std::to_string(nobody);
const std::string of_group = "share_group=" + std::to_string(nobody);

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The role of another process, or what it failed with.
std::string role_of_process(const fs::path& path, const std::vector<std::string>& words) {
  try {
    return HostProcess(path, {}, words).role();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

/// This process is of the group meanwhile.
class InGroup {
 public:
  explicit InGroup(gid_t group) : before_(::getegid()) { BOOST_REQUIRE(::setegid(group) == 0); }
  InGroup(const InGroup&) = delete;
  InGroup& operator=(const InGroup&) = delete;
  ~InGroup() { BOOST_CHECK(::setegid(before_) == 0); }

 private:
  gid_t before_;
};

/// A directory that others can enter.
struct GroupFixture {
  GroupFixture() { fs::permissions(directory.path(), fs::perms(0755)); }
  [[nodiscard]] fs::path path() const { return directory.path() / "db"; }
  TemporaryDirectory directory;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(attach_share_group, GroupFixture)

BOOST_AUTO_TEST_CASE(a_group_is_found_by_name_and_by_number) {
  Options options;
  BOOST_TEST(!must(query::attach::share_group_of(options)).has_value());
  options.share_group = "root";
  BOOST_TEST(*must(query::attach::share_group_of(options)) == 0U);
  options.share_group = "1234";
  BOOST_TEST(*must(query::attach::share_group_of(options)) == 1234U);
  options.share_group = "no such group";
  const auto refused = Database::open(path(), options);
  BOOST_TEST((refused.error().code == ErrorCode::invalid_argument), outcome_text(refused));
  BOOST_TEST(contains(refused.error().message, "no such group"), refused.error().message);
}

BOOST_AUTO_TEST_CASE(users_of_the_group_attach_where_both_name_it) {
  if (::geteuid() != 0) return;  // who is not root has no other user
  const HostProcess host(path(), {}, {of_group});
  struct stat status{};
  BOOST_TEST(::stat((path() / "attach.sock").c_str(), &status) == 0);
  BOOST_TEST((status.st_mode & 0777) == 0660);
  BOOST_TEST(status.st_gid == nobody);
  BOOST_TEST(::stat(path().c_str(), &status) == 0);
  BOOST_TEST((status.st_mode & 0777) == 0750);
  BOOST_TEST(status.st_gid == nobody);
  BOOST_TEST(role_of_process(path(), {as_nobody, of_group}) == "attached");
  const std::string said = role_of_process(path(), {as_nobody});
  BOOST_TEST(contains(said, "Options::share_group"), said);
}

BOOST_AUTO_TEST_CASE(who_is_not_of_the_group_stays_out) {
  if (::geteuid() != 0) return;
  const HostProcess host(path(), {}, {"share_group=1234"});
  fs::permissions(path(), fs::perms(0777));
  fs::permissions(path() / "attach.sock", fs::perms(0777));
  const std::string said =
      role_of_process(path(), {as_nobody, "share_group=1234", "attach_timeout=200"});
  BOOST_TEST(contains(said, "failed"), said);
}

BOOST_AUTO_TEST_CASE(only_the_owner_becomes_the_host) {
  if (::geteuid() != 0) return;
  HostProcess host(path(), {}, {of_group});
  BOOST_TEST(host.end() == 0);
  const std::string said = role_of_process(path(), {as_nobody, of_group, "attach_timeout=200"});
  BOOST_TEST(contains(said, "the directory belongs to another user, who alone may be the host"),
             said);
}

BOOST_AUTO_TEST_CASE(a_guest_writes_records_and_no_files) {
  if (::geteuid() != 0) return;
  fs::create_directory(path());
  BOOST_TEST_REQUIRE(::chown(path().c_str(), nobody, nobody) == 0);
  const fs::path files = directory.path() / "files";
  const HostProcess host(path(), {}, {as_nobody, of_group, "file_root=" + files.string()});
  const InGroup member(nobody);
  Options options;
  options.share_group = std::to_string(nobody);
  options.file_root = files;
  Database guest = must(Database::open(path(), options));
  BOOST_TEST(must(guest.role()).host == host.id());
  must(execute(guest, "CREATE (:A)"));
  const auto backup = guest.backup(directory.path() / "backup");
  BOOST_TEST((backup.error().code == ErrorCode::unsupported), outcome_text(backup));
  BOOST_TEST(contains(backup.error().message, "another user"), backup.error().message);
  auto rows = execute(guest, "LOAD CSV FROM 'a.csv' AS row RETURN row");
  const auto loaded = rows ? rows->all() : Result<std::vector<std::vector<Value>>>(rows.error());
  BOOST_TEST((loaded.error().code == ErrorCode::unsupported), outcome_text(loaded));
  BOOST_TEST(contains(loaded.error().message, "another user"), loaded.error().message);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
