// Paths of statements: none leads out of the root, by whatever name or link.
#include "engine/files/file_root.hpp"

#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace cairn;
using namespace std::string_literals;
using engine::FileRoot;
using test::must;

namespace fs = std::filesystem;

namespace {

struct Fixture {
  test::TemporaryDirectory directory;
  fs::path root = directory.path() / "root";
  fs::path outside = directory.path() / "outside";
  FileRoot files{root};

  Fixture() {
    fs::create_directories(root / "a" / "b");
    fs::create_directory(outside);
    fs::create_directory(directory.path() / "root-sibling");
    put(outside / "secret", "secret");
    put(directory.path() / "root-sibling" / "secret", "secret");
    put(root / "a" / "b" / "good", "good");
    put(root / "plain", "plain");
    fs::create_symlink(outside, root / "out");
    fs::create_symlink(outside / "secret", root / "a" / "secret");
    fs::create_symlink("../..", root / "a" / "up");
    fs::create_symlink("b", root / "a" / "inside");
    fs::create_symlink("/", root / "all");
    fs::create_symlink("/proc/self", root / "self");
    fs::create_symlink("nowhere", root / "dangling");
    fs::create_symlink("loop", root / "loop");
    BOOST_TEST_REQUIRE(::mkfifo((root / "pipe").c_str(), 0600) == 0);
  }
  static void put(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

  std::string read(std::string_view path) {
    const auto file = files.open_for_reading(path);
    if (!file) return std::string(to_string(file.error().code));
    char buffer[64];
    return {buffer, must(engine::read_bytes(file->value(), buffer, "file"))};
  }
  std::string place(std::string_view path) {
    const auto found = files.resolve_for_writing(path);
    return found ? found->path().string() : std::string(to_string(found.error().code));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(file_root, Fixture)

BOOST_AUTO_TEST_CASE(files_beneath_the_root_are_found) {
  BOOST_TEST(read("plain") == "plain");
  BOOST_TEST(read("a/b/good") == "good");
  BOOST_TEST(read("./a//b/./good") == "good");
  BOOST_TEST(place("a/new") == (root / "a" / "new").string());
  BOOST_TEST(place("new") == (root / "new").string());
  BOOST_TEST(read("none") == "not_found");
  BOOST_TEST(read("none/file") == "not_found");
}

BOOST_AUTO_TEST_CASE(no_path_leads_out_of_it) {
  const std::string deep(5'000, 'x');
  const std::vector<std::string> paths = {
      "",
      ".",
      "/",
      "//",
      "..",
      "../outside/secret",
      "a/../../outside/secret",
      "a/b/../../../outside/secret",
      "./../outside/secret",
      "a/..",
      "../root/plain",
      "../root-sibling/secret",
      outside / "secret",
      root / "plain",
      "/etc/passwd",
      "//etc/passwd",
      "out/secret",
      "out",
      "a/secret",
      "a/up/outside/secret",
      "a/inside/good",
      "all/etc/passwd",
      "self/cwd/plain",
      "self/root/etc/passwd",
      "dangling",
      "loop",
      "loop/x",
      "plain\0/../../outside/secret"s,
      "\0plain"s,
      "a/b/good/../../../../outside/secret",
  };
  for (const std::string& path : paths) {
    BOOST_TEST(read(path) == "invalid_argument", "reading '" << path << "'");
    BOOST_TEST(place(path) == "invalid_argument", "writing '" << path << "'");
  }
  BOOST_TEST(place(deep + "/x") == "io_error");
  BOOST_TEST(read(deep) == "io_error");
  BOOST_TEST(read("plain/x") == "invalid_argument");
  BOOST_TEST(read("a") == "invalid_argument");
  BOOST_TEST(read("pipe") == "invalid_argument");
}

BOOST_AUTO_TEST_CASE(without_a_root_there_are_no_files) {
  const FileRoot none{fs::path()};
  const auto refused = none.open_for_reading("plain");
  BOOST_TEST((!refused && refused.error().code == ErrorCode::unsupported));
  BOOST_TEST(refused.error().message.find("Options::file_root") != std::string::npos);
  const FileRoot gone{root / "gone"};
  BOOST_TEST((gone.open_for_reading("plain").error().code == ErrorCode::not_found));
}

BOOST_AUTO_TEST_CASE(the_root_itself_may_be_reached_by_a_link) {
  fs::create_directory_symlink(root, directory.path() / "way");
  files = FileRoot{directory.path() / "way"};
  BOOST_TEST(read("plain") == "plain");
  BOOST_TEST(read("out/secret") == "invalid_argument");
}

// Somebody exchanges a directory and a link to the outside all the time: what is read is never the secret.
BOOST_AUTO_TEST_CASE(no_link_that_comes_meanwhile_is_followed) {
  fs::create_directory(root / "swapped");
  put(root / "swapped" / "secret", "public");
  fs::create_directory_symlink(outside, root / "link");
  std::atomic<bool> is_over = false;
  std::thread swapper([&] {
    while (!is_over) {
      ::rename((root / "swapped").c_str(), (root / "away").c_str());
      ::rename((root / "link").c_str(), (root / "swapped").c_str());
      ::rename((root / "swapped").c_str(), (root / "link").c_str());
      ::rename((root / "away").c_str(), (root / "swapped").c_str());
    }
  });
  std::size_t secrets = 0;
  std::size_t refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string found = read("swapped/secret");
    secrets += found == "secret" ? 1 : 0;
    refused += found != "public" ? 1 : 0;
  }
  is_over = true;
  swapper.join();
  BOOST_TEST(secrets == 0U);
  BOOST_TEST_MESSAGE(refused << " of 20000 readings met the exchange");
}

BOOST_AUTO_TEST_SUITE_END()
