// Each file of a database is replaced by a file that blocks, never ends or links elsewhere. The open returns an error
// at once that names the file, and does not change the target of a link.

#include "engine/system/regular_file.hpp"
#include "tests/engine/hostile/sample_database.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/graph_builder.hpp"

#include <cairn/check_files.hpp>

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <functional>

using namespace cairn;
using test::must;

namespace fs = std::filesystem;

namespace {

/// A hang ends the program.
class Watch {
 public:
  Watch() { ::alarm(120); }
  ~Watch() { ::alarm(0); }
};

struct Odd {
  std::string name;
  std::function<void(const fs::path&)> make;  // nothing has the name
};

constexpr std::string_view precious = "precious";

std::vector<Odd> odd_things(const fs::path& elsewhere) {
  return {
      {"pipe", [](const fs::path& file) { BOOST_REQUIRE(::mkfifo(file.c_str(), 0600) == 0); }},
      {"zeros", [](const fs::path& file) { fs::create_symlink("/dev/zero", file); }},
      {"link", [=](const fs::path& file) { fs::create_symlink(elsewhere, file); }},
      {"dangling",
       [=](const fs::path& file) { fs::create_symlink(elsewhere.string() + "2", file); }},
      {"directory", [](const fs::path& file) { fs::create_directory(file); }},
      {"holes",
       [](const fs::path& file) {
         std::ofstream(file) << "x";
         fs::resize_file(file, std::uintmax_t{1} << 40);
       }},
  };
}

/// What is rebuilt or not read by Cairn need not be refused, as a table that nothing names any more.
bool must_refuse(const fs::path& sample, const fs::path& file) {
  const std::string name = file.filename();
  if (name.ends_with(".sst")) {
    const test::TemporaryDirectory directory;
    test::copy_tree(sample, directory.path() / "db");
    fs::remove(directory.path() / "db" / file);
    return !Database::open(directory.path() / "db");
  }
  return name == "LOCK" || name == "FORMAT" || name == "COMMIT" || name == "TAIL" ||
         name == "CURRENT" || name.starts_with("MANIFEST") || name.ends_with(".log");
}

void expect_named(const Error& error, const fs::path& file, const std::string& about) {
  BOOST_TEST(error.message.find(file.filename()) != std::string::npos, about << error.message);
  const bool is_told = error.message.find(" must be a ") != std::string::npos ||
                       error.message.find("were ever written") != std::string::npos ||
                       error.message.find(" at most ") != std::string::npos;
  BOOST_TEST((is_told || file.extension() == ".sst"), about << error.message);
}

void expect_refused_as(const fs::path& database, const fs::path& file, bool must_refuse,
                       const std::string& kind) {
  for (const OpenMode mode : {OpenMode::read_only, OpenMode::read_write}) {
    Options options;
    options.mode = mode;
    options.memory_bytes = std::size_t{32} << 20;
    const auto opened = Database::open(database, options);
    const std::string about =
        kind + " as " + file.string() + (mode == OpenMode::read_only ? ", read: " : ": ");
    // Without a store, the directory as a whole is no database.
    const bool is_no_store = file == "store" && kind == "dangling";
    if (!opened && must_refuse && !is_no_store) expect_named(opened.error(), file, about);
    // Who only reads gets the rest where tables are damaged, and does not need LOCKs of RocksDB.
    const bool may_open = !must_refuse || file == "store/LOCK" ||
                          (mode == OpenMode::read_only && file.extension() == ".sst");
    BOOST_TEST((!opened || may_open), about << "opened");
  }
  static_cast<void>(check_files(database).has_value());
}

/// In a copy, with each odd thing in place of the file or folder.
void expect_refused(const fs::path& sample, const fs::path& file, bool must_refuse) {
  const Watch watch;
  const test::TemporaryDirectory directory;
  const fs::path copy = directory.path() / "copy", elsewhere = directory.path() / "elsewhere";
  for (const Odd& odd : odd_things(elsewhere)) {
    // Tables are many, and all are opened alike.
    if (file.extension() == ".sst" && odd.name != "pipe" && odd.name != "link") continue;
    // A folder that is a directory is not odd.
    if (fs::is_directory(sample / file) && odd.name == "directory") continue;
    std::ofstream(elsewhere) << precious;
    test::copy_tree(sample, copy);
    fs::remove_all(copy / file);
    odd.make(copy / file);
    expect_refused_as(copy, file, must_refuse, odd.name);
    BOOST_TEST(fs::file_size(elsewhere) == precious.size(), odd.name << " as " << file);
    BOOST_TEST(!fs::exists(elsewhere.string() + "2"));
    fs::remove_all(copy);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(odd_files)

BOOST_AUTO_TEST_CASE(whatever_is_no_regular_file_is_refused_at_once) {
  const test::TemporaryDirectory directory;
  const fs::path sample = directory.path() / "sample";
  test::make_sample_database(sample, 0, false);
  std::vector<fs::path> files = test::files_of(sample);
  // Files that are there only at times: those that are being written, and marks whose content opening does not read.
  for (const char* other :
       {"FORMAT.new", "COMMIT.new", "TAIL.new", "HOST", "HOST.new", "HOME", "BULK"})
    files.push_back(other);
  for (const fs::path& file : files) expect_refused(sample, file, must_refuse(sample, file));
}

BOOST_AUTO_TEST_CASE(a_vector_index_whose_file_is_no_regular_one_is_rebuilt) {
  const test::TemporaryDirectory directory;
  const fs::path sample = directory.path() / "sample";
  test::make_sample_database(sample, 0, true);
  for (const fs::path& file : test::files_of(sample))
    if (file.parent_path() == "vector") expect_refused(sample, file, false);
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_none_is_refused_at_once) {
  const test::TemporaryDirectory directory;
  const fs::path sample = directory.path() / "sample";
  test::make_sample_database(sample, 0, true);
  for (const char* folder : {"store", "segment", "vector"}) {
    BOOST_TEST_REQUIRE(fs::is_directory(sample / folder));
    expect_refused(sample, folder, true);
  }
}

BOOST_AUTO_TEST_CASE(a_directory_of_it_is_not_followed_out_of_it) {
  const test::TemporaryDirectory directory;
  const fs::path one = directory.path() / "one", other = directory.path() / "other";
  test::make_sample_database(one, 0, true);
  for (const char* name : {"store", "segment", "vector"}) {
    fs::rename(one / name, other);
    fs::create_directory_symlink(other, one / name);
    const auto opened = Database::open(one);
    BOOST_REQUIRE(!opened);
    BOOST_TEST(opened.error().message.find((one / name).string() + " is a symbolic link") !=
                   std::string::npos,
               opened.error().message);
    fs::remove(one / name);
    fs::rename(other, one / name);
  }
  // The database itself may be reached by a link: that is its user's choice.
  fs::create_directory_symlink(one, other);
  BOOST_TEST(Database::open(other).has_value());
}

// RocksDB asserts that no change comes twice. The empty table lets the opening look at the store before at its logs.
BOOST_AUTO_TEST_CASE(a_log_under_two_names_is_refused) {
  const test::TemporaryDirectory directory;
  const fs::path database = directory.path() / "db";
  test::make_sample_database(database, 0, false);
  for (const fs::path& file : test::files_of(database))
    if (file.extension() == ".log" && fs::file_size(database / file) > 0)
      fs::copy_file(database / file, database / "store/000098.log",
                    fs::copy_options::overwrite_existing);
  std::ofstream(database / "store/000099.sst").flush();
  const auto opened = Database::open(database);
  BOOST_REQUIRE(!opened);
  BOOST_TEST(opened.error().message.find("000098.log") != std::string::npos,
             opened.error().message);
  Options options;
  options.repair = true;
  BOOST_TEST(Database::open(database, options).has_value());
}

// The last bytes of a table have no checksum, and contain the size of its index.
BOOST_AUTO_TEST_CASE(a_table_does_not_choose_how_much_memory_is_taken) {
  const test::TemporaryDirectory directory;
  const fs::path database = directory.path() / "db";
  test::make_sample_database(database, 0, false);
  for (const fs::path& file : test::files_of(database)) {
    if (file.extension() != ".sst" || fs::file_size(database / file) == 0) continue;
    std::fstream table(database / file, std::ios::in | std::ios::out | std::ios::binary);
    table.seekg(-53 + 1, std::ios::end);  // behind the kind of checksum
    const auto skip_number = [&] {
      while ((table.get() & 0x80) != 0) {
      }
    };
    for (int i = 0; i < 3; ++i) skip_number();  // the metaindex, and where the index begins
    table.seekp(table.tellg());
    table << "\xff\xff\xff\xff\xff\xff\x01";  // 2^43 bytes
  }
  const auto opened = Database::open(database);
  BOOST_REQUIRE(!opened);
  BOOST_TEST(opened.error().message.find("index at the end of the table lies outside") !=
                 std::string::npos,
             opened.error().message);
}

BOOST_AUTO_TEST_CASE(holes_are_let_pass_where_there_is_as_much_data) {
  const test::TemporaryDirectory directory;
  const fs::path file = directory.path() / "FILE";
  constexpr std::uintmax_t mebibyte = std::uintmax_t{1} << 20;
  std::ofstream(file) << std::string(mebibyte, 'x');
  fs::resize_file(file, 17 * mebibyte);
  BOOST_TEST(engine::check_regular(file).has_value());
  fs::resize_file(file, 19 * mebibyte);
  BOOST_TEST(!engine::check_regular(file).has_value());
  BOOST_TEST(!engine::open_regular(file, O_RDONLY).has_value());
  std::ofstream(file) << std::string(19 * mebibyte, 'x');
  BOOST_TEST(engine::check_regular(file).has_value());
  BOOST_TEST(!engine::check_regular(file, mebibyte).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
