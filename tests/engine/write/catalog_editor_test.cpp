#include "engine/transaction/catalog_editor.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using codec::CatalogKind;
using codec::EntityKind;
using engine::Catalog;
using engine::CatalogEditor;

namespace {

struct Fixture {
  std::shared_ptr<const Catalog> base = std::make_shared<const Catalog>();
  CatalogEditor editor{base, 2};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(catalog_editor, Fixture)

BOOST_AUTO_TEST_CASE(without_a_new_name_the_catalog_itself_is_published) {
  BOOST_TEST(!editor.is_changed());
  BOOST_TEST((editor.published() == base));
}

BOOST_AUTO_TEST_CASE(a_new_name_is_seen_here_and_not_in_the_base) {
  const auto id = editor.intern(CatalogKind::label, "Person");
  BOOST_TEST(editor.is_changed());
  BOOST_TEST(editor.intern(CatalogKind::label, "Person") == id);
  BOOST_TEST((editor.current().find(CatalogKind::label, "Person") == id));
  BOOST_TEST(!base->find(CatalogKind::label, "Person").has_value());
}

BOOST_AUTO_TEST_CASE(a_known_name_changes_nothing) {
  const auto id = editor.intern(CatalogKind::label, "Person");
  CatalogEditor next(editor.published(), 2);
  BOOST_TEST(next.intern(CatalogKind::label, "Person") == id);
  BOOST_TEST(!next.is_changed());
}

BOOST_AUTO_TEST_CASE(the_empty_namespace_is_number_zero) {
  BOOST_TEST(editor.intern_name_space("") == 0u);
  BOOST_TEST(editor.intern_name_space("tenant") != 0u);
}

BOOST_AUTO_TEST_CASE(paths_end_at_the_limit_and_none_comes_after_a_refused_one) {
  const auto first = editor.path_id(EntityKind::node, "a");
  BOOST_TEST(first.has_value());
  BOOST_TEST(editor.path_id(EntityKind::node, "b").has_value());
  BOOST_TEST(!editor.path_id(EntityKind::node, "c").has_value());
  BOOST_TEST(!editor.current().has_all_paths());
  BOOST_TEST((editor.path_id(EntityKind::node, "a") == first));
  CatalogEditor later(editor.published(), 100);
  BOOST_TEST(!later.path_id(EntityKind::node, "d").has_value());
}

BOOST_AUTO_TEST_CASE(a_pinned_path_goes_beyond_the_limit) {
  (void)editor.path_id(EntityKind::node, "a");
  (void)editor.path_id(EntityKind::node, "b");
  const auto pinned = editor.pin_path(EntityKind::node, "c");
  BOOST_TEST((editor.path_id(EntityKind::node, "c") == pinned));
  BOOST_TEST(editor.current().path(pinned)->pinned);
  editor.unpin_path(pinned);
  BOOST_TEST(!editor.current().path(pinned)->pinned);
}

BOOST_AUTO_TEST_CASE(a_space_is_a_property_and_a_dimension) {
  const auto space = editor.intern_space("v", 8);
  BOOST_TEST(editor.intern_space("v", 8) == space);
  BOOST_TEST(editor.intern_space("v", 16) != space);
}

BOOST_AUTO_TEST_CASE(an_index_comes_and_goes) {
  codec::IndexEntry entry;
  entry.name = "by_meaning";
  const auto id = editor.add_index(entry);
  BOOST_TEST((editor.current().find_index("by_meaning") == id));
  editor.erase_index(id);
  BOOST_TEST(editor.current().indexes().empty());
}

BOOST_AUTO_TEST_SUITE_END()
