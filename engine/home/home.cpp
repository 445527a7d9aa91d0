// Opening a home, and committing to it. Requests that get no answer are retried with backoff until the time limit of
// the caller. After the limit this node gives up the home, because nothing may be built on an unknown outcome.
#include "engine/home/home.hpp"

#include "codec/byte_io.hpp"
#include "codec/value_text.hpp"
#include "engine/crypto/secrets.hpp"
#include "engine/home/home_names.hpp"
#include "engine/home/patience.hpp"

#include <cairn/temporal.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::engine {
namespace {

/// A random number other than 0, which means "no owner".
Result<std::uint64_t> draw_opening() {
  std::uint64_t opening = 0;
  while (opening == 0)
    CAIRN_TRY(fill_random(std::span(reinterpret_cast<unsigned char*>(&opening), sizeof opening)));
  return opening;
}

/// A name of this process for people on other machines.
std::string node_name() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0)
    return "process " + std::to_string(::getpid());
  return std::string(host.data()) + ", process " + std::to_string(::getpid());
}

/// The error of a home with another database than the expected one.
Error unwanted(const std::string& address, const std::string& found, const std::string& wanted) {
  return Error{ErrorCode::conflict,
               "the home " + address + " contains the database " + found + ", and not " + wanted +
                   "; name the home of database " + wanted + ", or another directory",
               {}};
}

/// True for an object that a fork uploads before it has an epoch. If a home has no other objects, its fork was not
/// completed, and there is no database to hide.
bool is_of_fork(const home_name::NamedObject& object) { return object.place.epoch == 0; }

}  // namespace

Home::Home(std::unique_ptr<ObjectStore> store, const HomeAddress& address, std::string root,
           std::uint64_t opening, const std::string& new_database_id,
           std::chrono::milliseconds patience)
    : store_(std::move(store)),
      address_(HomeAddress{store_->place(), {}, address.tenant}.text()),
      root_(std::move(root)),
      opening_(opening),
      patience_(patience),
      machine_({node_name(), address.node, opening}, new_database_id) {}

Result<std::unique_ptr<Home>> Home::connect(std::string_view address,
                                            const std::string& database_id,
                                            std::chrono::milliseconds patience) {
  const HomeAddress parts = HomeAddress::parse(address);
  CAIRN_ASSIGN(auto store, open_object_store(parts.store));
  CAIRN_ASSIGN(std::string root, home_name::root(parts.tenant));
  CAIRN_ASSIGN(const std::uint64_t opening, draw_opening());
  return std::unique_ptr<Home>(
      new Home(std::move(store), parts, std::move(root), opening, database_id, patience));
}

// Checks the head first, because a takeover cannot be undone, and the probe writes. The id is checked again
// afterwards: another node may have created the home meanwhile.
Result<std::unique_ptr<Home>> Home::open(std::string_view address, const Wanted& wanted,
                                         std::chrono::milliseconds patience) {
  CAIRN_ASSIGN(auto home, connect(address, wanted.new_database_id, patience));
  CAIRN_TRY(home->check_head(wanted));
  CAIRN_TRY(probe(*home->store_, home->root_));
  CAIRN_TRY(home->take_over());
  const bool is_other = !wanted.database_id.empty() && home->database_id() != wanted.database_id;
  if (is_other) return unwanted(home->address(), home->database_id_, wanted.database_id);
  return home;
}

// Each attempt draws its own names of parts, so that no part of an earlier attempt is taken for one of this attempt.
Result<std::unique_ptr<Home>> Home::prepare(std::string_view address,
                                            const std::string& database_id,
                                            std::chrono::milliseconds patience) {
  CAIRN_ASSIGN(auto home, connect(address, database_id, patience));
  home->database_id_ = database_id;
  home->parts_ = home->opening_ >> 1;
  CAIRN_ASSIGN(const auto head, home->read_head());
  if (head) return home->used();
  CAIRN_TRY(probe(*home->store_, home->root_));
  return home;
}

Status Home::check_head(const Wanted& wanted) const {
  CAIRN_ASSIGN(const auto head, read_head());
  if (!head && !wanted.may_make)
    return Error{ErrorCode::not_found,
                 "there is no database in the home " + address() + "; check the address",
                 {}};
  if (!head) return {};
  const bool is_other = !wanted.database_id.empty() && head->database_id != wanted.database_id;
  if (is_other) return unwanted(address(), head->database_id, wanted.database_id);
  return {};
}

