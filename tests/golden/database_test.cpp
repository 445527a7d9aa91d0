// A database of the present format, stored as it was written. It opens, agrees with itself and answers as it did. A
// later format that cannot read old databases fails here first.
//
// tests/golden/database has two packed databases, as a killed process left them: a part of each is only in the log.
//
//   present.tar.gz   by the present code: with TAIL, and with notes of the commits in the log
//   earlier.tar.gz   in the same format, by code from before TAIL and the notes
//
// If the code writes something else, rebuild the present database by hand from content.txt and log.txt:
//
//   golden_database_test --run_test=make_golden_database
//
// Then CAIRN_UPDATE_GOLDEN=1 writes the rows of queries.txt. If users may have databases like the replaced one, it is
// stored under a name of its own.
#include "codec/format_version.hpp"
#include "engine/database/access.hpp"
#include "engine/store/log_reader.hpp"
#include "engine/store/meta.hpp"
#include "engine/store/metadata_file.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/write/writer.hpp"
#include "tests/engine/store/fault_file_system.hpp"
#include "tests/support/golden_file.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/check_files.hpp>
#include <cairn/embedding_space.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

using namespace cairn;
using namespace cairn::test;

namespace fs = std::filesystem;

namespace {

const fs::path golden = fs::path(CAIRN_GOLDEN_DIR) / "database";

void run_command(const std::string& command) {
  BOOST_TEST_REQUIRE(std::system(command.c_str()) == 0, command);
}

std::string bytes_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// All files below a directory, by name.
std::map<std::string, std::string> files_in(const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(directory).string()] = bytes_of(entry.path());
  return files;
}

const std::string present = "present";
const std::string every_name[] = {present, "earlier"};

/// A golden database, unpacked.
class Unpacked {
 public:
  explicit Unpacked(const std::string& name = present) {
    run_command("tar -xzf '" + (golden / (name + ".tar.gz")).string() + "' -C '" +
                directory_.path().string() + "'");
  }

  [[nodiscard]] fs::path path() const { return directory_.path() / "db"; }

  [[nodiscard]] std::map<std::string, std::string> files() const { return files_in(path()); }

  [[nodiscard]] bool has_tail() const { return fs::exists(path() / engine::metadata_file::tail); }

  [[nodiscard]] bool has_notes_in_its_log() const {
    for (const auto& [name, bytes] : files())
      if (name.ends_with(".log") && engine::inspect_log(bytes).notes.last) return true;
    return false;
  }

  void write_format(const codec::FormatRecord& format) const {
    std::ofstream(path() / "FORMAT", std::ios::binary) << codec::encode(format);
  }

 private:
  TemporaryDirectory directory_;
};

StatementOptions options_of(const GoldenCase& one) {
  StatementOptions options;
  options.name_space = one.section("space");
  options.now = 1'767'225'600'000'000;  // 2026-01-01
  return options;
}

void write_file_of_statements(Database& database, const char* name) {
  for (const GoldenCase& one : read_golden_file(golden / name))
    for (const std::string_view statement : split_statements(one.section("write")))
      must(must(execute(database, statement, {}, options_of(one))).all());
}

void check_answers(Database& database) {
  BOOST_TEST(read_golden_file(golden / "queries.txt").size() >= 50U);
  check_golden_file(golden / "queries.txt", [&](const GoldenCase& one) -> GoldenOutcome {
    std::string text;
    for (const std::string& row : rows_of(database, one.section("query"), {}, options_of(one)))
      text += (text.empty() ? "" : "\n") + row;
    return {"rows", text};
  });
}

void check_database(const fs::path& path, const Options& options) {
  Database database = must(Database::open(path, options));
  for (const std::string& warning : database.warnings()) BOOST_ERROR(warning);
  for (const Finding& finding : must(database.check()))
    BOOST_ERROR(finding.place << ": " << finding.problem);
  check_answers(database);
}

/// However it is opened, a database of another format is refused and stays as it is.
template <class Files>
void check_refused(const fs::path& path, const Files& files) {
  const auto before = files();
  for (const OpenMode mode : {OpenMode::read_only, OpenMode::read_write, OpenMode::bulk_load}) {
    for (const bool repair : {false, true}) {
      Options options;
      options.mode = mode;
      options.repair = repair;
      const auto opened = Database::open(path, options);
      BOOST_TEST_REQUIRE(!opened);
      BOOST_TEST((opened.error().code == ErrorCode::format_too_new), opened.error().message);
      BOOST_TEST((files() == before));
    }
  }
  if (fs::exists(path / "LOCK")) static_cast<void>(check_files(path));
  BOOST_TEST((files() == before));
}

