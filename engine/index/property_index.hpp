#pragma once
// PropertyIndex: answers predicates by the property indexes as of one commit.

#include "engine/catalog/catalog.hpp"
#include "engine/index/posting_reader.hpp"
#include "engine/store/cursor.hpp"
#include "engine/view/view.hpp"

#include <cairn/result.hpp>

#include <vector>

namespace cairn::engine {

/// Looks up and estimates predicates on one path. Threads: as its PostingReader.
class PropertyIndex {
 public:
  /// Both arguments must outlive this object.
  PropertyIndex(const PostingReader& postings, const Catalog& catalog)
      : postings_(postings), catalog_(catalog) {}

  /// The ids that satisfy a predicate. If LookupResult::exact is false, some may not satisfy it and
  /// must be compared with their records.
  [[nodiscard]] Result<LookupResult> lookup(const IndexPredicate& question) const;
  /// The approximate number of ids, and of keys that a lookup would read.
  [[nodiscard]] Result<View::Estimate> estimate(const IndexPredicate& question) const;
  /// Like PostingReader::instants(). Also null if entries of the path may be a superset of its
  /// values.
  [[nodiscard]] Result<InstantColumn::Ptr> instants(codec::EntityKind kind, std::uint32_t path,
                                                    double spent) const;

 private:
  /// True if the path leads through a list of maps, so that its entries are a superset of its
  /// values.
  [[nodiscard]] Result<bool> runs_through_list(const IndexPredicate& question) const;
  [[nodiscard]] Result<View::Estimate> estimate_range(const IndexPredicate& question,
                                                      const KeyRange& range) const;

  const PostingReader& postings_;
  const Catalog& catalog_;
};

// plan_lookup() converts a predicate into ranges of index keys, without reading the store.

struct IndexPredicate;

/// One range of keys to read for a predicate.
struct LookupPart {
  KeyRange range;
  bool single = false;  ///< the range is one posting with the name range.first
  bool exact = true;    ///< false: the ids found must be compared with their records
};

/// The union of all parts is the result. Without parts nothing can match.
using LookupPlan = std::vector<LookupPart>;

[[nodiscard]] LookupPlan plan_lookup(const IndexPredicate& question);

}  // namespace cairn::engine
