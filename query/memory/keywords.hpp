#pragma once
// Records by the words of a question, without an index.

#include "query/memory/memory_impl.hpp"

#include <cairn/hybrid_search.hpp>

#include <string>
#include <vector>

namespace cairn::query {

struct KeywordHits {
  std::vector<GivenRetriever::Found> hits;  ///< best first, ties by id
  std::vector<std::string> warnings;
};

/// Records with any of the words, those with most of them first: score = share of the words that are
/// in the content. Words are what lies between blanks, in lower case, of three characters or more. Cost:
/// reads the content of every record of the selection.
[[nodiscard]] Result<KeywordHits> find_keywords(const memory::Memory::Impl& impl,
                                                const Snapshot& snapshot,
                                                const memory::Selection& selection,
                                                const memory::RecallRequest& request);

}  // namespace cairn::query
