// Which process becomes the host, and the errors of the others.

#include "query/attach/opening.hpp"

#include "engine/store/lock_file.hpp"
#include "query/bolt/listening_socket.hpp"
#include "tests/query/attach/attached_fixture.hpp"

#include <boost/test/unit_test.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace cairn::test {
namespace {

namespace fs = std::filesystem;

Options sharing(std::chrono::milliseconds timeout = std::chrono::milliseconds(300)) {
  Options options;
  options.share = Share::automatic;
  options.attach_timeout = timeout;
  return options;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(attach_opening)

BOOST_AUTO_TEST_CASE(the_first_opener_listens_and_tidies_up) {
  TemporaryDirectory directory;
  const fs::path path = directory.path() / "db";
  {
    Database database = must(Database::open(path, sharing()));
    struct stat status{};
    BOOST_TEST(::stat((path / "attach.sock").c_str(), &status) == 0);
    BOOST_TEST(S_ISSOCK(status.st_mode));
    BOOST_TEST((status.st_mode & 0777) == 0600);
    std::ifstream file(path / "HOST");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    BOOST_TEST(contains(text, "process " + std::to_string(::getpid()) + "\n"));
    for (const char* line : {"since ", "protocol ", "library ", "format ", "socket ", "term "})
      BOOST_TEST(contains(text, line), line);
    const DatabaseRole role = must(database.role());
    BOOST_TEST(role.is_host);
    BOOST_TEST(role.host == ::getpid());
    must(database.close());
  }
  BOOST_TEST(!fs::exists(path / "attach.sock"));
  BOOST_TEST(!fs::exists(path / "HOST"));
}

BOOST_AUTO_TEST_CASE(an_exclusive_one_serves_nobody) {
  TemporaryDirectory directory;
  Options options;
  options.share = Share::exclusive;
  Database database = must(Database::open(directory.path() / "db", options));
  BOOST_TEST(!fs::exists(directory.path() / "db" / "attach.sock"));
}

BOOST_AUTO_TEST_CASE(sharing_is_the_default) {
  TemporaryDirectory directory;
  const HostProcess host(directory.path() / "db");
  Database database = must(Database::open(directory.path() / "db"));
  BOOST_TEST(must(database.role()).host == host.id());
}

BOOST_AUTO_TEST_CASE(who_asks_for_a_database_alone_is_told_all_who_have_it) {
  TemporaryDirectory directory;
  const fs::path path = directory.path() / "db";
  HostProcess host(path);
  Options bulk;
  bulk.mode = OpenMode::bulk_load;
  Options repair;
  repair.repair = true;
  Options exclusive;
  exclusive.share = Share::exclusive;
  const std::vector<std::pair<Options, std::string>> all = {
      {bulk, "OpenMode::bulk_load"}, {repair, "Options::repair"}, {exclusive, "Share::exclusive"}};
  for (const auto& [options, name] : all) {
    const auto alone = Database::open(path, options);
    BOOST_TEST((alone.error().code == ErrorCode::busy));
    const std::string& said = alone.error().message;
    BOOST_TEST(contains(said, "in process " + std::to_string(host.id()) + ";"), said);
    BOOST_TEST(contains(said, name), said);
    BOOST_TEST(contains(said, "end that process"), said);
  }
  const HostProcess second(path);
  const HostProcess third(path);
  for (const auto& [options, name] : all) {
    const auto alone = Database::open(path, options);
    BOOST_TEST((alone.error().code == ErrorCode::busy));
    for (const HostProcess* process : {&std::as_const(host), &second, &third})
      BOOST_TEST(contains(alone.error().message, std::to_string(process->id())),
                 alone.error().message);
    BOOST_TEST(contains(alone.error().message, "end them all"), alone.error().message);
  }
}

BOOST_AUTO_TEST_CASE(a_second_handle_in_one_process_is_busy_at_once) {
  TemporaryDirectory directory;
  Database database = must(Database::open(directory.path() / "db", sharing()));
  const auto begin = std::chrono::steady_clock::now();
  const auto second = Database::open(directory.path() / "db", sharing(std::chrono::seconds(30)));
  BOOST_TEST((second.error().code == ErrorCode::busy));
  BOOST_TEST(contains(second.error().message, std::to_string(::getpid())));
  BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(5)));
}

BOOST_AUTO_TEST_CASE(attach_only_waits_for_a_host_and_never_is_one) {
  TemporaryDirectory directory;
  must(must(Database::open(directory.path() / "db")).close());
  Options options = sharing();
  options.share = Share::attach_only;
  const auto alone = Database::open(directory.path() / "db", options);
  BOOST_TEST((alone.error().code == ErrorCode::busy));
  BOOST_TEST(contains(alone.error().message, "cairn serve"));
  HostProcess host(directory.path() / "db");
  BOOST_TEST(!must(must(Database::open(directory.path() / "db", options)).role()).is_host);
}

