// Databases from before there were full-text indexes, made by taking the family away from one of today.

#include "codec/keys.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/database/access.hpp"
#include "engine/fulltext/text_search.hpp"
#include "engine/store/meta.hpp"
#include "engine/store/metadata_file.hpp"
#include "engine/store/tuning.hpp"
#include "engine/view/view.hpp"
#include "engine/write/index_request.hpp"
#include "engine/write/writer.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>
#include <rocksdb/db.h>

using namespace cairn;
using test::must;
using test::TemporaryDatabase;

namespace {

void require(const rocksdb::Status& status) {
  BOOST_REQUIRE_MESSAGE(status.ok(), status.ToString());
}

/// The store as one that has never heard of the family.
void drop_text_family(const std::filesystem::path& store) {
  const engine::StoreOptions options;
  const auto memory = engine::make_store_memory(options);
  std::vector<rocksdb::ColumnFamilyDescriptor> families = {
      {rocksdb::kDefaultColumnFamilyName, rocksdb::ColumnFamilyOptions()}};
  for (const engine::Family family : engine::all_families)
    families.emplace_back(std::string(to_string(family)),
                          engine::family_options(family, options, memory));
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* database = nullptr;
  require(rocksdb::DB::Open(engine::database_options(options, memory, rocksdb::Env::Default()),
                            store.string(), families, &handles, &database));
  auto* meta = handles[1 + engine::position(engine::Family::meta)];
  require(database->Delete({}, meta, codec::meta_key::layout("text")));
  require(database->DropColumnFamily(handles[1 + engine::position(engine::Family::text)]));
  for (auto* handle : handles) require(database->DestroyColumnFamilyHandle(handle));
  require(database->Close());
  delete database;  // NOLINT: RocksDB gives a bare pointer
}

struct Fixture {
  TemporaryDatabase db;

  Fixture() {
    test::run_all(*db, {"CREATE (:M {content: 'green tea'})-[:R]->(:M {content: 'moss'})"});
    db.close();
    drop_text_family(db.path() / engine::metadata_file::store_directory);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(older_database, Fixture)

BOOST_AUTO_TEST_CASE(a_database_without_the_family_opens_and_gets_it) {
  db.reopen();
  BOOST_TEST(db->warnings().empty());
  BOOST_TEST(must(db->check()).empty());
  Transaction transaction = must(db->begin());
  engine::IndexRequest index;
  index.name = "texts";
  index.index_kind = codec::IndexKind::full_text;
  index.labels_or_types = {"M"};
  index.properties = {"content"};
  must(Access::writer(transaction)->create_index(index));
  must(transaction.commit());
  db.reopen();
  const Snapshot snapshot = must(db->snapshot());
  const auto view = Access::view(snapshot);
  engine::TextQuery query;
  query.text = "moss";
  const auto found = must(view->search_text(*view->catalog().find_index("texts"), query));
  BOOST_TEST(found.hits.size() == 1U);
  BOOST_TEST(must(db->check()).empty());
}

BOOST_AUTO_TEST_CASE(for_reading_only_it_says_what_to_do) {
  Options options;
  options.mode = OpenMode::read_only;
  const auto opened = Database::open(db.path(), options);
  BOOST_REQUIRE(!opened);
  BOOST_TEST((opened.error().code == ErrorCode::unsupported));
  BOOST_TEST(opened.error().message.find("open the database for writing once") !=
             std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
