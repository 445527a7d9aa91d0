// Deleting a home.
//
// The head is replaced first, so that nobody takes the home over while its objects are erased. It stays, so that nobody makes a
// new home for a copy of the deleted database.
#include "codec/byte_io.hpp"
#include "engine/home/home.hpp"
#include "engine/home/home_names.hpp"
#include "engine/home/patience.hpp"
#include "engine/system/clock.hpp"

#include <cairn/home.hpp>

#include <optional>
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

// The probe finds out how the store spells tags in conditions.
Status Home::erase(std::string_view address, std::string_view database_id, bool even_if_owned,
                   std::chrono::milliseconds patience) {
  CAIRN_ASSIGN(auto store, open_object_store(address));
  CAIRN_ASSIGN(std::string root, home_name::root(""));
  CAIRN_TRY(probe(*store, root));
  Home home(std::move(store), std::move(root), 1, "", patience);
  CAIRN_TRY(home.bury(database_id, even_if_owned));
  return home.erase_objects();
}

// After `refused` and `unknown` the head is read again: it may be the new one, of an earlier attempt.
Status Home::bury(std::string_view database_id, bool even_if_owned) {
  const std::string name = root_ + home_name::head;
  Patience patience(patience_);
  do {
    CAIRN_ASSIGN(const auto object, get(home_name::head));
    if (!object) {
      CAIRN_TRY(read_head());  // says if there are objects without a head
      return Error{ErrorCode::not_found, "there is no database in the home " + address(), {}};
    }
    const auto head = codec::decode_home_head(object->bytes);
    if (!head) return unreadable(head.error());
    if (head->database_id != database_id)
      return Error{ErrorCode::conflict,
                   "the home " + address() + " has the database " + head->database_id +
                       "; nothing was deleted",
                   {}};
    if (head->deleted_at != 0) return {};
    if (head->owner.opening != 0 && !even_if_owned)
      return Error{ErrorCode::busy,
                   "the node " + head->owner.node + " owns the home " + address() +
                       ", or was killed before it released it; close the database there, or "
                       "delete the home although it has an owner",
                   {}};
    const WriteAnswer answer =
        store_->replace(name, codec::encode(deleted_head(*head)), object->tag);
    if (answer.outcome == WriteOutcome::done) return {};
    if (answer.why && answer.why->code != ErrorCode::busy) return *answer.why;
  } while (patience.wait());
  return Error{ErrorCode::busy,
               "it is unknown whether the home " + address() +
                   " was deleted, as the store does not answer; delete it again",
               {}};
}

// Lists again at the end, because an owner may have written an object meanwhile.
Status Home::erase_objects() {
  constexpr int most_rounds = 4;
  std::string why = "objects are added to it";
  for (int i = 0; i < most_rounds; ++i) {
    auto names = store_->list(root_);
    if (!names) {
      why = names.error().message;
      continue;
    }
    std::erase(*names, root_ + home_name::head);
    if (names->empty()) return {};
    for (const std::string& name : *names) {
      const WriteAnswer answer = store_->erase(name);
      if (answer.why) why = answer.why->message;
    }
  }
  return Error{ErrorCode::busy,
               "the home " + address() + " is deleted, and some of its objects are left (" + why +
                   "); delete it again to erase them",
               {}};
}

}  // namespace engine

Status delete_home(std::string_view address, std::string_view database_id, bool even_if_owned) {
  return engine::Home::erase(address, database_id, even_if_owned);
}

Status probe_home(std::string_view address) {
  CAIRN_ASSIGN(const auto store, engine::open_object_store(address));
  CAIRN_ASSIGN(const std::string root, engine::home_name::root(""));
  return engine::probe(*store, root);
}

}  // namespace cairn