// If only the head of a home is lost, a new home would hide its database, so other objects are looked for. The head is
// read again, as another node may have made the home between both requests.
Result<std::optional<codec::HomeHead>> Home::read_head() const {
  CAIRN_ASSIGN(auto object, store_->get(root_ + home_name::head));
  if (!object) {
    CAIRN_ASSIGN(const auto names, store_->list(root_));
    const auto is_object = [&](const std::string& name) {
      const auto named = home_name::parse(std::string_view(name).substr(root_.size()));
      return named && !is_of_fork(*named);
    };
    const auto found = std::ranges::find_if(names, is_object);
    if (found == names.end()) return std::optional<codec::HomeHead>();
    CAIRN_ASSIGN(object, store_->get(root_ + home_name::head));
    if (!object)
      return codec::corruption(
          "the home " + address() + " has no object " + root_ + home_name::head + ", but " +
          *found +
          " and perhaps others: somebody erased the head. Put its newest version back, for "
          "example from a bucket that keeps versions; or, to give up the database, erase all "
          "objects "
          "below " +
          root_);
  }
  auto head = codec::decode_home_head(object->bytes);
  if (!head) return unreadable(head.error());
  if (head->deleted_at != 0) return deleted(*head);
  return std::optional(*std::move(head));
}

Error Home::deleted(const codec::HomeHead& head) const {
  constexpr std::int64_t second = 1'000'000;
  return Error{ErrorCode::not_found,
               "the database of the home " + address() + " was deleted at " +
                   codec::temporal_text(DateTime{head.deleted_at / second, 0, 0, {}}) +
                   "; name another address for a new one",
               {}};
}

Error Home::used() const {
  return Error{ErrorCode::already_exists,
               "there is a home in " + address() + " already; name another address",
               {}};
}

Error Home::unreadable(const Error& error) const {
  std::string message = error.message + " (objects below " + root_ + " in " + address() + ")";
  if (error.code == ErrorCode::corruption)
    message +=
        "; put the newest version of the object back, for example from a bucket that keeps "
        "versions";
  return Error{error.code, std::move(message), {}};
}

// The records after the checkpoint count as new, because the next checkpoint must contain them.
Status Home::take_over() {
  machine_.take_over();
  drive();
  CAIRN_TRY(standing_error(Ownership::Standing::owner));
  database_id_ = machine_.head().database_id;
  records_ = machine_.take_records();
  new_records_ = records_.size();
  has_litter_ = machine_.had_owner();
  return load_checkpoint();
}

// If the newest checkpoint is damaged, an existing copy may still be able to follow, and an older checkpoint may be
// readable.
Status Home::load_checkpoint() {
  const auto& kept = head().checkpoints;
  if (kept.empty()) return {};
  auto checkpoint = read_checkpoint(kept.back());
  if (checkpoint) {
    checkpoint_ = *std::move(checkpoint);
    return {};
  }
  if (checkpoint.error().code != ErrorCode::corruption) return checkpoint.error();
  checkpoint_error_ = checkpoint.error();
  warnings_.push_back(checkpoint_error_->message);
  new_records_ = std::max<std::uint64_t>(new_records_, most_new_records);
  return {};
}

bool Home::can_follow(const codec::HomePlace& place) const noexcept {
  return machine_.can_follow(place);
}

// Skips commits that the copy already has. Changes after the last commit to restore belong to the next commit.
Status Home::replay(RocksStore& copy) {
  CAIRN_ASSIGN(const codec::HomePlace from, copy.applied_place());
  std::uint64_t commit = checkpoint_commit();
  reached_ = checkpoint_ ? checkpoint_->place : codec::HomePlace();
  for (const codec::CommitRecord& record : std::exchange(records_, {})) {
    if (last_commit_ && commit >= *last_commit_) break;
    const codec::HomePlace place{record.epoch, record.slot};
    if (from < place) CAIRN_TRY(copy.apply(record.changes, place));
    reached_ = place;
    if (record.commit != 0) commit = record.commit;
  }
  // All earlier epochs are closed, and the copy has all their commits. So it can note a place in the new epoch. A copy
  // that was made without owning the home notes {0, 0}, as it will not follow the home.
  return copy.apply({}, machine_.last_place());
}

// Requests.

