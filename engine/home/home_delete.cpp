// Deleting a home.
//
// The head is replaced first, so that nobody takes the home over while its objects are erased. The head stays, so that
// nobody makes a new home for a copy of the deleted database. If an owner may still be active, its epoch ends with a
// fence before the objects are erased, and the fence stays too: the next commit of that owner finds it, and fails.
#include "codec/byte_io.hpp"
#include "engine/home/home.hpp"
#include "engine/home/home_names.hpp"
#include "engine/home/litter.hpp"
#include "engine/home/patience.hpp"
#include "engine/system/clock.hpp"

#include <cairn/home.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn {
namespace engine {
namespace {

/// The head of a home that is deleted now.
codec::HomeHead deleted_head(const codec::HomeHead& head) {
  codec::HomeHead next;
  next.database_id = head.database_id;
  next.revision = head.revision + 1;
  next.epoch = head.epoch + 1;
  next.deleted_at = system_time();
  return next;
}

}  // namespace

// The probe finds out how the store spells tags in conditions. The probe writes, so a mistyped address is refused
// before the probe.
Status Home::erase(std::string_view address, std::string_view database_id, OwnedHome owned,
                   std::chrono::milliseconds patience) {
  CAIRN_ASSIGN(const auto home, connect(address, "", patience));
  CAIRN_ASSIGN(const auto head, home->get(home_name::head));
  if (head) CAIRN_TRY(probe(*home->store_, home->root_));
  CAIRN_ASSIGN(const codec::HomeHead buried, home->bury(database_id, owned));
  home->database_id_ = buried.database_id;
  return home->erase_objects(owned == OwnedHome::erase ? buried.epoch - 1 : 0);
}

// After `refused` and `unknown` the head is read again: an earlier attempt may have replaced it already.
Result<codec::HomeHead> Home::bury(std::string_view database_id, OwnedHome owned) {
  const std::string name = root_ + home_name::head;
  Patience patience(patience_);
  do {
    CAIRN_ASSIGN(const auto object, get(home_name::head));
    if (!object) {
      CAIRN_TRY(read_head());  // an error if there are objects without a head
      return Error{ErrorCode::not_found,
                   "there is no database in the home " + address() + "; check the address",
                   {}};
    }
    const auto head = codec::decode_home_head(object->bytes);
    if (!head) return unreadable(head.error());
    if (head->database_id != database_id)
      return Error{ErrorCode::conflict,
                   "the home " + address() + " has the database " + head->database_id +
                       ", and not " + std::string(database_id) + "; nothing was deleted",
                   {}};
    if (head->deleted_at != 0) return *head;
    if (head->owner.opening != 0 && owned == OwnedHome::refuse)
      return Error{ErrorCode::busy,
                   "the node " + head->owner.node + " owns the home " + address() +
                       ", or was killed before it released the home; close the database there, or "
                       "delete the home although it has an owner",
                   {}};
    codec::HomeHead next = deleted_head(*head);
    const WriteAnswer answer = store_->replace(name, codec::encode(next), object->tag);
    if (answer.outcome == WriteOutcome::done) return next;
    if (answer.why && answer.why->code != ErrorCode::busy) return *answer.why;
  } while (patience.wait());
  return Error{ErrorCode::busy,
               "it is unknown whether the home " + address() +
                   " was deleted, as the store does not answer; delete it again",
               {}};
}

// A damaged record counts as a commit. If `refused`, the owner was quicker, or an earlier attempt arrived.
Result<std::string> Home::fence_behind(const codec::HomePlace& last) {
  for (codec::HomePlace slot = last;; ++slot.slot) {
    const std::string name = home_name::slot(slot.epoch, slot.slot);
    auto record = read_record(slot);
    if (!record && record.error().code != ErrorCode::corruption) return record.error();
    if (record && !*record) {
      codec::CommitRecord fence;
      fence.kind = codec::RecordKind::fence;
      fence.database_id = database_id_;
      fence.epoch = slot.epoch;
      fence.slot = slot.slot;
      fence.opening = opening_;
      const WriteAnswer answer = store_->create(root_ + name, codec::encode(fence));
      if (answer.why) return *answer.why;
      CAIRN_ASSIGN(record, read_record(slot));
    }
    if (record && *record && (*record)->kind == codec::RecordKind::fence) return name;
  }
}

Result<std::set<std::string>> Home::fence_all(const std::vector<std::string>& names,
                                              std::uint64_t newest) {
  std::vector<std::string> within;
  for (const std::string& name : names) within.push_back(name.substr(root_.size()));
  auto last = last_slots(within);
  last.try_emplace(newest, 1);
  std::set<std::string> fences;
  for (const auto& [epoch, slot] : last) {
    CAIRN_ASSIGN(const std::string fence, fence_behind({epoch, slot}));
    fences.insert(root_ + fence);
  }
  return fences;
}

std::string Home::erase_each(const std::vector<std::string>& names) {
  std::string why;
  for (const std::string& name : names) {
    const WriteAnswer answer = store_->erase(name);
    if (answer.why) why = answer.why->message;
  }
  return why;
}

// Lists again at the end, because an owner may have written an object meanwhile.
Status Home::erase_objects(std::uint64_t fenced) {
  constexpr int most_rounds = 4;
  std::string why;
  for (int i = 0; i < most_rounds; ++i) {
    auto names = store_->list(root_);
    Result<std::set<std::string>> kept = std::set<std::string>();
    if (names && fenced != 0) kept = fence_all(*names, fenced);
    if (!names || !kept) {
      why = (names ? kept.error() : names.error()).message;
      continue;
    }
    kept->insert(root_ + home_name::head);
    std::erase_if(*names, [&](const std::string& name) { return kept->contains(name); });
    if (names->empty()) return {};
    why = erase_each(*names);
  }
  return Error{ErrorCode::busy,
               "the home " + address() + " is deleted, and some of its objects are left (" +
                   (why.empty() ? "objects are added to it" : why) +
                   "); delete it again to erase them",
               {}};
}

}  // namespace engine

Status delete_home(std::string_view address, std::string_view database_id, OwnedHome owned) {
  return engine::Home::erase(address, database_id, owned);
}

Status probe_home(std::string_view address) {
  const auto parts = engine::HomeAddress::parse(address);
  CAIRN_ASSIGN(const auto store, engine::open_object_store(parts.store));
  CAIRN_ASSIGN(const std::string root, engine::home_name::root(parts.tenant));
  return engine::probe(*store, root);
}

}  // namespace cairn
