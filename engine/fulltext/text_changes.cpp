#include "engine/fulltext/text_changes.hpp"

namespace cairn::engine {

using codec::TextStatistics;

void TextChanges::change(std::uint64_t id, const TextDocument* before, const TextDocument* after) {
  static const TextField nothing;
  for (std::size_t i = 0; i < fields_.size(); ++i)
    change_field(id, i, before != nullptr ? (*before)[i] : nothing,
                 after != nullptr ? (*after)[i] : nothing);
}

// The length stands in every posting of a field, so that all of them change with it.
void TextChanges::change_field(std::uint64_t id, std::size_t field, const TextField& before,
                               const TextField& after) {
  if (before == after) return;
  fields_[field].documents += (after.words > 0 ? 1 : 0) - (before.words > 0 ? 1 : 0);
  fields_[field].words += std::int64_t{after.words} - std::int64_t{before.words};
  const auto number = static_cast<std::uint8_t>(field + 1);
  for (const auto& [term, positions] : before.terms) {
    if (!after.terms.contains(term))
      postings_[codec::text_term_prefix(index_, number, term)].push_back({id, 0, {}});
  }
  for (const auto& [term, positions] : after.terms) {
    const auto old = before.terms.find(term);
    const bool is_same =
        before.words == after.words && old != before.terms.end() && old->second == positions;
    if (!is_same)
      postings_[codec::text_term_prefix(index_, number, term)].push_back(
          {id, after.words, positions});
  }
}

TextStatistics TextChanges::applied_to(TextStatistics statistics) const {
  statistics.resize(fields_.size());
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    statistics[i].documents += static_cast<std::uint64_t>(fields_[i].documents);
    statistics[i].words += static_cast<std::uint64_t>(fields_[i].words);
  }
  return statistics;
}

std::vector<TextChunkChange> to_text_chunks(const std::vector<TextChange>& changes) {
  std::vector<TextChunkChange> chunks;
  for (const TextChange& change : changes) {
    const std::uint64_t chunk = change.id >> codec::text_chunk_bits;
    if (chunks.empty() || chunks.back().chunk != chunk) chunks.push_back({chunk, {}});
    const auto low = static_cast<std::uint16_t>(change.id & (codec::text_chunk_ids - 1));
    if (change.positions.empty())
      chunks.back().changes.remove(low);
    else
      chunks.back().changes.add(low, change.words, change.positions);
  }
  return chunks;
}

Result<TextChanges> find_text_changes(std::uint32_t id, const codec::IndexEntry& index,
                                      std::span<const std::uint64_t> ids,
                                      const RecordReader* before, const RecordReader& after) {
  const Analyzer analyzer(analyzer_options(index.text));
  TextChanges changes(id, index.properties.size());
  for (const std::uint64_t entity : ids) {
    std::optional<FieldTexts> old;
    if (before != nullptr) {
      CAIRN_ASSIGN(old, TextMembers(index, *before).find(entity));
    }
    CAIRN_ASSIGN(const auto now, TextMembers(index, after).find(entity));
    if (old == now) continue;
    const TextDocument was = old ? make_document(analyzer, *old) : TextDocument();
    const TextDocument is = now ? make_document(analyzer, *now) : TextDocument();
    changes.change(entity, old ? &was : nullptr, now ? &is : nullptr);
  }
  return changes;
}

}  // namespace cairn::engine