// An error of a read counts as an unknown outcome.
HomeAnswer Home::ask(const HomeRequest& request) {
  const std::string name = root_ + request.name;
  const auto written = [this](WriteAnswer answer) {
    if (answer.outcome == WriteOutcome::unknown) why_ = std::move(answer.why);
    return HomeAnswer{answer.outcome, {}, std::move(answer.tag)};
  };
  switch (request.kind) {
    case HomeRequest::Kind::create:
      return written(store_->create(name, request.bytes));
    case HomeRequest::Kind::replace:
      return written(store_->replace(name, request.bytes, request.tag));
    case HomeRequest::Kind::erase:
      return written(store_->erase(name));
    case HomeRequest::Kind::get:
      break;
  }
  auto object = store_->get(name);
  if (!object) {
    why_ = object.error();
    return {};
  }
  if (!*object) return {WriteOutcome::done, {}, {}};
  return {WriteOutcome::done, std::move((*object)->bytes), std::move((*object)->tag)};
}

// A store that refuses a request will refuse it again, so retries end at once. Successful reads do not restart the
// time limit: a takeover alternates reads and failing writes.
void Home::drive() {
  Patience patience(patience_);
  while (machine_.is_busy()) {
    const bool is_write = machine_.request().kind != HomeRequest::Kind::get;
    const HomeAnswer answer = ask(machine_.request());
    machine_.answer(answer);
    if (answer.outcome != WriteOutcome::unknown) {
      if (is_write) patience.renew();
      continue;
    }
    const bool is_lasting = why_ && why_->code != ErrorCode::busy;
    if (is_lasting || !patience.wait()) machine_.give_up();
  }
}

// If the id of the database is unknown, the takeover itself failed; otherwise a commit or a checkpoint did.
Status Home::standing_error(Ownership::Standing wanted) const {
  using Standing = Ownership::Standing;
  if (machine_.standing() == wanted) return {};
  if (machine_.standing() == Standing::broken) return unreadable(machine_.error());
  if (machine_.standing() == Standing::unsure) {
    const std::string why = why_ ? why_->message : std::string("no answer");
    if (database_id_.empty())
      return Error{
          why_ ? why_->code : ErrorCode::busy, "cannot take over " + address() + ": " + why, {}};
    return Error{ErrorCode::io_error,
                 "it is unknown whether the home " + address() + " has the last change (" + why +
                     "); open the database again to find out",
                 {}};
  }
  return fenced();
}

// The head may be anything, if somebody edited it.
Error Home::fenced() const {
  const auto& other = machine_.other_head();
  if (other && other->deleted_at != 0) return deleted(*other);
  const bool is_named = other && !other->owner.node.empty();
  return Error{ErrorCode::busy,
               (is_named ? "the node " + other->owner.node : std::string("another node")) +
                   " has taken over the home " + address() +
                   "; this commit was not made: commit on the other node, or open the database "
                   "again. If nodes of two installations use this address, give each its own",
               {}};
}

bool Home::is_owner() const {
  const std::lock_guard lock(mutex_);
  return machine_.standing() == Ownership::Standing::owner;
}

bool Home::seems_owner() const {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  return !lock.owns_lock() || machine_.standing() == Ownership::Standing::owner;
}

// One commit at a time: the mutex is held until the store has answered.
Result<codec::HomePlace> Home::ship(std::string changes, std::uint64_t commit) {
  const std::lock_guard lock(mutex_);
  CAIRN_TRY(standing_error(Ownership::Standing::owner));
  const codec::HomePlace place = machine_.next_place();
  const std::size_t bytes = changes.size();
  codec::CommitRecord record;
  record.database_id = database_id_;
  record.epoch = place.epoch;
  record.slot = place.slot;
  record.opening = opening_;
  record.nonce = ++nonces_;
  record.commit = commit;
  record.changes = std::move(changes);
  machine_.ship(codec::encode(record));
  drive();
  CAIRN_TRY(standing_error(Ownership::Standing::owner));
  ++new_records_;
  new_bytes_ += bytes;
  return place;
}

bool Home::is_checkpoint_due() const noexcept {
  return new_records_ >= most_new_records || new_bytes_ >= most_new_bytes;
}

Status Home::release() {
  const std::lock_guard lock(mutex_);
  CAIRN_TRY(standing_error(Ownership::Standing::owner));
  machine_.release();
  drive();
  return standing_error(Ownership::Standing::released);
}

}  // namespace cairn::engine
