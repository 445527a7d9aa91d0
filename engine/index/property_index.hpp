#pragma once
// PropertyIndex: answers of the indexes as of one commit.

#include "engine/catalog/catalog.hpp"
#include "engine/index/posting_reader.hpp"
#include "engine/store/cursor.hpp"
#include "engine/view/view.hpp"

#include <cairn/result.hpp>

#include <vector>

namespace cairn::engine {

class PropertyIndex {
 public:
  /// Both must outlive the index.
  PropertyIndex(const PostingReader& postings, const Catalog& catalog)
      : postings_(postings), catalog_(catalog) {}

  [[nodiscard]] Result<LookupResult> lookup(const IndexPredicate& question) const;
  [[nodiscard]] Result<View::Estimate> estimate(const IndexPredicate& question) const;
  /// As PostingReader::instants; null also where entries of the path say too much.
  [[nodiscard]] Result<InstantColumn::Ptr> instants(codec::EntityKind kind, std::uint32_t path,
                                                    double spent) const;

 private:
  /// True where the path runs through a list of maps, whose entries are a superset.
  [[nodiscard]] Result<bool> runs_through_list(const IndexPredicate& question) const;
  [[nodiscard]] Result<View::Estimate> estimate_range(const IndexPredicate& question,
                                                      const KeyRange& range) const;

  const PostingReader& postings_;
  const Catalog& catalog_;
};

// Which index keys answer a question: IndexPredicate -> ranges of keys, without touching the store.

struct IndexPredicate;

struct LookupPart {
  KeyRange range;
  bool single = false;  ///< the range holds one posting, named by range.first
  bool exact = true;    ///< false: ids found here must still be compared with their records
};

/// Their union is the answer; no part at all means that nothing can match.
using LookupPlan = std::vector<LookupPart>;

[[nodiscard]] LookupPlan plan_lookup(const IndexPredicate& question);

}  // namespace cairn::engine
