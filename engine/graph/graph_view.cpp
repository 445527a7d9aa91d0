// A view combines readers of one state and, in a transaction, of its write set. It holds the state and thereby the snapshot
// of the store, so nothing that it reads can change or be deleted. A view of a snapshot is safe on any number of threads:
// its readers have no state but pointers, and the posting cache has its own locks.
//
// Namespace and expiry are not fixed in the view but passed as Visibility with each call, as statements with different `now`
// may use one view.
#include "engine/graph/graph_view.hpp"

#include "codec/backup_manifest.hpp"
#include "codec/byte_io.hpp"
#include "engine/graph/index_members.hpp"
#include "engine/graph/text_index.hpp"
#include "engine/index/index_entries.hpp"
#include "engine/index/posting_name.hpp"
#include "engine/segment/segment_set.hpp"
#include "engine/store/notes.hpp"
#include "engine/telemetry/telemetry.hpp"
#include "engine/transaction/write_set.hpp"
#include "engine/view/lookup_result.hpp"
#include "engine/view/view.hpp"

#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

namespace cairn::engine {
/// What a vector search reads. `write_set` is nullptr in a view of a snapshot.
struct VectorSources {
  const codec::IndexEntry& index;
  const VectorState& state;
  const RecordReader& records;
  const PostingReader& postings;
  const WriteSet* write_set = nullptr;
};

namespace {

// Vector search in a transaction. Entities that the transaction touched are searched exactly in a small index of their
// current vectors. All others are searched in the published state:
//
// published state, allowed entities less touched ones   --k best-->
//                                                                     merged, k best
// small index of the touched entities                   --k best-->
//
// This is correct whatever the transaction changed, as each entity is in exactly one of the two parts. It costs one read of
// a vector for each touched entity, in every search.

VectorSearch to_search(const VectorQuery& query) {
  return {query.query,     query.k,       query.exact,
          query.ef_search, query.allowed, query.recall.value_or(Accuracy::standard),
          query.min_score, query.within};
}

std::vector<VectorSearch> to_searches(std::span<const VectorQuery> queries,
                                      const codec::Bitmap* allowed) {
  std::vector<VectorSearch> searches;
  for (const VectorQuery& query : queries) {
    searches.push_back(to_search(query));
    searches.back().allowed = allowed;
  }
  return searches;
}

/// Returns the entities whose entry in the index the transaction may have changed.
codec::Bitmap touched_ids(const VectorSources& sources) {
  std::vector<std::uint64_t> ids;
  for (const auto& [kind, id] : sources.write_set->vector_entities()) {
    if (kind == sources.index.entity) ids.push_back(id);
  }
  return codec::Bitmap::from_sorted(ids);
}

/// Returns the members of the published index that the transaction did not touch. Cost: a pass over their ids.
codec::Bitmap untouched_members(const VectorSources& sources) {
  codec::Bitmap members = sources.state.entities();
  return sources.write_set == nullptr ? members : codec::subtract(members, touched_ids(sources));
}

/// Builds an index of the touched entities, and searches it exactly.
Result<std::vector<Neighbors>> search_touched(const VectorSources& sources,
                                              const VectorMembers& members,
                                              const codec::Bitmap& touched,
                                              std::span<const VectorQuery> queries) {
  const codec::Bitmap* allowed = queries.front().allowed;
  std::vector<VectorChange> changes;
  for (const std::uint64_t id : touched.to_vector()) {
    if (allowed != nullptr && !allowed->contains(id)) continue;
    CAIRN_ASSIGN(auto vector, members.find(id));
    if (vector) changes.push_back({id, std::move(vector)});
  }
  CAIRN_ASSIGN(const auto own, VectorIndex::make(vector_options(sources.index, 1)));
  own->apply(changes, 1);
  std::vector<VectorSearch> searches = to_searches(queries, nullptr);
  for (VectorSearch& search : searches) search.exact = true;
  return own->state()->search_all(searches);
}

/// Merges two lists of hits, best first. Ties are ordered by id, as in a search of one state.
void merge(Neighbors& into, const Neighbors& from, std::size_t k) {
  into.hits.insert(into.hits.end(), from.hits.begin(), from.hits.end());
  std::sort(into.hits.begin(), into.hits.end(), [](const Neighbor& a, const Neighbor& b) {
    // Both lists have scores in double precision from the same formula, so they can be compared.
    return a.score != b.score ? a.score > b.score : a.id < b.id;
  });
  if (into.hits.size() > k) into.hits.resize(k);
}

/// Searches the published state and the touched entities. All of `queries` must have the same `allowed`.
Result<std::vector<Neighbors>> search_vectors(const VectorSources& sources,
                                              std::span<const VectorQuery> queries) {
  if (queries.empty()) return std::vector<Neighbors>();
  const codec::Bitmap* allowed = queries.front().allowed;
  const codec::Bitmap touched =
      sources.write_set == nullptr ? codec::Bitmap() : touched_ids(sources);
  if (touched.empty()) return sources.state.search_all(to_searches(queries, allowed));
  CAIRN_ASSIGN(const VectorMembers members,
               VectorMembers::of(sources.index, sources.records, sources.postings));
  // Without a filter, the members by label as the transaction sees them are allowed. Entities that gained or lost the label
  // are touched. The published state has the old vectors of touched entities, so these are excluded from it.
  const codec::Bitmap untouched =
      codec::subtract(allowed != nullptr ? *allowed : members.grouped(), touched);
  CAIRN_ASSIGN(auto found, sources.state.search_all(to_searches(queries, &untouched)));
  CAIRN_ASSIGN(const auto own, search_touched(sources, members, touched, queries));
  for (std::size_t i = 0; i < found.size(); ++i) merge(found[i], own[i], queries[i].k);
  return found;
}

using codec::Bitmap;
using codec::EntityKind;
using codec::SystemPath;

/// Returns the key range of all postings of a system path, such as the paths of labels and of expiry.
KeyRange system_range(EntityKind kind, SystemPath path) {
  return range_of_prefix(
      codec::index_prefix(kind, static_cast<std::uint32_t>(path), codec::EntryKind::scalar, ""));
}

/// Returns the range of the postings of expired records: those up to `now`, and on to the next posting.
///
/// Postings of expiry are sorted by time, so the expired ones come first. Each statement has another `now`, but the result
/// only changes at the next expiry. Ending the range at the next posting makes the range the same until then, so that the
/// posting cache finds it.
Result<KeyRange> expired_range(const RocksStore& store, const State& state, WriteSet* write_set,
                               EntityKind kind, std::int64_t now) {
  const KeyRange all = system_range(kind, SystemPath::expires_at);
  // Begins after the posting of `now`: a record that expires at `now` has expired.
  const KeyRange later{codec::prefix_end(expiry_posting(kind, now)), all.last};
  if (write_set != nullptr && !write_set->postings().changed_in(later).empty())
    return KeyRange{all.first, later.first};
  const Cursor next = store.scan(Family::index, later, state.store.get());
  CAIRN_TRY(next.status());
  return KeyRange{all.first, next.valid() ? std::string(posting_of_key(next.key())) : all.last};
}

/// Runs a search, and records it in the metrics as `count` queries, if there are metrics.
template <class Search>
auto counted(const State& state, ShardedCounter Telemetry::* questions, std::size_t count,
             const Search& search) -> decltype(search()) {
  if (state.telemetry == nullptr) return search();
  ((*state.telemetry).*questions).add(count);
  const TimedBlock timed(state.telemetry->search_time);
  return search();
}

}  // namespace

GraphView::GraphView(const RocksStore& store, PostingCache& cache, StatePtr state,
                     WriteSet* write_set, const CatalogEditor* editor)
    : store_(&store),
      state_(std::move(state)),
      write_set_(write_set),
      editor_(editor),
      records_(store, *state_->store, write_set),
      adjacency_(store, *state_->store, write_set),
      postings_(store, cache, *state_->store, state_->commit,
                write_set == nullptr ? nullptr : &write_set->postings()) {}

GraphView GraphView::with_deleted() const {
  GraphView view = *this;
  view.sees_deleted_ = true;
  return view;
}

const Catalog& GraphView::catalog() const {
  return editor_ == nullptr ? *state_->catalog : editor_->current();
}

Result<std::optional<codec::NodeRecord>> GraphView::find_node(std::uint64_t id) const {
  return records_.node(id);
}

Result<std::optional<codec::RelationshipRecord>> GraphView::find_relationship(
    std::uint64_t id) const {
  return records_.relationship(id);
}

Result<std::optional<std::uint64_t>> GraphView::find_external(std::uint32_t name_space,
                                                              std::string_view text) const {
  CAIRN_ASSIGN(const auto bytes,
               records_.get(Family::external_ids, codec::external_id_key(name_space, text)));
  if (!bytes) return std::optional<std::uint64_t>();
  codec::ByteCursor cursor(*bytes);
  const auto id = cursor.read_big<std::uint64_t>();
  if (cursor.finished()) return std::optional(id);
  return codec::corruption("external id \"" + std::string(text) + "\" is damaged");
}

Result<Value> GraphView::property(EntityKind kind, std::uint64_t id, std::uint32_t key) const {
  return records_.property(kind, id, key);
}

Result<std::vector<Value>> GraphView::properties(EntityKind kind,
                                                 std::span<const std::uint64_t> ids,
                                                 std::uint32_t key) const {
  return records_.properties(kind, ids, key);
}

Result<std::optional<Node>> GraphView::load_node(std::uint64_t id) const {
  return records_.load_node(id, catalog());
}

Result<std::optional<Relationship>> GraphView::load_relationship(std::uint64_t id) const {
  return records_.load_relationship(id, catalog());
}

Result<std::vector<std::optional<Node>>> GraphView::load_nodes(
    std::span<const std::uint64_t> ids) const {
  return records_.load_nodes(ids, catalog());
}

// --- bitmaps --------------------------------------------------------------------------------------

// The count of the published state plus the change by this transaction.
std::int64_t GraphView::count(Counter counter, EntityKind kind) const {
  const std::int64_t own = write_set_ == nullptr ? 0 : write_set_->counters().of(counter, kind);
  return state_->counters.of(counter, kind) + own;
}

// Each namespace has a posting, except for the default one: its members are all records less those of all other namespaces.
Result<Bitmap> GraphView::members(EntityKind kind, std::uint32_t name_space) const {
  if (name_space != 0)
    return postings_.posting(system_posting(kind, SystemPath::name_space, name_space));
  CAIRN_ASSIGN(Bitmap ids, postings_.posting(system_posting(kind, SystemPath::all)));
  if (count(Counter::name_spaced, kind) == 0) return ids;
  CAIRN_ASSIGN(const Bitmap others, postings_.range(system_range(kind, SystemPath::name_space)));
  return codec::subtract(ids, others);
}

// Reads the postings of deleted and of expired records only if their counters are not zero.
Result<Bitmap> GraphView::hidden(EntityKind kind, std::int64_t now) const {
  Bitmap ids;
  if (!sees_deleted_ && count(Counter::deleted, kind) > 0) {
    CAIRN_ASSIGN(ids, postings_.posting(system_posting(kind, SystemPath::deleted)));
  }
  if (count(Counter::expiring, kind) > 0) {
    CAIRN_ASSIGN(const KeyRange range, expired_range(*store_, *state_, write_set_, kind, now));
    CAIRN_ASSIGN(const Bitmap expired, postings_.range(range));
    ids = codec::unite(ids, expired);
  }
  return ids;
}

Result<Bitmap> GraphView::members(EntityKind kind, const Visibility& visibility) const {
  CAIRN_ASSIGN(Bitmap ids, members(kind, visibility.name_space));
  for (const std::uint32_t name_space : visibility.also_read) {
    CAIRN_ASSIGN(const Bitmap more, members(kind, name_space));
    ids = codec::unite(ids, more);
  }
  return ids;
}

Result<Bitmap> GraphView::visible(EntityKind kind, const Visibility& visibility) const {
  CAIRN_ASSIGN(Bitmap ids, members(kind, visibility));
  CAIRN_ASSIGN(const Bitmap hidden_ids, hidden(kind, visibility.now));
  return hidden_ids.empty() ? ids : codec::subtract(ids, hidden_ids);
}

Result<Bitmap> GraphView::invisible(EntityKind kind, const Visibility& visibility) const {
  CAIRN_ASSIGN(const Bitmap all, postings_.posting(system_posting(kind, SystemPath::all)));
  CAIRN_ASSIGN(const Bitmap seen, visible(kind, visibility));
  return codec::subtract(all, seen);
}

// If a database uses only the default namespace, counters alone give the answer.
Result<bool> GraphView::has_all(EntityKind kind, const Visibility& visibility) const {
  const std::int64_t spaced = count(Counter::name_spaced, kind);
  const bool has_default =
      visibility.name_space == 0 || std::ranges::count(visibility.also_read, 0U) > 0;
  if (spaced == 0) return has_default || count(Counter::live, kind) == 0;
  if (visibility.also_read.empty() && has_default) return false;
  CAIRN_ASSIGN(const Bitmap own, members(kind, visibility));
  return static_cast<std::int64_t>(own.cardinality()) == count(Counter::live, kind);
}

// Usually answered by counters alone.
Result<bool> GraphView::all_visible(EntityKind kind, const Visibility& visibility) const {
  if (!sees_deleted_ && count(Counter::deleted, kind) > 0) return false;
  CAIRN_ASSIGN(const bool has_all_members, has_all(kind, visibility));
  if (!has_all_members) return false;
  if (count(Counter::expiring, kind) == 0) return true;
  CAIRN_ASSIGN(const KeyRange range,
               expired_range(*store_, *state_, write_set_, kind, visibility.now));
  CAIRN_ASSIGN(const Bitmap expired, postings_.range(range));
  return expired.empty();
}

Result<Bitmap> GraphView::labelled(std::uint32_t label) const {
  return postings_.posting(system_posting(EntityKind::node, SystemPath::label, label));
}

Result<Bitmap> GraphView::typed(std::uint32_t type) const {
  return postings_.posting(system_posting(EntityKind::relationship, SystemPath::type, type));
}

Result<std::uint64_t> GraphView::count_labelled(std::uint32_t label) const {
  CAIRN_ASSIGN(const Bitmap ids, labelled(label));
  return ids.cardinality();
}

Result<std::uint64_t> GraphView::count_typed(std::uint32_t type) const {
  CAIRN_ASSIGN(const Bitmap ids, typed(type));
  return ids.cardinality();
}

Result<LookupResult> GraphView::lookup(const IndexPredicate& question) const {
  return PropertyIndex(postings_, catalog()).lookup(question);
}

Result<View::Estimate> GraphView::estimate(const IndexPredicate& question) const {
  return PropertyIndex(postings_, catalog()).estimate(question);
}

// --- adjacency and vectors ------------------------------------------------------------------------

Status GraphView::expand(std::uint64_t node, Direction direction,
                         std::span<const std::uint32_t> types, std::vector<Adjacent>& out) const {
  AdjacencyReader::Request request;
  request.node = node;
  request.direction = direction;
  request.types = types;
  return adjacency_.read(request, out);
}

Status GraphView::expand_into(std::uint64_t node, std::uint64_t other, Direction direction,
                              std::span<const std::uint32_t> types,
                              std::vector<Adjacent>& out) const {
  AdjacencyReader::Request request;
  request.node = node;
  request.other = other;
  request.direction = direction;
  request.types = types;
  return adjacency_.read(request, out);
}

std::uint64_t GraphView::live(EntityKind kind) const {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(count(Counter::live, kind), 0));
}

