#include "engine/index/posting_reader.hpp"

#include "codec/id_set_builder.hpp"
#include "codec/keys.hpp"
#include "codec/posting.hpp"
#include "engine/index/posting_name.hpp"

#include <memory>

namespace cairn::engine {
namespace {

constexpr char small_mark = 0x02;  // codec/posting.hpp: small := 0x02 (low:u16le)*

Error damaged(std::string_view key, Error error) {
  error.message = "index key " + hex_text(key) + ": " + error.message;
  return error;
}

/// Most postings of a range over distinct values hold one id: those are read without a container.
bool add_small(std::string_view value, std::uint64_t chunk, codec::IdSetBuilder& out) {
  if (value.size() != 3 || value[0] != small_mark) return false;
  const auto low = static_cast<unsigned char>(value[1]);
  const auto high = static_cast<unsigned char>(value[2]);
  out.add(chunk << 16 | static_cast<std::uint64_t>(high) << 8 | low);
  return true;
}

/// Larger postings go in as containers, which the builder unites chunk by chunk.
Status add_value(std::string_view key, std::string_view value, codec::IdSetBuilder& out) {
  const std::uint64_t chunk = codec::chunk_of_index_key(key);
  if (add_small(value, chunk, out)) return {};
  auto container = codec::decode_posting(value);
  if (!container) return damaged(key, container.error());
  if (container->cardinality() == 0) return {};
  out.add_chunk(chunk, std::make_shared<const codec::Container>(std::move(*container)));
  return {};
}

}  // namespace

Result<codec::IdSet> PostingReader::posting(std::string_view name) const {
  if (overlay_ == nullptr) return committed_posting(name);
  return overlay_->merged(name, [&] { return committed_posting(name); });
}

Result<codec::IdSet> PostingReader::range(const KeyRange& range) const {
  if (overlay_ == nullptr) return committed_range(range);
  // What the transaction changed is left out of the scan and added as it is now.
  const auto changed = overlay_->changed_in(range);
  if (changed.empty()) return committed_range(range);
  CAIRN_ASSIGN(codec::IdSet ids, scan_range(range, true));
  std::vector<codec::IdSet> sets;
  sets.push_back(std::move(ids));
  for (const std::string_view name : changed) {
    CAIRN_ASSIGN(auto own, posting(name));
    sets.push_back(std::move(own));
  }
  return codec::unite_all(sets);
}

Result<codec::IdSet> PostingReader::committed_posting(std::string_view name) const {
  const KeyRange range = range_of_prefix(name);
  if (auto cached = cache_->find(range, commit_)) return *std::move(cached);
  codec::IdSet ids;
  Cursor cursor = store_->scan_prefix(Family::index, name, snapshot_);
  for (; cursor.valid(); cursor.next()) {
    auto container = codec::decode_posting(cursor.value());
    if (!container) return damaged(cursor.key(), container.error());
    if (container->cardinality() == 0) continue;
    ids.append_chunk(codec::chunk_of_index_key(cursor.key()),
                     std::make_shared<const codec::Container>(std::move(*container)));
  }
  CAIRN_TRY(cursor.status());
  cache_->insert(range, PostingCache::Extent::one_posting, commit_, ids);
  return ids;
}

Result<codec::IdSet> PostingReader::committed_range(const KeyRange& range) const {
  if (auto cached = cache_->find(range, commit_)) return *std::move(cached);
  CAIRN_ASSIGN(codec::IdSet ids, scan_range(range, false));
  cache_->insert(range, PostingCache::Extent::many_postings, commit_, ids);
  return ids;
}

Result<codec::IdSet> PostingReader::scan_range(const KeyRange& range, bool skip_changed) const {
  codec::IdSetBuilder builder;
  Cursor cursor = store_->scan(Family::index, range, snapshot_);
  for (; cursor.valid(); cursor.next()) {
    const std::string_view key = cursor.key();
    if (skip_changed && overlay_->contains(posting_of_key(key))) continue;
    CAIRN_TRY(add_value(key, cursor.value(), builder));
  }
  CAIRN_TRY(cursor.status());
  return builder.build();
}

Status PostingReader::each_posting(const KeyRange& range, const VisitPosting& visit) const {
  std::vector<std::string_view> changed;
  if (overlay_ != nullptr) changed = overlay_->changed_in(range);
  std::string name;
  codec::IdSet ids;
  const auto finish = [&] {
    auto visited = ids.empty() ? Status() : visit(name, ids);
    ids = {};
    return visited;
  };
  Cursor cursor = store_->scan(Family::index, range, snapshot_);
  for (; cursor.valid(); cursor.next()) {
    const std::string_view posting = posting_of_key(cursor.key());
    if (!changed.empty() && overlay_->contains(posting)) continue;
    if (posting != name) {
      CAIRN_TRY(finish());
      name = posting;
    }
    auto container = codec::decode_posting(cursor.value());
    if (!container) return damaged(cursor.key(), container.error());
    ids.append_chunk(codec::chunk_of_index_key(cursor.key()),
                     std::make_shared<const codec::Container>(std::move(*container)));
  }
  CAIRN_TRY(cursor.status());
  CAIRN_TRY(finish());
  for (const std::string_view own : changed) {
    CAIRN_ASSIGN(const codec::IdSet now, posting(own));
    CAIRN_TRY(visit(own, now));
  }
  return {};
}

Result<PostingReader::Sample> PostingReader::sample(const KeyRange& range,
                                                    std::size_t max_keys) const {
  Sample sample;
  if (const auto cached = cache_->find(range, commit_)) {
    sample.ids = cached->cardinality();
    sample.complete = true;
    return sample;
  }
  Cursor cursor = store_->scan(Family::index, range, snapshot_);
  for (; cursor.valid() && sample.keys < max_keys; cursor.next(), ++sample.keys) {
    const auto container = codec::decode_posting(cursor.value());
    if (!container) return damaged(cursor.key(), container.error());
    sample.ids += container->cardinality();
  }
  CAIRN_TRY(cursor.status());
  sample.complete = !cursor.valid();
  return sample;
}

}  // namespace cairn::engine