/// The file FORMAT says so. A copy may lack its lock.
void check_format_refused(const codec::FormatRecord& format, bool has_lock) {
  const Unpacked unpacked;
  unpacked.write_format(format);
  if (!has_lock) fs::remove(unpacked.path() / "LOCK");
  check_refused(unpacked.path(), [&] { return unpacked.files(); });
}

/// A database whose store has the format. Its file FORMAT is of this version.
void make_database_of(const codec::FormatRecord& format, const fs::path& path) {
  {
    Database database = must(Database::open(path));
    run_all(database, {"CREATE (:Book {name: 'Elements'})"});
    must(database.close());
  }
  const auto store =
      must(engine::RocksStore::open(path / engine::metadata_file::store_directory, {}));
  engine::StoreBatch batch(*store);
  engine::MetaWriter(batch).put_format(format);
  must(store->write(batch, engine::WriteMode::sync));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(golden_database)

BOOST_AUTO_TEST_CASE(it_opens_for_reading_answers_and_stays_as_it_is) {
  Options options;
  options.mode = OpenMode::read_only;
  for (const std::string& name : every_name) BOOST_TEST_CONTEXT(name) {
      const Unpacked unpacked(name);
      const auto before = unpacked.files();
      check_database(unpacked.path(), options);
      BOOST_TEST((unpacked.files() == before));
      BOOST_TEST(must(check_files(unpacked.path())).empty());
    }
}

BOOST_AUTO_TEST_CASE(it_opens_for_writing_and_answers_also_after_it_was_closed) {
  for (const std::string& name : every_name) BOOST_TEST_CONTEXT(name) {
      const Unpacked unpacked(name);
      check_database(unpacked.path(), {});
      check_database(unpacked.path(), {});
      BOOST_TEST(unpacked.has_tail());
    }
}

BOOST_AUTO_TEST_CASE(it_can_be_repaired_and_answers) {
  Options options;
  options.repair = true;
  for (const std::string& name : every_name) BOOST_TEST_CONTEXT(name) {
      check_database(Unpacked(name).path(), options);
    }
}

BOOST_AUTO_TEST_CASE(it_can_be_written_to) {
  for (const std::string& name : every_name) BOOST_TEST_CONTEXT(name) {
      const Unpacked unpacked(name);
      Database database = must(Database::open(unpacked.path()));
      run_all(database,
              {"MATCH (p:Person {name: 'Ada'}) SET p.age = 37",
               "CREATE (:Note {number: 200, text: 'tea', embedding: [1.0, 1.0, 1.0, 1.0]})"});
      BOOST_TEST(must(database.check()).empty());
    }
}

// Its vector index is from before indexes named a model.
BOOST_AUTO_TEST_CASE(a_model_can_be_declared_and_is_kept) {
  class Model final : public Embedder {
   public:
    explicit Model(std::string name) : name_(std::move(name)) {}
    [[nodiscard]] std::string model() const override { return name_; }
    [[nodiscard]] std::size_t dimension() const override { return 4; }
    [[nodiscard]] Result<std::vector<Vector>> embed(
        std::span<const std::string_view> texts) const override {
      return std::vector<Vector>(texts.size(), Vector({1, 1, 1, 1}));
    }

   private:
    std::string name_;
  };
  const Unpacked unpacked("earlier");
  {
    Database database = must(Database::open(unpacked.path()));
    Transaction transaction = must(database.begin());
    BOOST_TEST(!must(use_model(transaction, "note_vectors", Model("one"))).empty());
    must(transaction.commit());
  }
  check_database(unpacked.path(), {});
  const Database database = must(Database::open(unpacked.path()));
  BOOST_TEST(!check_model(must(database.snapshot()), "note_vectors", Model("two")));
}

BOOST_AUTO_TEST_CASE(the_present_one_tells_its_newest_commit_and_the_earlier_one_does_not) {
  const Unpacked now, before("earlier");
  BOOST_TEST(now.has_tail());
  BOOST_TEST(now.has_notes_in_its_log());
  BOOST_TEST(!before.has_tail());
  BOOST_TEST(!before.has_notes_in_its_log());
}

BOOST_AUTO_TEST_CASE(a_newer_version_is_refused_and_stays_as_it_is) {
  for (const bool has_lock : {true, false})
    check_format_refused({codec::format_version + 1, 0, 0}, has_lock);
}

// As in an incomplete copy. Opening the store for writing would change it.
BOOST_AUTO_TEST_CASE(a_newer_version_without_its_file_is_refused_and_stays_as_it_is) {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "db";
  make_database_of({codec::format_version + 1, 0, 0}, path);
  fs::remove(path / "FORMAT");
  check_refused(path, [&] { return files_in(path); });
}

// A repair replaces a damaged file, but only in a database that it knows.
BOOST_AUTO_TEST_CASE(a_newer_version_with_a_damaged_file_is_not_repaired) {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "db";
  make_database_of({codec::format_version + 1, 0, 0}, path);
  std::ofstream(path / "FORMAT", std::ios::binary) << "damaged";
  const auto before = files_in(path);
  Options options;
  options.repair = true;
  const auto opened = Database::open(path, options);
  BOOST_TEST_REQUIRE(!opened);
  BOOST_TEST((opened.error().code == ErrorCode::format_too_new), opened.error().message);
  BOOST_TEST((files_in(path) == before));
}

// The file is of an older copy. The store is opened then, so its files may change, but not what they have.
BOOST_AUTO_TEST_CASE(a_newer_version_behind_an_older_file_is_refused) {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "db";
  make_database_of({codec::format_version + 1, 0, 0}, path);
  for (int again = 0; again < 2; ++again)
    for (const OpenMode mode : {OpenMode::read_only, OpenMode::read_write}) {
      Options options;
      options.mode = mode;
      const auto opened = Database::open(path, options);
      BOOST_TEST_REQUIRE(!opened);
      BOOST_TEST((opened.error().code == ErrorCode::format_too_new), opened.error().message);
    }
}

BOOST_AUTO_TEST_CASE(an_unknown_incompatible_flag_is_refused_and_stays_as_it_is) {
  for (const bool has_lock : {true, false})
    check_format_refused({codec::format_version, 0, std::uint64_t{1} << 40}, has_lock);
}

BOOST_AUTO_TEST_CASE(an_unknown_compatible_flag_is_no_obstacle) {
  const Unpacked unpacked;
  unpacked.write_format({codec::format_version, std::uint64_t{1} << 40, 0});
  check_database(unpacked.path(), {});
}

BOOST_AUTO_TEST_SUITE_END()

/// By hand: see above. A suite of its own, as ctest runs whole suites, disabled cases too.
BOOST_AUTO_TEST_SUITE(make_golden_database, *boost::unit_test::disabled())

BOOST_AUTO_TEST_CASE(make_it_again) {
  const TemporaryDirectory directory;
  fs::create_directory(directory.path() / "copy");
  Database database = must(Database::open(directory.path() / "db"));
  Transaction transaction = must(database.begin());
  must(transaction.create_node({{"Book"}, {{"name", "Elements"}}, "urn:elements"}));
  must(transaction.create_node({{"Book"}, {{"name", "Almagest"}}, "urn:almagest"}));
  const auto hidden = must(transaction.create_node({{"Book"}, {{"name", "Hidden"}}, "urn:hidden"}));
  const auto expired = must(transaction.create_node({{"Book"}, {{"name", "Expired"}}, "urn:old"}));
  const auto node = codec::EntityKind::node;
  must(Access::writer(transaction)->set_deleted(node, hidden.value, 1));
  must(Access::writer(transaction)->set_expiry(node, expired.value, 1));
  must(transaction.commit());
  write_file_of_statements(database, "content.txt");
  must(database.checkpoint());
  write_file_of_statements(database, "log.txt");
  // While it is open, as a killed process leaves it. LOG and OPTIONS are written for people.
  FaultFileSystem::copy_at_rest(directory.path() / "db", directory.path() / "copy" / "db");
  run_command(
      "tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=2026-01-01 --exclude='LOG*' "
      "--exclude='OPTIONS-*' -C '" +
      (directory.path() / "copy").string() + "' -cf - db | gzip -9n > '" +
      (golden / "present.tar.gz").string() + "'");
}

BOOST_AUTO_TEST_SUITE_END()
