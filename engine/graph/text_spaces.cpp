// The store has the statistics of each namespace except for the default one, and under number 0 the sum of all of these. The
// statistics of the default namespace are those of the whole index less that sum.
//
// They are read from the store for each search, and are not part of the state, which every commit copies: there may be a
// namespace for each of 100,000 users, and a search needs those of one or two.
#include "engine/graph/text_spaces.hpp"

#include "engine/store/store_batch.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace cairn::engine {
namespace {

using codec::TextStatistics;

/// Reads the statistics of a namespace; nullopt if they are not stored.
Result<std::optional<TextStatistics>> find(const RocksStore& store, const StoreSnapshot* snapshot,
                                           std::uint32_t index, std::uint32_t name_space,
                                           std::size_t fields) {
  CAIRN_ASSIGN(const auto bytes,
               store.get(Family::text, codec::text_name_space_key(index, name_space), snapshot));
  if (!bytes) return std::optional<TextStatistics>();
  CAIRN_ASSIGN(auto statistics, codec::decode_text_statistics(*bytes));
  if (statistics.size() == fields) return std::optional(std::move(statistics));
  return Error{ErrorCode::corruption,
               "the statistics of namespace number " + std::to_string(name_space) +
                   " have another number of fields than full-text index number " +
                   std::to_string(index) + "; open the database once with repair",
               std::nullopt};
}

/// Reads the statistics of a namespace; zeros if they are not stored.
Result<TextStatistics> read(const RocksStore& store, const StoreSnapshot* snapshot,
                            std::uint32_t index, std::uint32_t name_space, std::size_t fields) {
  CAIRN_ASSIGN(auto found, find(store, snapshot, index, name_space, fields));
  return found ? *std::move(found) : TextStatistics(fields);
}

bool is_nothing(const TextStatistics& statistics) {
  return std::ranges::all_of(statistics, [](const codec::TextFieldStatistics& field) {
    return field.documents == 0 && field.words == 0;
  });
}

}  // namespace

// Without any statistics by namespace all documents are in the default namespace, so the statistics of the whole index are
// right for every search that has hits. They are also used for an index of an older layout in a database that is open for
// reading.
Result<TextStatistics> statistics_of_spaces(const RocksStore& store, const StoreSnapshot* snapshot,
                                            std::uint32_t index, const TextStatistics& all,
                                            const TextChanges* own,
                                            std::span<const std::uint32_t> name_spaces) {
  CAIRN_ASSIGN(const auto of_spaces, find(store, snapshot, index, 0, all.size()));
  if (!of_spaces && (own == nullptr || own->name_spaces().empty())) return all;
  TextStatistics sum(all.size());
  for (const std::uint32_t name_space : name_spaces) {
    CAIRN_ASSIGN(TextStatistics one, read(store, snapshot, index, name_space, all.size()));
    if (own != nullptr) one = own->applied_to(std::move(one), name_space);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      const bool is_default = name_space == 0;
      sum[i].documents += is_default ? all[i].documents - one[i].documents : one[i].documents;
      sum[i].words += is_default ? all[i].words - one[i].words : one[i].words;
    }
  }
  return sum;
}

Status put_statistics_of_spaces(std::uint32_t index, std::size_t fields,
                                std::span<const TextChanges* const> parts, const RocksStore* before,
                                StoreBatch& batch) {
  std::map<std::uint32_t, TextStatistics> changed;
  for (const TextChanges* part : parts)
    for (const std::uint32_t name_space : part->name_spaces()) {
      const auto [place, is_new] = changed.try_emplace(name_space, fields);
      if (is_new && before != nullptr) {
        CAIRN_ASSIGN(place->second, read(*before, nullptr, index, name_space, fields));
      }
      place->second = part->applied_to(std::move(place->second), name_space);
    }
  for (const auto& [name_space, statistics] : changed) {
    const std::string key = codec::text_name_space_key(index, name_space);
    if (is_nothing(statistics))
      batch.erase(Family::text, key);
    else
      batch.put(Family::text, key, codec::encode_text_statistics(statistics));
  }
  return {};
}

}  // namespace cairn::engine
