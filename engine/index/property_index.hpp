#pragma once
// PropertyIndex: answers of the indexes as of one commit.

#include "engine/catalog/catalog.hpp"
#include "engine/index/posting_reader.hpp"
#include "engine/view/view.hpp"

#include <cairn/result.hpp>

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

}  // namespace cairn::engine
