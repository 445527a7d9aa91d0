// Tests texts for CONTAINS, ENDS WITH, =~ and similar operators, which have no key to seek.
// Property values repeat: a hundred thousand records often have only a thousand distinct texts. So
// each distinct text is tested once, and its posting list is added as a whole.
#include "query/execute/filter/text_scan.hpp"

#include "codec/catalog_entry.hpp"
#include "codec/ordered_key.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/index/value_postings.hpp"
#include "query/execute/path_index.hpp"
#include "query/plan/cardinality.hpp"

#include <utility>

namespace cairn::query {
namespace {

/// Collects the ids of many posting lists.
class IdCollector {
 public:
  /// Most distinct texts have only one or two ids. Uniting such sets one by one would take
  /// quadratic time, so their ids are collected and sorted once.
  void add(const codec::Bitmap& ids) {
    if (ids.cardinality() > few)
      sets_.push_back(ids);
    else
      ids.for_each([this](std::uint64_t id) { ids_.push_back(id); });
  }
  codec::Bitmap finish() {
    sets_.push_back(codec::Bitmap::from_unsorted(std::move(ids_)));
    return codec::unite_all(sets_);
  }

 private:
  static constexpr std::uint64_t few = 64;
  std::vector<std::uint64_t> ids_;
  std::vector<codec::Bitmap> sets_;
};

/// Visits the distinct values of the index and collects the ids that pass.
class TextVisit {
 public:
  TextVisit(Budget& budget, const TextTest& passes) : budget_(budget), passes_(passes) {}
  ~TextVisit() { budget_.release(charged_); }
  TextVisit(const TextVisit&) = delete;
  TextVisit& operator=(const TextVisit&) = delete;

  /// Tests one distinct value of the index. The index stores only the beginning and a checksum of a
  /// long text, so its records are unknown and must be checked later.
  Status visit(std::string_view value, const codec::Bitmap& ids) {
    const auto tag = static_cast<codec::OrderedTag>(value.front());
    CAIRN_TRY(budget_.step());
    if (tag == codec::OrderedTag::long_string) return keep(ids, unknown_);
    if (tag != codec::OrderedTag::string || failed_) return {};
    CAIRN_ASSIGN(const Value text, codec::read_ordered(value));
    const auto passing = passes_(text.as_string());
    failed_ = !passing.has_value();
    return passing.has_value() && *passing ? keep(ids, passing_) : Status();
  }

  /// Returns nullopt if a test failed, for example because of an invalid pattern. Then the check on
  /// a record reports the error, as without an index.
  std::optional<Selection> finish() {
    if (failed_) return std::nullopt;
    const codec::Bitmap unknown = unknown_.finish();
    return Selection{codec::unite(passing_.finish(), unknown), false, unknown.empty()};
  }

 private:
  // The destructor releases these charges, after the result was made.
  Status keep(const codec::Bitmap& ids, IdCollector& where) {
    const std::size_t bytes = ids.cardinality() * sizeof(std::uint64_t);
    CAIRN_TRY(budget_.charge(bytes));
    charged_ += bytes;
    where.add(ids);
    return {};
  }

  Budget& budget_;
  const TextTest& passes_;
  std::size_t charged_ = 0;
  IdCollector passing_;
  IdCollector unknown_;
  bool failed_ = false;
};

}  // namespace

// Returns nullopt if reading records is cheaper: for nested paths, for more distinct texts than
// records (by cost), and for many long texts. The memory of the ids is charged while they are
// collected.
Result<std::optional<Selection>> find_texts(GraphReader& graph, Budget& budget,
                                            const TextScan& scan, const TextTest& passes) {
  constexpr std::size_t most_long_texts = 128;
  if (scan.keys.size() != 1) return std::optional<Selection>();
  const engine::Catalog& catalog = graph.catalog();
  const auto path = catalog.find_path(scan.kind, engine::join_path(scan.keys));
  if (!path || catalog.path(*path)->state != codec::IndexState::online)
    return std::optional<Selection>();
  CAIRN_ASSIGN(
      const auto texts,
      ask_path(graph, scan.kind, scan.keys,
               {scan.kind, 0, engine::IndexPredicate::Operation::of_type, "", {}, true, true}));
  const codec::Bitmap& records = texts->ids;
  const double count = static_cast<double>(
      scan.within == nullptr ? records.cardinality()
                             : codec::intersection_cardinality(records, *scan.within));
  const engine::View& view = graph.view();
  CAIRN_ASSIGN(const double values,
               engine::estimate_values(view, scan.kind, *path, codec::EntryKind::scalar));
  if (values * cost::value_count > count * cost::record_read) return std::optional<Selection>();
  CAIRN_ASSIGN(const bool has_many_long,
               engine::has_long_texts(view, scan.kind, *path, most_long_texts));
  if (has_many_long) return std::optional<Selection>();
  TextVisit visit(budget, passes);
  CAIRN_TRY(engine::visit_values(
      view, scan.kind, *path, codec::EntryKind::scalar,
      [&](std::string_view value, const codec::Bitmap& ids) { return visit.visit(value, ids); }));
  return visit.finish();
}

}  // namespace cairn::query