// Reads the lists of nodes from the store, with cursors that it keeps between two reads.
namespace {

class StoredLists final : public ListReader {
 public:
  explicit StoredLists(const AdjacencyReader& reader) : reader_(reader) {}
  Status read(const ListRequest& request, std::vector<Adjacent>& out) override {
    return reader_.read(request, places_, out);
  }

 private:
  AdjacencyReader reader_;
  AdjacencyReader::Places places_;
};

}  // namespace

std::unique_ptr<ListReader> GraphView::lists() const {
  return std::make_unique<StoredLists>(adjacency_);
}

// Segments do not have the changes of the transaction.
bool GraphView::has_segments() const {
  return state_->segments != nullptr && (write_set_ == nullptr || write_set_->empty());
}

AdjacencyView GraphView::adjacency(bool outgoing, const SegmentNeed& need) const {
  if (!has_segments()) return {};
  return state_->segments->adjacency(
      outgoing, {*state_->store, state_->commit, need, live(EntityKind::relationship), state_});
}

ColumnView GraphView::column(EntityKind kind, std::uint32_t key, const SegmentNeed& need) const {
  if (!has_segments()) return {};
  return state_->segments->column(kind, key,
                                  {*state_->store, state_->commit, need, live(kind), state_});
}

Result<VectorSources> GraphView::vector_sources(std::uint32_t index) const {
  const auto entry = catalog().indexes().find(index);
  // Only published indexes have a state: an index that this transaction makes is built after its commit.
  const auto state = state_->vectors.find(index);
  if (entry == catalog().indexes().end()) {
    return Error{ErrorCode::not_found,
                 "vector index number " + std::to_string(index) +
                     " does not exist; SHOW INDEXES lists the indexes",
                 {}};
  }
  if (state == state_->vectors.end()) {
    return Error{
        ErrorCode::unsupported,
        "index \"" + entry->second.name +
            "\" is not a vector index that is online; an index that this transaction made can be "
            "searched after its commit",
        {}};
  }
  return VectorSources{entry->second, *state->second, records_, postings_, write_set_};
}

