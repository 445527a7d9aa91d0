// Erases expired records in the order of their expiry. The ids come from the postings of expiries: from the store, or
// from the view of a transaction that has changed such postings.
#include "engine/write/expired_records.hpp"

#include "codec/keys.hpp"
#include "codec/posting.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/index/index_entries.hpp"
#include "engine/write/graph_editor.hpp"
#include "engine/write/left_sessions.hpp"

#include <map>
#include <string>

namespace cairn::engine {
namespace {

using codec::EntityKind;

/// Collects ids up to a limit.
class FirstIds {
 public:
  explicit FirstIds(std::size_t limit) : limit_(limit) {}

  void add(std::uint64_t id) {
    if (!are_enough()) ids_.push_back(id);
  }
  [[nodiscard]] bool are_enough() const noexcept { return ids_.size() >= limit_; }
  std::vector<std::uint64_t> take() { return std::move(ids_); }

 private:
  std::size_t limit_;
  std::vector<std::uint64_t> ids_;
};

/// Reads the ids of committed postings, which the store has in ascending order of expiry.
Status read_stored(const ExpirySource& source, const KeyRange& range, FirstIds& found) {
  Cursor cursor = source.store.scan(Family::index, range, source.view.state().store.get());
  for (; cursor.valid() && !found.are_enough(); cursor.next()) {
    CAIRN_ASSIGN(const codec::Container container,
                 codec::decode_posting_of(cursor.key(), cursor.value()));
    const std::uint64_t chunk = codec::chunk_of_index_key(cursor.key());
    container.for_each([&](std::uint16_t low) { found.add(chunk << 16 | low); });
  }
  return cursor.status();
}

// Reads the ids of all postings in the range. The order of postings is undefined if some were changed by the
// transaction, so they are sorted here.
Status read_changed(const ExpirySource& source, const KeyRange& range, FirstIds& found) {
  std::map<std::string, codec::Bitmap> postings;
  const auto take = [&](std::string_view name, const codec::Bitmap& ids) -> Status {
    postings.emplace(name, ids);
    return {};
  };
  CAIRN_TRY(source.view.postings().each_posting(range, take));
  for (const auto& [name, ids] : postings) ids.for_each([&](std::uint64_t id) { found.add(id); });
  return {};
}

/// One step of a cleanup.
class Eraser {
 public:
  Eraser(const ExpirySource& source, GraphEditor& editor, std::int64_t now, std::size_t limit)
      : source_(source),
        view_(source.view),
        editor_(editor),
        now_(now),
        left_(limit),
        sessions_(view_.records(), view_.adjacency_reader()) {}

  /// Erases the expired records of one kind, and moves `from` to the expiry of the last one.
  Status erase(EntityKind kind, std::int64_t& from) {
    if (left_ == 0) return {};
    CAIRN_ASSIGN(const auto ids, expired_between(source_, kind, from, now_, left_));
    for (const std::uint64_t id : ids) {
      if (left_ == 0) return {};
      CAIRN_ASSIGN(const auto expiry, expiry_of(kind, id));
      // Skips a record whose expiry differs from the posting. Reporting such an inconsistency is the task of the
      // integrity check.
      if (!expiry || *expiry > now_) continue;
      from = *expiry;
      CAIRN_TRY(kind == EntityKind::node ? erase_node(id) : erase_expired_relationship(id));
    }
    return {};
  }

  [[nodiscard]] Status erase_left_sessions() {
    return sessions_.erase_empty(view_.catalog(), editor_);
  }
  [[nodiscard]] const ErasedRecords& erased() const noexcept { return erased_; }

 private:
  /// The expiry in the record itself.
  [[nodiscard]] Result<std::optional<std::int64_t>> expiry_of(EntityKind kind,
                                                              std::uint64_t id) const {
    const auto of = [](const auto& record) {
      return record ? record->header.expires_at : std::optional<std::int64_t>();
    };
    if (kind == EntityKind::node) {
      CAIRN_ASSIGN(const auto record, view_.find_node(id));
      return of(record);
    }
    CAIRN_ASSIGN(const auto record, view_.find_relationship(id));
    return of(record);
  }

  /// A record leaves its session when its relationship to the session has expired.
  Status erase_expired_relationship(std::uint64_t id) {
    CAIRN_ASSIGN(const auto record, view_.find_relationship(id));
    if (record) CAIRN_TRY(sessions_.note(view_.catalog(), *record));
    return erase_relationship(id);
  }

  Status erase_relationship(std::uint64_t id) {
    CAIRN_TRY(editor_.erase_relationship(id));
    ++erased_.relationships;
    --left_;
    return {};
  }

  /// Erases the relationships of a node, as far as the limit allows, and then the node.
  Status erase_node(std::uint64_t id) {
    std::vector<Adjacent> adjacent;
    AdjacencyReader::Request request;
    request.node = id;
    request.limit = left_;
    CAIRN_TRY(view_.adjacency_reader().read(request, adjacent));
    CAIRN_TRY(note_sessions(id, adjacent));
    for (const Adjacent& step : adjacent) CAIRN_TRY(erase_relationship(step.relationship));
    if (left_ == 0) return {};
    CAIRN_TRY(editor_.erase_node(id));
    ++erased_.nodes;
    --left_;
    return {};
  }

  Status note_sessions(std::uint64_t id, const std::vector<Adjacent>& adjacent) {
    CAIRN_ASSIGN(const auto record, view_.find_node(id));
    return record ? sessions_.note(view_.catalog(), record->header.name_space, adjacent) : Status();
  }

  const ExpirySource& source_;
  const GraphView& view_;
  GraphEditor& editor_;
  std::int64_t now_;
  std::size_t left_;
  ErasedRecords erased_;
  LeftSessions sessions_;
};

}  // namespace

// The range includes the posting of `now`: a record that expires at `now` has expired.
Result<std::vector<std::uint64_t>> expired_between(const ExpirySource& source, EntityKind kind,
                                                   std::int64_t from, std::int64_t now,
                                                   std::size_t limit) {
  FirstIds found(limit);
  if (from > now) return found.take();
  const KeyRange range{expiry_posting(kind, from), codec::prefix_end(expiry_posting(kind, now))};
  CAIRN_TRY(source.has_changes ? read_changed(source, range, found)
                               : read_stored(source, range, found));
  return found.take();
}

// Erases relationships first. Otherwise the relationships of an expired node would be found a second time.
Result<ErasedRecords> erase_expired_records(const ExpirySource& source, GraphEditor& editor,
                                            std::int64_t now, std::size_t limit,
                                            ExpiryPlace& place) {
  Eraser eraser(source, editor, now, limit);
  CAIRN_TRY(eraser.erase(EntityKind::relationship, place.from[1]));
  CAIRN_TRY(eraser.erase(EntityKind::node, place.from[0]));
  CAIRN_TRY(eraser.erase_left_sessions());
  return eraser.erased();
}

}  // namespace cairn::engine
