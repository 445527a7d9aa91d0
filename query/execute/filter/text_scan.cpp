// CONTAINS, ENDS WITH, =~ and their like have no key to seek. But properties repeat: a hundred
// thousand records often have a thousand different texts. Each of these is tested once, and its
// posting taken whole.
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

/// Ids of many postings. Most of different texts hold one or two.
class IdCollector {
 public:
  /// Many values have a few ids each, for which uniting sets one by one would be quadratic: they
  /// are gathered and sorted once.
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

/// Long texts are in the index by a beginning and a checksum only: their records stay as
/// unknown, which makes the answer inexact. A test that fails (an invalid pattern) ends it
/// without an answer, and the error comes up on a record.
class TextVisit {
 public:
  TextVisit(Budget& budget, const TextTest& passes) : budget_(budget), passes_(passes) {}
  ~TextVisit() { budget_.release(charged_); }
  TextVisit(const TextVisit&) = delete;
  TextVisit& operator=(const TextVisit&) = delete;

  /// One distinct value of the index with the ids that have it: a pattern is matched once for each
  /// value and not for each record. The index holds a long text by its beginning only, so its
  /// records are unknown and checked later.
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

  /// Nothing where a pattern failed, so that the error is raised on a record, as without an index.
  std::optional<Selection> finish() {
    if (failed_) return std::nullopt;
    const codec::Bitmap unknown = unknown_.finish();
    return Selection{codec::unite(passing_.finish(), unknown), false, unknown.empty()};
  }

 private:
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

// Nothing where records are cheaper: more different texts than records (by price), a nested path,
// or many texts too long to be tested. Charged to the memory limit while it is gathered.
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