Result<Neighbors> GraphView::nearest(std::uint32_t index, const VectorQuery& query) const {
  CAIRN_ASSIGN(auto found, nearest_all(index, std::span(&query, 1)));
  return std::move(found.front());
}

Result<std::vector<Neighbors>> GraphView::nearest_all(std::uint32_t index,
                                                      std::span<const VectorQuery> queries) const {
  CAIRN_ASSIGN(const VectorSources sources, vector_sources(index));
  return counted(*state_, &Telemetry::vector_searches, queries.size(),
                 [&] { return search_vectors(sources, queries); });
}

Result<codec::Bitmap> GraphView::with_vector(std::uint32_t index) const {
  CAIRN_ASSIGN(const VectorSources sources, vector_sources(index));
  return untouched_members(sources);
}

Result<TextHits> GraphView::search_text(std::uint32_t index, const TextQuery& query) const {
  return counted(*state_, &Telemetry::text_searches, 1,
                 [&] { return search_text_index(*this, *store_, write_set_, index, query); });
}

Result<std::vector<IndexDescription>> GraphView::describe_indexes() const {
  return describe_all_indexes(*this);
}

// Reads the notes as of the view's state. Writing a note publishes a new state, so a later view sees it.
Result<std::vector<codec::BackupNote>> GraphView::describe_backups() const {
  CAIRN_ASSIGN(const auto stored, read_notes(*store_, codec::backup_notes, &*state_->store));
  std::vector<codec::BackupNote> notes;
  for (const Note& each : stored) {
    CAIRN_ASSIGN(auto note, codec::decode_backup_note(each.key, each.value));
    notes.push_back(std::move(note));
  }
  std::ranges::stable_sort(notes, std::ranges::greater(), &codec::BackupNote::made_at);
  return notes;
}

}  // namespace cairn::engine
