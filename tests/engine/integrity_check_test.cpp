// Disagreements planted straight into the store are found, each with its place.

#include "engine/check/integrity_check.hpp"

#include "codec/posting.hpp"
#include "codec/record.hpp"
#include "engine/check/upgrade.hpp"
#include "engine/graph/record_postings.hpp"
#include "engine/store/meta.hpp"
#include "engine/store/metadata_file.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"

#include <cairn/node_view.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <functional>
#include <optional>

using namespace cairn;
using engine::Family;
using engine::RocksStore;
using engine::StoreBatch;
using test::GraphBuilder;
using test::must;

namespace {

struct Fixture {
  GraphBuilder graph = make_graph();
  std::unique_ptr<test::TemporaryDatabase> db = graph.open_temporary();

  static GraphBuilder make_graph() {
    GraphBuilder builder;
    builder.node("ada", "Person", {{"age", 36}, {"text", std::string(2'000, 't')}});
    builder.node("bob", "Person", {{"v", Vector({1, 2, 3})}});
    builder.relate("ada", "KNOWS", "bob", {{"since", 1843}});
    return builder;
  }
  /// Changes the closed store without the engine.
  void plant(const std::function<void(RocksStore&, StoreBatch&)>& change) {
    db->close();
    {
      const auto store =
          must(RocksStore::open(db->path() / engine::metadata_file::store_directory, {}));
      StoreBatch batch(*store);
      change(*store, batch);
      must(store->write(batch, engine::WriteMode::sync));
    }
    db->reopen();
  }
  std::string findings() {
    std::string text;
    for (const Finding& finding : must((*db)->check())) {
      text += finding.place + ": " + finding.problem + "\n";
    }
    return text;
  }
  void expect(std::string_view wanted) {
    const std::string text = findings();
    BOOST_TEST(text.find(wanted) != std::string::npos, "found: " << text);
  }
  std::string any_key(Family family) {
    db->close();
    std::string key;
    {
      const auto store =
          must(RocksStore::open(db->path() / engine::metadata_file::store_directory, {}));
      const auto cursor = store->scan(family, {}, nullptr);
      BOOST_REQUIRE(cursor.valid());
      key = cursor.key();
    }
    db->reopen();
    return key;
  }
};

std::string posting(std::uint32_t id) {
  std::string key = engine::system_posting(codec::EntityKind::node, codec::SystemPath::label, id);
  codec::append_chunk(key, 0);
  return key;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(integrity_check, Fixture)

BOOST_AUTO_TEST_CASE(a_sound_database_has_no_findings) { BOOST_TEST(findings().empty()); }

BOOST_AUTO_TEST_CASE(a_missing_and_a_surplus_index_entry_are_found) {
  plant([&](RocksStore&, StoreBatch& batch) {
    batch.merge(Family::index, posting(1), codec::encode_posting_delta({{9}, {1}}));
  });
  expect("node 1: its index entry (label)");
  expect("node 9: it should not have the index entry (label)");
}

BOOST_AUTO_TEST_CASE(a_lost_adjacency_key_is_found_on_either_side) {
  for (const Family family : {Family::adj_out, Family::adj_in}) {
    const std::string key = any_key(family);
    plant([&](RocksStore&, StoreBatch& batch) { batch.erase(family, key); });
    expect("relationship 1: its entry in the adjacency of its");
    plant([&](RocksStore&, StoreBatch& batch) { batch.put(family, key, ""); });
    BOOST_TEST(findings().empty());
  }
}

BOOST_AUTO_TEST_CASE(a_relationship_without_its_end_is_found) {
  plant([&](RocksStore&, StoreBatch& batch) { batch.erase(Family::nodes, codec::record_key(2)); });
  expect("which does not exist");
}

BOOST_AUTO_TEST_CASE(a_lost_text_vector_and_external_id_are_found) {
  const std::string vector = any_key(Family::vectors);
  const std::string external = any_key(Family::external_ids);
  plant([&](RocksStore&, StoreBatch& batch) {
    batch.erase(Family::vectors, vector);
    batch.erase(Family::external_ids, external);
    batch.erase(Family::nodes, codec::large_text_key(1, 2));
  });
  expect("its stored vectors are not those that its record names");
  expect("the entry of its external id is missing or wrong");
  expect("its large text is missing");
}

BOOST_AUTO_TEST_CASE(an_index_key_of_neither_kind_is_found) {
  plant([&](RocksStore&, StoreBatch& batch) {
    std::string key = posting(1);
    key.front() = 3;
    batch.merge(Family::index, key, codec::encode_posting_delta({{9}, {}}));
  });
  expect("it is damaged");
}

BOOST_AUTO_TEST_CASE(a_large_text_that_no_record_names_is_found) {
  plant([&](RocksStore&, StoreBatch& batch) {
    batch.put(Family::nodes, codec::large_text_key(2, 7), std::string(2'000, 'o'));
    batch.put(Family::relationships, codec::large_text_key(1, 7), std::string(2'000, 'o'));
  });
  expect("node 2: its stored large texts are not those that its record names");
  expect("relationship 1: its stored large texts are not those that its record names");
}

BOOST_AUTO_TEST_CASE(
    a_large_text_of_another_content_or_size_is_found_and_never_read_as_the_stored_one) {
  for (const std::string& other : {std::string(2'000, 'u'), std::string(1'999, 't')}) {
    plant([&](RocksStore&, StoreBatch& batch) {
      batch.put(Family::nodes, codec::large_text_key(1, 2), other);
    });
    expect("node 1: its large text is not the one that was stored");
    const auto read = must((*db)->snapshot()).find_node(NodeId{1});
    BOOST_REQUIRE(!read);
    BOOST_TEST((read.error().code == ErrorCode::corruption));
  }
}

BOOST_AUTO_TEST_CASE(a_damaged_large_text_is_repaired_by_setting_it_and_can_be_replaced) {
  const std::string whole(2'000, 't'), other(3'000, 'o');
  for (const std::string& next : {whole, other, whole}) {
    plant([&](RocksStore&, StoreBatch& batch) {
      batch.put(Family::nodes, codec::large_text_key(1, 2), std::string(2'000, 'u'));
    });
    Transaction transaction = must((*db)->begin());
    must(transaction.set_property(NodeId{1}, "other", 1));
    must(transaction.set_property(NodeId{1}, "text", next));
    must(transaction.commit());
    const auto node = must(must((*db)->snapshot()).find_node(NodeId{1}));
    BOOST_TEST(node->property("text").as_string() == next);
  }
}

BOOST_AUTO_TEST_CASE(a_damaged_record_is_found_and_reading_it_names_it) {
  plant([&](RocksStore&, StoreBatch& batch) {
    batch.put(Family::nodes, codec::record_key(1), "rubbish");
  });
  expect("node 1: ");
  const auto read = must((*db)->snapshot()).find_node(NodeId{1});
  BOOST_REQUIRE(!read);
  BOOST_TEST((read.error().code == ErrorCode::corruption));
  BOOST_TEST(read.error().message.find("node 1") != std::string::npos);
  const auto viewed = view_node(must((*db)->snapshot()), NodeId{1});
  BOOST_REQUIRE(!viewed);
  BOOST_TEST((viewed.error().code == ErrorCode::corruption));
  BOOST_TEST(viewed.error().message.find("node 1") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_wrong_counter_is_found) {
  plant([&](RocksStore&, StoreBatch& batch) {
    engine::Counters counters;
    counters.of(engine::Counter::live, codec::EntityKind::node) = 7;
    counters.put_changes({}, batch);
  });
  expect("counter live of nodes: it is 7, but 2 were counted");
}

BOOST_AUTO_TEST_CASE(a_repair_makes_everything_derived_agree_again) {
  const std::string out = any_key(Family::adj_out);
  plant([&](RocksStore&, StoreBatch& batch) {
    batch.merge(Family::index, posting(1), codec::encode_posting_delta({{9}, {1}}));
    batch.erase(Family::adj_out, out);
  });
  BOOST_TEST(!findings().empty());
  Options repair;
  repair.repair = true;
  db->reopen(repair);
  BOOST_TEST(findings().empty());
}

BOOST_AUTO_TEST_CASE(a_repair_goes_on_without_a_damaged_large_text) {
  const std::string key = codec::large_text_key(1, 2), whole(2'000, 't');
  const std::array<std::optional<std::string>, 2> left{std::nullopt, std::string(2'000, 'u')};
  for (std::size_t i = 0; i < 4; i += test::stride()) {
    const auto& damaged = left[i / 2];
    const bool repairs = i % 2 == 0;
    plant([&](RocksStore&, StoreBatch& batch) {
      batch.merge(Family::index, posting(1), codec::encode_posting_delta({{9}, {}}));
      if (damaged)
        batch.put(Family::nodes, key, *damaged);
      else
        batch.erase(Family::nodes, key);
    });
    Options repair;
    repair.repair = true;
    if (repairs) {
      db->reopen(repair);
      BOOST_TEST_REQUIRE((*db)->warnings().size() == 1U);
      BOOST_TEST((*db)->warnings()[0].find("node 1: its large text is") != std::string::npos);
    }
    expect("node 1: its large text is");
    BOOST_TEST((!repairs || findings().find("counter") == std::string::npos));
    Transaction transaction = must((*db)->begin());
    must(transaction.set_property(NodeId{1}, "text", whole));
    must(transaction.commit());
    if (!repairs) db->reopen(repair);
    BOOST_TEST(findings() == "");
    BOOST_TEST((*db)->warnings().size() == (repairs ? 1U : 0U));
  }
}

// That it is there is known without its text, and must not outlive it.
BOOST_AUTO_TEST_CASE(a_lost_text_that_is_removed_is_present_no_more) {
  plant([&](RocksStore&, StoreBatch& batch) {
    batch.erase(Family::nodes, codec::large_text_key(1, 2));
  });
  Transaction transaction = must((*db)->begin());
  must(transaction.set_property(NodeId{1}, "text", Value()));
  must(transaction.commit());
  BOOST_TEST(findings().find("text presence") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_number_of_findings_is_bounded) {
  plant([&](RocksStore&, StoreBatch& batch) {
    codec::PostingDelta delta;
    for (std::uint16_t id = 100; id < 300; ++id) delta.added.push_back(id);
    batch.merge(Family::index, posting(1), codec::encode_posting_delta(delta));
  });
  BOOST_TEST(must((*db)->check(10)).size() == 10u);
}

BOOST_AUTO_TEST_CASE(derived_families_of_another_layout_are_rebuilt_from_the_truth) {
  plant([&](RocksStore& store, StoreBatch& batch) {
    engine::MetaWriter meta(batch);
    for (const Family family : engine::all_families) {
      if (!engine::is_derived(family)) continue;
      must(store.clear(family));
      meta.put_layout(to_string(family), 999);
    }
  });
  BOOST_TEST((*db)->warnings().size() == 6u);
  BOOST_TEST(findings().empty());
  BOOST_TEST(must((*db)->statistics()).nodes == 2u);
  db->reopen();
  BOOST_TEST((*db)->warnings().empty());
}

BOOST_AUTO_TEST_SUITE_END()
