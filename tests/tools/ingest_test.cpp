#include "tools/ingest/ingest.hpp"

#include "tests/support/temporary_directory.hpp"

#include <cairn/embedder.hpp>
#include <cairn/hashing_frequencies.hpp>
#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>
#include <sys/fsuid.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using cairn::Value;
using namespace cairn::tools;
namespace fs = std::filesystem;

namespace {

/// A directory of files and a database beside it.
struct Fixture {
  cairn::test::TemporaryDirectory temporary;
  fs::path root = temporary.path() / "files";
  cairn::Database database = cairn::Database::open(temporary.path() / "db").value();
  std::unique_ptr<cairn::Embedder> embedder = cairn::make_hashing_embedder(32);

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((root / name).parent_path());
    std::ofstream(root / name, std::ios::binary) << text;
  }
  IngestReport ingest(const IngestOptions& options = {}, const fs::path& below = {}) {
    auto report = ingest_directory(database, root / below, *embedder, options);
    BOOST_REQUIRE_MESSAGE(report.has_value(), (report ? "" : report.error().message));
    return *report;
  }
  std::int64_t count(std::string_view text) {
    auto rows = cairn::execute(database, text);
    BOOST_REQUIRE_MESSAGE(rows.has_value(), (rows ? "" : rows.error().message));
    return rows->all().value()[0][0].as_integer();
  }
};

/// Writes a node whenever it makes vectors. That of the text "0" is zero.
class WritingEmbedder final : public cairn::Embedder {
 public:
  explicit WritingEmbedder(cairn::Database& database) : database_(database) {}
  [[nodiscard]] std::string model() const override { return "writing"; }
  [[nodiscard]] std::size_t dimension() const override { return 2; }
  [[nodiscard]] cairn::Result<std::vector<cairn::Vector>> embed(
      std::span<const std::string_view> texts) const override {
    CAIRN_TRY(cairn::execute(database_, "CREATE (:Written)"));
    std::vector<cairn::Vector> vectors;
    for (const std::string_view text : texts)
      vectors.emplace_back(std::vector<float>{text == "0" ? 0.0F : 1.0F, 0.0F});
    return vectors;
  }

 private:
  cairn::Database& database_;
};

/// Is away at every second request.
class AbsentEmbedder final : public cairn::Embedder {
 public:
  [[nodiscard]] std::string model() const override { return "absent"; }
  [[nodiscard]] std::size_t dimension() const override { return 2; }
  [[nodiscard]] cairn::Result<std::vector<cairn::Vector>> embed(
      std::span<const std::string_view> texts) const override {
    if (is_gone || ++requests % 2 == 1)
      return cairn::Error{cairn::ErrorCode::busy, "the model is away", std::nullopt};
    return std::vector<cairn::Vector>(texts.size(), cairn::Vector(std::vector<float>{1, 0}));
  }
  bool is_gone = false;
  mutable int requests = 0;
};

