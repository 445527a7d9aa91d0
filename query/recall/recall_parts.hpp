#pragma once
// The parts that a recall uses and lacks: for db.recall.describe(), and as warnings of a recall.

#include "codec/bitmap.hpp"
#include "codec/catalog_entry.hpp"
#include "engine/fulltext/word_breaker.hpp"
#include "engine/view/view.hpp"
#include "query/recall/recall_candidates.hpp"
#include "query/recall/recall_names.hpp"
#include "query/recall/recall_records.hpp"
#include "query/recall/recall_roles.hpp"

#include <cairn/recall.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// One kind of evidence that recall works with.
struct RecallPart {
  std::string_view name = {};                ///< such as "groups"
  std::vector<std::string> properties = {};  ///< or relationship types
  std::string_view found = {};               ///< see RecallRole, or "index"
  std::string missing = {};                  ///< the effect of its absence, and what to store
};

/// Returns the part of the searched texts: the properties of the full-text index.
[[nodiscard]] RecallPart texts_part(const engine::View& view, const codec::IndexEntry& index);
/// Returns the parts of groups, order and authors. Errors: those of reading.
[[nodiscard]] Result<std::vector<RecallPart>> role_parts(const engine::View& view,
                                                         const codec::Bitmap& visible,
                                                         const RecallRoles& roles);
/// Returns the part of the values that questions may name, at `paths`. Errors: those of reading.
[[nodiscard]] Result<RecallPart> values_part(const engine::View& view, const codec::Bitmap& visible,
                                             const std::vector<std::uint32_t>& paths);
/// Returns the part of the relationships of these types between members. Errors: those of reading.
[[nodiscard]] Result<RecallPart> relationships_part(const std::vector<std::string>& types,
                                                    const codec::Bitmap& members,
                                                    RecallNeighbours& neighbours);

/// What a recall has found, as far as its warnings depend on it.
struct RecallEvidence {
  const RecallFeatures& features;
  const RecallRoles& roles;
  const QuestionNames& names;
  const Candidates& candidates;
};
/// Warns of a missing part, but only if this question needs it. `language` is that of the index. Errors: those of `work`.
[[nodiscard]] Result<std::vector<std::string>> recall_warnings(const RecallEvidence& evidence,
                                                               std::string_view question,
                                                               std::string_view language,
                                                               engine::TextWork& work);

}  // namespace cairn::query