BOOST_AUTO_TEST_CASE(a_holder_that_does_not_share_is_named) {
  TemporaryDirectory directory;
  const HostProcess holder(directory.path() / "db", {}, {"exclusive=1"});
  const auto second = Database::open(directory.path() / "db", sharing());
  BOOST_TEST((second.error().code == ErrorCode::busy));
  BOOST_TEST(contains(second.error().message, std::to_string(holder.id())), second.error().message);
  BOOST_TEST(contains(second.error().message, "Options::share"), second.error().message);
  BOOST_TEST(!contains(second.error().message, "opening"), second.error().message);
}

// The host serves those that are attached already.
BOOST_AUTO_TEST_CASE(a_deleted_socket_of_a_host_is_named) {
  TemporaryDirectory directory;
  const fs::path path = directory.path() / "db";
  const HostProcess host(path);
  Database attached = must(Database::open(path, sharing()));
  fs::remove(path / "attach.sock");
  const auto second = Database::open(path, sharing());
  BOOST_TEST((second.error().code == ErrorCode::busy));
  const std::string& said = second.error().message;
  BOOST_TEST(contains(said, "process " + std::to_string(host.id())), said);
  BOOST_TEST(contains(said, "its socket " + (path / "attach.sock").string() + " was deleted"),
             said);
  BOOST_TEST(!contains(said, "does not share"), said);
  must(execute(attached, "CREATE (:A)"));
}

// The file HOST is only read for the error. Its reader must neither wait for a writer nor read without an end.
BOOST_AUTO_TEST_CASE(a_file_HOST_that_is_no_file_neither_stops_nor_fills_who_waits) {
  const TemporaryDirectory directory;
  const HostProcess holder(directory.path() / "db", {}, {"exclusive=1"});
  const fs::path file = directory.path() / "db" / "HOST";
  const auto is_refused = [&] {
    fs::rename(file.string() + ".odd", file);
    ::alarm(60);  // a hang ends the program
    const auto opened = Database::open(directory.path() / "db", sharing());
    ::alarm(0);
    fs::remove(file);
    BOOST_TEST_REQUIRE(!opened);
    BOOST_TEST(contains(outcome_text(opened), "busy: "), outcome_text(opened));
    BOOST_TEST(contains(outcome_text(opened), "it does not share the database"),
               outcome_text(opened));
  };
  BOOST_TEST_REQUIRE(::mkfifo((file.string() + ".odd").c_str(), 0600) == 0);
  is_refused();
  fs::create_symlink("/dev/zero", file.string() + ".odd");
  is_refused();
  fs::create_directory(file.string() + ".odd");
  is_refused();
}

BOOST_AUTO_TEST_CASE(a_holder_that_opens_the_database_is_said_to_do_so) {
  TemporaryDirectory directory;
  HostProcess holder(directory.path() / "db", {}, {"opens_for=600000"});
  const auto second = Database::open(directory.path() / "db", sharing());
  BOOST_TEST((second.error().code == ErrorCode::busy));
  const std::string& said = second.error().message;
  BOOST_TEST(contains(said, std::to_string(holder.id())), said);
  BOOST_TEST(contains(said, "it is opening or closing the database; wait longer"), said);
  holder.kill();
}

// A system that hides the processes of other users says nothing about the holder.
BOOST_AUTO_TEST_CASE(a_holder_that_is_hidden_may_open_the_database_or_not_share_it) {
  TemporaryDirectory directory;
  HostProcess holder(directory.path() / "db", {}, {"opens_for=600000"});
  std::ofstream(directory.path() / "db" / "LOCK") << "2000000000 \n";
  const auto second = Database::open(directory.path() / "db", sharing());
  BOOST_TEST((second.error().code == ErrorCode::busy));
  const std::string& said = second.error().message;
  BOOST_TEST(contains(said, "opening or closing the database, or does not share it"), said);
  holder.kill();
}

BOOST_AUTO_TEST_CASE(a_program_may_change_its_working_directory_afterwards) {
  const TemporaryDirectory directory;
  const std::filesystem::path before = std::filesystem::current_path();
  Options options;
  options.share = Share::exclusive;
  std::filesystem::current_path(directory.path());
  auto database = Database::open("db", options);
  std::filesystem::current_path(before);
  Database opened = must(std::move(database));
  BOOST_TEST(execute(opened, "CREATE (:A)").has_value());
  must(opened.close());
}