/// The superuser reads everything, so that files are looked at as somebody else by this thread.
struct Nobody {
  Nobody() {
    if (geteuid() == 0) setfsuid(65'534);
  }
  Nobody(const Nobody&) = delete;
  Nobody& operator=(const Nobody&) = delete;
  ~Nobody() { setfsuid(geteuid()); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(ingest, Fixture)

BOOST_AUTO_TEST_CASE(files_become_documents_and_chunks) {  // M3.13 M3.14
  write("a.md", std::string(1'200, 'x'));
  write("sub/b.py", "print(1)\n");
  BOOST_TEST(ingest().added == 2U);
  BOOST_TEST(count("MATCH (d:Document) RETURN count(*)") == 2);
  BOOST_TEST(count("MATCH (:Document {file_name: 'a.md'})-[:HAS_CHUNK]->(c) RETURN count(c)") ==
             count("MATCH (d:Document {file_name: 'a.md'}) RETURN d.total_chunks"));
  BOOST_TEST(
      count("MATCH (c:Chunk) WHERE c.directory = 'sub' AND c.chunk_index = 0 RETURN count(*)") ==
      1);
  BOOST_TEST(count("MATCH (c:Chunk) WHERE c.embedding IS NOT NULL RETURN count(*)") ==
             count("MATCH (c:Chunk) RETURN count(*)"));
}

BOOST_AUTO_TEST_CASE(chunks_are_kept_as_documents_are) {
  embedder = cairn::make_hashing_embedder(cairn::HashingFrequencies(), 32);
  write("a.md", "moss");
  ingest();
  const std::string_view text = "moss";
  const auto expected = embedder->embed_documents({&text, 1}).value()[0];
  auto rows = cairn::execute(database, "MATCH (c:Chunk) RETURN c.embedding");
  BOOST_REQUIRE(rows.has_value());
  BOOST_TEST((rows->all().value()[0][0] == cairn::Value(expected)));
  BOOST_TEST(!(cairn::Value(embedder->embed({&text, 1}).value()[0]) == cairn::Value(expected)));
}

// A service may take longer than a writer may be idle.
BOOST_AUTO_TEST_CASE(others_write_while_an_embedder_works) {
  embedder = std::make_unique<WritingEmbedder>(database);
  write("a.md", "moss");
  BOOST_TEST(ingest().chunks == 1U);
  BOOST_TEST(count("MATCH (w:Written) RETURN count(*)") == 1);
}

BOOST_AUTO_TEST_CASE(a_chunk_with_nothing_to_make_a_vector_of_has_none) {
  embedder = std::make_unique<WritingEmbedder>(database);
  write("a.md", "0");
  BOOST_TEST(ingest().chunks == 1U);
  BOOST_TEST(count("MATCH (c:Chunk) WHERE c.embedding IS NULL RETURN count(*)") == 1);
}

BOOST_AUTO_TEST_CASE(documents_are_stored_while_the_model_is_away) {
  for (int i = 0; i < 10; ++i) write(std::to_string(i) + ".txt", "text " + std::to_string(i));
  AbsentEmbedder away;
  const IngestReport complete = ingest_directory(database, root, away, {}).value();
  BOOST_TEST(complete.chunks == 10U);
  BOOST_TEST(complete.warnings.empty());
  BOOST_TEST(count("MATCH (c:Chunk) WHERE c.embedding IS NOT NULL RETURN count(*)") == 10);
  write("new.txt", "more text");
  away.is_gone = true;
  const IngestReport report = ingest_directory(database, root, away, {}).value();
  BOOST_TEST(report.added == 1U);
  BOOST_TEST_REQUIRE(report.warnings.size() == 1U);
  BOOST_TEST(report.warnings[0] ==
             "1 vectors are pending: the model is away; `cairn embed DB --pending` makes them");
  BOOST_TEST(count("MATCH (c:Chunk) WHERE c.embedding_pending RETURN count(*)") == 1);
}

BOOST_AUTO_TEST_CASE(what_was_ingested_can_be_recalled) {
  write("a.md", "moss grows on stones");
  write("b.md", "tea is green");
  ingest();
  BOOST_TEST(count("CALL db.recall('where is moss?', {limit: 1}) YIELD node "
                   "WHERE node.relative_path = 'a.md' RETURN count(*)") == 1);
}

BOOST_AUTO_TEST_CASE(an_overlap_as_long_as_a_chunk_is_refused_by_its_numbers) {
  IngestOptions options;
  options.chunks = {100, 200};
  const auto report = ingest_directory(database, root, *embedder, options);
  BOOST_REQUIRE(!report.has_value());
  for (const char* part : {"100", "200", "--chunk-overlap"})
    BOOST_TEST(report.error().message.find(part) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_second_run_changes_nothing) {
  write("a.md", "one");
  ingest();
  const IngestReport second = ingest();
  BOOST_TEST(second.unchanged == 1U);
  BOOST_TEST(second.chunks == 0U);
}

BOOST_AUTO_TEST_CASE(a_changed_file_replaces_its_chunks) {  // M3.51
  write("a.md", std::string(2'000, 'x'));
  ingest();
  write("a.md", "short now");
  BOOST_TEST(ingest().replaced == 1U);
  BOOST_TEST(count("MATCH (c:Chunk) RETURN count(*)") == 1);
  BOOST_TEST(count("MATCH (c:Chunk {content: 'short now'}) RETURN count(*)") == 1);
}

BOOST_AUTO_TEST_CASE(a_file_is_read_again_with_other_settings) {
  write("a.md", std::string(1'200, 'x'));
  ingest();
  const auto chunks = count("MATCH (c:Chunk) RETURN count(*)");
  IngestOptions options;
  options.extra["tag"] = "new";
  BOOST_TEST(ingest(options).replaced == 1U);
  BOOST_TEST(count("MATCH (c:Chunk {tag: 'new'}) RETURN count(*)") == chunks);
  options.chunks = {100, 10};
  BOOST_TEST(ingest(options).replaced == 1U);
  BOOST_TEST(count("MATCH (c:Chunk {tag: 'new'}) RETURN count(*)") > chunks);
  options.chunks.overlap = 20;
  BOOST_TEST(ingest(options).replaced == 1U);
  BOOST_TEST(ingest(options).unchanged == 1U);
}

BOOST_AUTO_TEST_CASE(another_model_of_the_same_dimension_is_refused_before_anything_is_replaced) {
  write("a.md", "red");
  ingest();
  write("a.md", "green");
  cairn::HashingFrequencies frequencies;
  frequencies.add("red");
  const auto other = cairn::make_hashing_embedder(frequencies, 32);
  const auto refused = ingest_directory(database, root, *other, {});
  BOOST_TEST_REQUIRE(!refused.has_value());
  for (const std::string& part : {embedder->model(), other->model(), std::string("drop the index")})
    BOOST_TEST(refused.error().message.find(part) != std::string::npos, refused.error().message);
  BOOST_TEST(count("MATCH (c:Chunk {content: 'red'}) RETURN count(*)") == 1);
  // The way out that the message names.
  BOOST_TEST(cairn::execute(database, "MATCH (c:Chunk) REMOVE c.embedding").has_value());
  BOOST_TEST(cairn::execute(database, "DROP INDEX chunk_embedding").has_value());
  const auto again = ingest_directory(database, root, *other, {});
  BOOST_TEST_REQUIRE(again.has_value());
  BOOST_TEST(again->replaced == 1U);
  BOOST_TEST(again->warnings.empty());
  BOOST_TEST(!ingest_directory(database, root, *embedder, {}).has_value());
}

BOOST_AUTO_TEST_CASE(vectors_that_nobody_named_are_told_of) {
  write("a.md", "red");
  ingest();
  write("b.md", "green");
  BOOST_TEST(cairn::execute(database, "DROP INDEX chunk_embedding").has_value());
  const IngestReport report = ingest();
  BOOST_TEST_REQUIRE(report.warnings.size() == 1U);
  BOOST_TEST(to_text(report).find("has vectors of an unknown model") != std::string::npos);
  BOOST_TEST(ingest().warnings.empty());
}

BOOST_AUTO_TEST_CASE(names_that_ingest_sets_itself_are_refused) {
  write("a.md", "one");
  IngestOptions options;
  options.extra = {{"content", "x"}, {"chunk_index", 1}, {"tag", "t"}, {"embedding", 1}};
  const auto report = ingest_directory(database, root, *embedder, options);
  BOOST_REQUIRE(!report.has_value());
  BOOST_TEST((report.error().code == cairn::ErrorCode::invalid_argument));
  for (const char* name : {"content", "chunk_index", "embedding"})
    BOOST_TEST(report.error().message.find(name) != std::string::npos);
  BOOST_TEST(report.error().message.find("tag") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_document_stays_with_the_directory_it_came_with) {
  write("a.md", "one");
  write("sub/b.md", "two");
  write("sub/more/c.md", "three");
  ingest({}, "sub/more");
  ingest();
  write("sub/d.md", "four");
  const IngestReport below = ingest({}, "sub");
  BOOST_TEST(below.added == 1U);
  BOOST_TEST(below.removed == 0U);
  BOOST_TEST(to_text(below).find("1 file whose document belongs to " + root.string() + ":") !=
             std::string::npos);
  BOOST_TEST(below.of_other_roots.size() == 2U);
  const IngestReport again = ingest();
  BOOST_TEST(again.unchanged == 2U);
  BOOST_TEST(again.added + again.replaced + again.removed == 0U);
  BOOST_TEST(count("MATCH (d:Document) RETURN count(*)") == 4);
  BOOST_TEST(count("MATCH (d:Document {relative_path: 'sub/b.md'}) RETURN count(*)") == 1);
}

BOOST_AUTO_TEST_CASE(databases_are_left_out_and_reported) {
  write("a.md", "one");
  {
    const auto other = cairn::Database::open(root / "other.cairn").value();
  }
  auto open = cairn::Database::open(root / "open.cairn").value();
  const IngestReport report = ingest();
  BOOST_TEST(report.added == 1U);
  BOOST_TEST(report.skipped == (std::vector<std::string>{"open.cairn: a Cairn database",
                                                         "other.cairn: a Cairn database"}),
             boost::test_tools::per_element());
  BOOST_TEST(!ingest_directory(database, root / "open.cairn", *embedder, {}).has_value());
}

BOOST_AUTO_TEST_CASE(a_vanished_file_takes_its_chunks_along) {
  write("a.md", "one");
  write("b.md", "two");
  ingest();
  fs::remove(root / "a.md");
  BOOST_TEST(ingest().removed == 1U);
  BOOST_TEST(count("MATCH (n) RETURN count(*)") == 2);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_kept_and_named) {
  write("a.md", "one");
  write("closed/b.md", "two");
  write("closed/deep/c.md", "three");
  write("closed.md", "four");
  BOOST_TEST(ingest().added == 4U);
  fs::remove(root / "closed.md");
  fs::permissions(temporary.path(), fs::perms::all);
  fs::permissions(root / "closed", fs::perms::none);
  const IngestReport report = [&] {
    const Nobody nobody;
    return ingest();
  }();
  fs::permissions(root / "closed", fs::perms::owner_all);
  BOOST_TEST(report.removed == 1U);
  BOOST_TEST(report.unchanged == 1U);
  BOOST_TEST_REQUIRE(report.skipped.size() == 1U);
  BOOST_TEST(report.skipped.front() == "closed: cannot be read; its documents stay as they are");
  BOOST_TEST(count("MATCH (d:Document) RETURN count(*)") == 3);
}

BOOST_AUTO_TEST_CASE(binary_hidden_and_linked_files_are_left_out_with_a_word) {
  write("a.bin", std::string("a\0b", 3));
  write("c.txt", "\xff\xfe");
  write(".hidden/d.md", "secret");
  fs::create_symlink(root / "c.txt", root / "link.txt");
  const IngestReport report = ingest();
  BOOST_TEST(report.added == 0U);
  BOOST_TEST(report.skipped.size() == 2U);
  BOOST_TEST(report.hidden == 1U);
  BOOST_TEST(report.links == 1U);
  BOOST_TEST(to_text(report).find("left out 1 hidden file or directory and 1 symbolic") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_missing_directory_is_named) {
  const auto report = ingest_directory(database, root / "none", *embedder, {});
  BOOST_REQUIRE(!report.has_value());
  BOOST_TEST(report.error().message.find("none") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_expires_is_kept_by_the_next_run_that_sees_it) {
  write("a.md", std::string(1'200, 'x'));
  IngestOptions options;
  options.expires_at = expiry_moment(database, "PT1H").value();
  BOOST_TEST(ingest(options).added == 1U);
  const std::string_view expiring =
      "MATCH (n:Document|Chunk) WHERE n@expires_at IS NOT NULL RETURN count(n)";
  const std::int64_t nodes = count("MATCH (n:Document|Chunk) RETURN count(n)");
  BOOST_TEST(nodes > 2);
  BOOST_TEST(count(expiring) == nodes);
  const std::int64_t first = *options.expires_at;
  BOOST_TEST(expiry_moment(database, "12h").value() > first);
  BOOST_TEST(expiry_moment(database, "2w").value() > expiry_moment(database, "30H").value());
  BOOST_TEST(expiry_moment(database, "0d").error().message == "--expires 0d is in the past");
  BOOST_TEST(expiry_moment(database, "292470y").error().message == "--expires 292470y is too long");
  BOOST_TEST(expiry_moment(database, "soon")
                 .error()
                 .message.starts_with(
                     "--expires takes a duration such as 30d, 12h or P30D, or a time such as "));
  options.expires_at = expiry_moment(database, "2d").value();
  BOOST_TEST(*options.expires_at > first);
  BOOST_TEST(ingest(options).unchanged == 1U);
  BOOST_TEST(count("MATCH (n) WITH DISTINCT n@expires_at AS at RETURN count(at)") == 1);
  BOOST_TEST(ingest().unchanged == 1U);
  BOOST_TEST(count(expiring) == nodes);
}

BOOST_AUTO_TEST_CASE(an_expiry_is_a_duration_or_a_moment_to_come) {
  BOOST_TEST(expiry_moment(database, "2100-01-01T00:00Z").value() == 4'102'444'800'000'000);
  for (const char* text : {"2001-01-01T00:00Z", "P-1D", "tomorrow", "30", ""})
    BOOST_TEST((expiry_moment(database, text).error().code == cairn::ErrorCode::invalid_argument),
               text);
}

BOOST_AUTO_TEST_SUITE_END()
