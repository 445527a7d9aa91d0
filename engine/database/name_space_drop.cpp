// A namespace is dropped in steps, each in a transaction of its own: first relationships, then nodes, then the name.
//
// Each step lists the remaining records again, so it does not depend on the step before. If the process dies, a second call
// drops the rest in the same way. The transaction that finds no records also erases the name, so that no other writer can
// add a record in between.
#include "engine/database/name_space_drop.hpp"

#include "codec/bitmap.hpp"
#include "engine/database/access.hpp"
#include "engine/database/client_entries.hpp"
#include "engine/database/handles.hpp"
#include "engine/database/repeated_call.hpp"
#include "engine/database/transaction_writer.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/system/clock.hpp"

#include <cairn/system_fields.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

namespace cairn::engine {
namespace {

using codec::EntityKind;

constexpr std::size_t records_per_step = 2'000;
// Erasing large records takes memory too. A step ends at this size, which is well below the limit of a transaction.
constexpr std::size_t most_bytes_per_step = std::size_t{8} << 20;

Error no_such_name_space(std::string_view name) {
  return {ErrorCode::not_found,
          "there is no namespace \"" + std::string(name) + "\"; SHOW NAMESPACES lists them",
          {}};
}

/// The transaction of one step, with the numbers of records that it has erased so far.
class Step {
 public:
  Step(TransactionWriter& writer, std::uint32_t name_space)
      : writer_(writer),
        view_(writer.view()),
        name_space_(name_space),
        most_bytes_(std::min(most_bytes_per_step, writer.byte_limit() / 4)) {}

  /// Erases records until the step is full. Returns true if the namespace has no records left.
  [[nodiscard]] Result<bool> run() {
    for (const EntityKind kind : {EntityKind::relationship, EntityKind::node}) {
      CAIRN_ASSIGN(const bool is_done, erase_members(kind));
      if (!is_done) return false;
    }
    return true;
  }
  [[nodiscard]] const ErasedRecords& erased() const noexcept { return erased_; }

 private:
  /// Returns how many more records this step may erase.
  [[nodiscard]] std::size_t left() const {
    const std::uint64_t count = erased_.nodes + erased_.relationships;
    // Each step erases at least one record, even without memory. Otherwise it would be repeated forever.
    const bool has_no_memory = count > 0 && writer_.memory_bytes() >= most_bytes_;
    const bool is_full = count >= records_per_step || has_no_memory;
    return is_full ? 0 : records_per_step - static_cast<std::size_t>(count);
  }

  /// Erases the records of a kind. Returns true if all are erased, and false if the step is full.
  Result<bool> erase_members(EntityKind kind) {
    CAIRN_ASSIGN(const codec::Bitmap ids, view_.members(kind, name_space_));
    codec::IdCursor cursor(ids);
    std::array<std::uint64_t, 256> piece{};
    while (const std::size_t count = cursor.next(piece)) {
      for (const std::uint64_t id : std::span(piece).first(count)) {
        CAIRN_ASSIGN(const bool is_gone,
                     kind == EntityKind::node ? erase_node(id) : erase_relationship(id));
        if (!is_gone) return false;
      }
    }
    return true;
  }

  /// Erases a relationship, or returns false if the step is full.
  Result<bool> erase_relationship(std::uint64_t id) {
    if (left() == 0) return false;
    CAIRN_TRY(writer_.erase_relationship(id));
    ++erased_.relationships;
    return true;
  }

  /// Erases a node with its relationships, which may be of other namespaces. Returns false if the step is full. A node with
  /// many relationships takes several steps.
  Result<bool> erase_node(std::uint64_t id) {
    if (left() == 0) return false;
    std::vector<Adjacent> adjacent;
    AdjacencyReader::Request request;
    request.node = id;
    request.limit = left();
    CAIRN_TRY(view_.adjacency_reader().read(request, adjacent));
    const bool is_cut = adjacent.size() >= request.limit;
    for (const Adjacent& step : adjacent) {
      CAIRN_ASSIGN(const bool is_gone, erase_relationship(step.relationship));
      if (!is_gone) return false;
    }
    if (is_cut) return false;
    CAIRN_TRY(writer_.erase_node(id));
    ++erased_.nodes;
    return true;
  }

  TransactionWriter& writer_;
  const GraphView& view_;
  std::uint32_t name_space_;
  std::size_t most_bytes_;
  ErasedRecords erased_;
};

/// Runs and commits one step. Returns true if it was the last one.
Result<bool> run_step(Database& database, std::string_view name, ErasedRecords& erased,
                      const BeforeLastCommit& before_last) {
  CAIRN_ASSIGN(Transaction transaction, database.begin());
  const std::int64_t began_at = system_time();
  TransactionWriter& writer = *Access::transaction_writer(transaction);
  const auto number = writer.view().catalog().find_name_space(name);
  if (!number) return no_such_name_space(name);
  Step step(writer, *number);
  CAIRN_ASSIGN(const bool is_empty, step.run());
  const ErasedRecords all{erased.nodes + step.erased().nodes,
                          erased.relationships + step.erased().relationships};
  if (is_empty) {
    CAIRN_TRY(writer.erase_name_space(*number));
    if (before_last) before_last(transaction, all);
  }
  CAIRN_TRY(transaction.commit());
  // The entry of the request for this drop is newer. Entries that cannot be erased now are erased when they are old.
  if (is_empty) static_cast<void>(forget_requests_in(*Access::core(database), name, began_at));
  erased = all;
  return is_empty;
}

}  // namespace

Status drop_name_space(Database& database, std::string_view name,
                       const std::function<Status()>& before_step, ErasedRecords& erased,
                       const BeforeLastCommit& before_last) {
  if (name.empty())
    return Error{ErrorCode::invalid_argument,
                 "the default namespace cannot be dropped; MATCH (n) DETACH DELETE n erases its "
                 "visible records",
                 {}};
  for (bool is_done = false; !is_done;) {
    CAIRN_TRY(before_step());
    CAIRN_ASSIGN(is_done, run_step(database, name, erased, before_last));
  }
  return {};
}

}  // namespace cairn::engine

namespace cairn {

// A call that is made again finds no namespace, whether the first round dropped it or it never existed. So a namespace that
// is not there is not asked for.
Result<std::uint64_t> drop_name_space(Database& database, std::string_view name) {
  if (auto* const way = Access::forwarding(database)) {
    bool is_there = false;
    CAIRN_TRY(database.read([&](const Snapshot& snapshot) -> Status {
      CAIRN_ASSIGN(const auto names, name_spaces(snapshot));
      is_there = std::ranges::find(names, name) != names.end();
      return {};
    }));
    if (!is_there) return engine::no_such_name_space(name);
    CAIRN_ASSIGN(const Value erased,
                 way->call("drop_name_space", {{"name", name}, {engine::again_entry, false}}));
    const auto* count = erased.get_if<std::int64_t>();
    return count == nullptr ? 0 : static_cast<std::uint64_t>(*count);
  }
  engine::ErasedRecords erased;
  CAIRN_TRY(engine::drop_name_space(database, name, [] { return Status(); }, erased));
  return erased.nodes + erased.relationships;
}

}  // namespace cairn