// The first process of each container has id 1, so the id in the lock file may be that of this process too.
BOOST_AUTO_TEST_CASE(a_holder_with_the_process_id_of_this_process_is_waited_for) {
  TemporaryDirectory directory;
  const HostProcess holder(directory.path() / "db", {}, {"opens_for=150"});
  std::ofstream(directory.path() / "db" / "LOCK") << ::getpid() << " \n";
  const auto second = Database::open(directory.path() / "db", sharing(std::chrono::seconds(5)));
  BOOST_TEST(second.has_value(), outcome_text(second));
}

// Loading may take long, for instance after a crash.
BOOST_AUTO_TEST_CASE(a_database_is_being_opened_until_all_is_loaded) {
  TemporaryDirectory directory;
  const fs::path path = directory.path() / "db";
  must(must(Database::open(path)).close());
  BOOST_CHECK_THROW(HostProcess(path, {}, {"dies_at=opening"}), std::runtime_error);
  const auto left = query::attach::lock_holder(path);
  BOOST_TEST((left.process > 0 && left.process != ::getpid()));
  BOOST_TEST(left.is_changing);
}

BOOST_AUTO_TEST_CASE(a_database_that_is_being_closed_says_so) {
  TemporaryDirectory directory;
  const fs::path path = directory.path() / "db";
  const auto is_changing = [&] { return query::attach::lock_holder(path).is_changing; };
  int saved = 0, said = 0;
  Options options;
  options.log = [&](const LogMessage& message) {
    if (message.area != "checkpoint") return;
    ++saved;
    said += is_changing() ? 1 : 0;
  };
  Database database = must(Database::open(path, options));
  must(execute(database, "CREATE (:A)"));
  must(database.checkpoint());
  BOOST_TEST(saved > 0);
  BOOST_TEST(said == 0);
  saved = 0;
  std::optional<Snapshot> snapshot = must(database.snapshot());
  must(database.close());
  BOOST_TEST(saved > 0);
  BOOST_TEST(said == saved);
  // The snapshot has the database open, and nobody knows for how long.
  BOOST_TEST(!is_changing());
  snapshot.reset();
  BOOST_TEST(is_changing());
}

// The holder writes its line in the lock file again when the id of the database is known.
BOOST_AUTO_TEST_CASE(the_holder_is_named_while_it_writes_its_line) {
  using engine::LockFile;
  const TemporaryDirectory directory;
  const fs::path file = directory.path() / "LOCK";
  const LockFile held = must(LockFile::take(file, LockFile::Sharing::exclusive));
  const std::jthread writing([&](const std::stop_token& stop) {
    while (!stop.stop_requested())
      for (const char* id : {"", "0123456789abcdef0123456789abcdef"}) must(held.sign(id));
  });
  const std::string name = "process " + std::to_string(::getpid()) + ";";
  int unnamed = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto refused = LockFile::take(file, LockFile::Sharing::exclusive);
    unnamed += refused || !contains(refused.error().message, name) ? 1 : 0;
  }
  BOOST_TEST(unnamed == 0);
}

BOOST_AUTO_TEST_CASE(a_socket_that_a_dead_host_left_is_taken_over) {
  TemporaryDirectory directory;
  HostProcess host(directory.path() / "db");
  host.kill();
  BOOST_TEST(fs::exists(directory.path() / "db" / "attach.sock"));
  Database database = must(Database::open(directory.path() / "db", sharing()));
  BOOST_TEST(must(database.role()).is_host);
}

// By it who comes next knows that others are about to find out.
BOOST_AUTO_TEST_CASE(a_host_that_ends_leaves_its_socket_to_those_who_were_attached) {
  AttachedFixture fixture;
  BOOST_TEST(fixture.host->end() == 0);
  BOOST_TEST(fs::exists(fixture.path() / "attach.sock"));
  BOOST_TEST(!fs::exists(fixture.path() / "HOST"));
  BOOST_TEST(fixture.count() == 0);
  BOOST_TEST(must(fixture.database.role()).is_host);
}

BOOST_AUTO_TEST_CASE(one_of_a_low_preference_is_the_host_where_nobody_else_is) {
  TemporaryDirectory directory;
  HostProcess host(directory.path() / "db");
  host.kill();
  Options options = sharing(std::chrono::seconds(2));
  options.host_preference = HostPreference::low;
  const auto begin = std::chrono::steady_clock::now();
  Database database = must(Database::open(directory.path() / "db", options));
  BOOST_TEST(must(database.role()).is_host);
  BOOST_TEST((std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(300)));
}

