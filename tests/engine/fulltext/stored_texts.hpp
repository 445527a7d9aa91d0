#pragma once
// StoredTexts: the postings of a full-text index, partly in a store and partly in segments in memory.

#include "codec/catalog_entry.hpp"
#include "codec/text_posting.hpp"
#include "codec/text_segment.hpp"
#include "engine/fulltext/text_reader.hpp"
#include "engine/store/store_batch.hpp"
#include "tests/support/graph_builder.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn::test {

/// The ids of the documents of each term in each field. Fields count from 1.
using TermDocuments = std::map<std::pair<std::uint8_t, std::string>, std::set<std::uint64_t>>;

class StoredTexts {
 public:
  static constexpr std::uint32_t index = 3;

  /// Writes postings to the store. Each document is ten words long and has the term once.
  explicit StoredTexts(std::size_t fields, const TermDocuments& stored = {}) {
    entry_.properties.resize(fields, 1);
    engine::StoreBatch batch(*store_);
    visit(stored, {}, [&](const std::string& name, std::uint64_t chunk, const auto& postings) {
      batch.put(engine::Family::text, codec::text_chunk_key(index, name, chunk),
                codec::encode_text_chunk(postings));
    });
    must(store_->write(batch, engine::WriteMode::async));
    snapshot_ = store_->snapshot();
  }
  /// Adds a segment that adds some documents to terms, and removes others. The removed documents must not be among the
  /// added ones of their term.
  void log(const TermDocuments& added, const TermDocuments& removed = {}) {
    codec::TextSegmentWriter writer(1);
    visit(added, removed, [&](const std::string& name, std::uint64_t chunk, const auto& postings) {
      writer.add(name, chunk, postings);
    });
    segments_.push_back(std::make_shared<const codec::TextSegment>(writer.finish()));
  }

  [[nodiscard]] engine::TextReader reader() const {
    return engine::TextReader({index, entry_, *store_, *snapshot_, {}, segments_});
  }

 private:
  template <class Visit>
  static void visit(const TermDocuments& added, const TermDocuments& removed, const Visit& write) {
    std::map<std::pair<std::string, std::uint64_t>, std::map<std::uint16_t, bool>> chunks;
    const auto collect = [&](const TermDocuments& terms, bool is_there) {
      for (const auto& [term, ids] : terms)
        for (const std::uint64_t id : ids)
          chunks[{static_cast<char>(term.first) + term.second, id >> codec::text_chunk_bits}]
                [static_cast<std::uint16_t>(id % codec::text_chunk_ids)] = is_there;
    };
    collect(removed, false);
    collect(added, true);
    for (const auto& [key, documents] : chunks) {
      codec::TextPostings postings;
      for (const auto& [low, is_there] : documents)
        if (is_there)
          postings.add(low, 10, {0});
        else
          postings.remove(low);
      write(key.first, key.second, postings);
    }
  }

  TemporaryDirectory directory_;
  std::unique_ptr<engine::RocksStore> store_ =
      must(engine::RocksStore::open(directory_.path() / "store", {}));
  engine::SnapshotPtr snapshot_;
  codec::IndexEntry entry_;
  std::vector<engine::TextSegmentPtr> segments_;
};

}  // namespace cairn::test