// A dying host may keep who connects waiting for longer than opening may take.
BOOST_AUTO_TEST_CASE(one_of_a_low_preference_is_the_host_though_connecting_took_all_its_time) {
  TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  must(must(Database::open(path)).close());
  auto socket = must(query::bolt::listen_in(path, {}));
  const std::jthread dying([&] {
    pollfd waited{socket.descriptor.value(), POLLIN, 0};
    ::poll(&waited, 1, 10'000);
    const auto client = query::bolt::accept_client(socket);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    socket.descriptor = {};
  });
  Options options = sharing(std::chrono::milliseconds(100));
  options.host_preference = HostPreference::low;
  const auto opened = Database::open(path, options);
  BOOST_TEST_REQUIRE(opened.has_value(), outcome_text(opened));
  BOOST_TEST(must(opened->role()).is_host);
}

// The other one is a process that is still to start, and needs longer than opening here.
BOOST_AUTO_TEST_CASE(one_of_a_low_preference_lets_others_be_the_host) {
  Options options = sharing(std::chrono::seconds(20));
  options.host_preference = HostPreference::low;
  bool has_yielded = false;
  for (int round = 0; round < 20 && !has_yielded; ++round) {
    TemporaryDirectory directory;
    std::unique_ptr<HostProcess> other;
    HostProcess(directory.path() / "db").kill();
    const std::jthread starting(
        [&] { other = std::make_unique<HostProcess>(directory.path() / "db"); });
    Database database = must(Database::open(directory.path() / "db", options));
    has_yielded = !must(database.role()).is_host;
  }
  BOOST_TEST(has_yielded);
}

BOOST_AUTO_TEST_CASE(one_of_a_high_preference_takes_the_place_of_its_host_without_a_call) {
  TemporaryDirectory directory;
  const fs::path path = directory.path() / "db";
  HostProcess host(path);
  const HostProcess next(path, {}, {"prefers_to_host=1"});
  BOOST_TEST(next.role() == "attached");
  host.kill();
  const auto names_next = [&] {
    std::ifstream file(path / "HOST");
    std::string line;
    return std::getline(file, line) && line == "process " + std::to_string(next.id());
  };
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!names_next() && std::chrono::steady_clock::now() < end) ::usleep(1'000);
  BOOST_TEST(names_next());
}

BOOST_AUTO_TEST_CASE(one_of_a_high_preference_can_be_closed_and_forked) {
  AttachedFixture fixture;
  Options options;
  options.host_preference = HostPreference::high;
  Database database = fixture.open(options);
  const pid_t child = ::fork();
  if (child == 0) {
    {
      const Database gone = std::move(database);
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  BOOST_TEST(WIFEXITED(status));
  BOOST_TEST(!must(database.role()).is_host);
  must(database.close());
}

BOOST_AUTO_TEST_CASE(a_copied_directory_is_a_database_of_its_own) {
  AttachedFixture fixture;
  must(execute(fixture.database, "CREATE (:A)"));
  must(fixture.database.backup(fixture.directory.path() / "backup"));
  must(restore_backup(fixture.directory.path() / "backup", fixture.directory.path() / "copy"));
  // What a copy of all files has beside: a socket that nobody listens at, and who the host of the original is.
  fs::copy_file(fixture.path() / "HOST", fixture.directory.path() / "copy" / "HOST");
  Database copy = must(Database::open(fixture.directory.path() / "copy", sharing()));
  BOOST_TEST(must(copy.role()).is_host);
  must(execute(copy, "CREATE (:B)"));
  BOOST_TEST(fixture.count() == 1);
}

BOOST_AUTO_TEST_CASE(processes_that_make_a_database_together_have_one) {
  for (int round = 0; round < 5; ++round) {
    TemporaryDirectory directory;
    std::vector<std::string> roles(6);
    std::vector<std::unique_ptr<HostProcess>> processes(roles.size());
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < roles.size(); ++i)
        threads.emplace_back([&, i] {
          try {
            processes[i] = std::make_unique<HostProcess>(directory.path() / "db");
            roles[i] = processes[i]->role();
          } catch (const std::exception& error) {
            roles[i] = error.what();
          }
        });
    }
    std::ranges::sort(roles);
    const std::vector<std::string> wanted{"attached", "attached", "attached",
                                          "attached", "attached", "host"};
    BOOST_TEST(roles == wanted, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_deep_directory_has_a_socket_too) {
  TemporaryDirectory directory;
  fs::path deep = directory.path();
  for (int i = 0; i < 20; ++i) deep /= "a_directory_with_a_long_name";
  fs::create_directories(deep);
  HostProcess host(deep / "db");
  BOOST_TEST(host.role() == "host");
  HostProcess second(deep / "db");
  BOOST_TEST(second.role() == "attached");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
