#pragma once
// Ownership: the protocol that decides who may commit to a home, as a state machine without input or output. The
// machine names the next request to the store and takes the answer. So the same code runs over a real store and in
// the simulator (tests/engine/home).
//
// take_over()   Read the head and replace it with one of the next epoch. End each earlier epoch: create a fence in its first
//               absent slot. The records read on the way are the commits that the newest checkpoint lacks. At last read the
//               head again. If it is unchanged, no later owner has erased slots meanwhile, so an absent slot was indeed
//               the end of its epoch.
// ship()        Create the next slot of the epoch. `done`: the commit is durable and may be applied. `refused`: read the
//               slot. If it holds the same record, an earlier attempt arrived: done. Otherwise read the head. If the head
//               still needs the slot, or the epoch ended before the slot, the commit did not happen: fenced. If the epoch
//               ended at the slot or after it, the commit is done and the slot was erased meanwhile. The object found there
//               is then the late fence of a node that lost a takeover.
// checkpoint()  Replace the head with one that names the checkpoint. Only after that, collect() erases obsolete objects.
// release()     Replace the head with one that has no owner.
//
// The protocol uses no clock and no lease. It rests on two rules. The name of a slot contains the epoch, so an
// owner never writes into an erased slot of another epoch. A fence is never erased, so a paused owner finds it when
// it resumes.

#include "codec/commit_record.hpp"
#include "codec/home_head.hpp"
#include "engine/home/object_store.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::engine {

/// A request to the store. Names are relative to the home.
struct HomeRequest {
  enum class Kind : std::uint8_t { get, create, replace, erase };
  Kind kind = Kind::get;
  std::string name;
  std::string bytes{};  ///< the content for create and replace
  std::string tag{};    ///< the expected tag for replace
};

/// The answer to a request. The outcome of a get is `done` or `unknown`.
struct HomeAnswer {
  WriteOutcome outcome = WriteOutcome::unknown;
  std::optional<std::string> bytes{};  ///< the content, for a get that found the object
  std::string tag{};                   ///< the tag of the object that is there now
};

/// The rules that the protocol rests on. Tests switch off one rule at a time and expect the simulator to detect the
/// violation.
struct ProtocolRules {
  bool keeps_fences = true;      ///< a fence is never erased
  bool names_epochs = true;      ///< the name of a slot contains the epoch
  bool asks_until_known = true;  ///< an unknown outcome does not count as success
  /// A refused create may have been made by an earlier attempt of this owner.
  bool looks_when_refused = true;
  /// The head is replaced before objects that only the old head needs are erased.
  bool replaces_before_erase = true;
  /// The search for the end of an epoch begins at its first slot.
  bool seeks_from_first_slot = true;
  bool spares_later_epochs = true;  ///< litter_of() names no object of a later owner
  bool confirms_takeover = true;    ///< a takeover reads the head again after it has read all slots
};

/// The state machine of one node. The driver calls one of take_over(), ship(), checkpoint(), collect() and release().
/// While is_busy(), it sends request() to the store and passes the result to answer(). Threads: one at a time.
class Ownership {
 public:
  /// The relation of this node to the home.
  enum class Standing : std::uint8_t {
    outside,   ///< take_over() was not called yet
    taking,    ///< a takeover is in progress
    owner,     ///< this node may commit
    fenced,    ///< another node took over; a commit that was being shipped did not happen
    unsure,    ///< it is not known whether the last request happened; another takeover finds out
    released,  ///< this node gave up the home by release()
    broken,    ///< the content of the home cannot be read; error() says why
  };

  /// A takeover of a home that does not exist creates it with `new_database_id`.
  Ownership(codec::HomeOwner self, std::string new_database_id, ProtocolRules rules = {});

  [[nodiscard]] Standing standing() const noexcept { return standing_; }
  [[nodiscard]] const Error& error() const noexcept { return error_; }

  /// Begins a takeover. Precondition: !is_busy(). The other operations below also need the standing `owner`.
  void take_over();
  /// Begins to ship a commit. `record` is the encoded record for next_place(). No two records may be equal.
  void ship(std::string record);
  /// Begins to publish the checkpoint at `place`. The earlier checkpoints `kept` and the commits after the oldest of
  /// them stay in the store. Preconditions: its objects are in the store; it is newer than the newest checkpoint in
  /// head(); `kept` is ascending and part of the checkpoints in head().
  void checkpoint(const codec::HomePlace& place, std::vector<codec::HomePlace> kept = {});
  /// Begins to erase the objects that the last checkpoints made obsolete.
  void collect();
  /// Begins to give up the home.
  void release();

  /// True while request() waits for an answer. After the outcome `unknown` the driver sends the same request again,
  /// until the store has reported another outcome.
  [[nodiscard]] bool is_busy() const noexcept { return step_ != Step::none; }
  [[nodiscard]] const HomeRequest& request() const noexcept { return request_; }
  void answer(const HomeAnswer& answer);
  /// Gives up the current request. The standing becomes `unsure`, unless the request only erases an obsolete object.
  void give_up();

  /// The head of the home, as far as this node knows.
  [[nodiscard]] const codec::HomeHead& head() const noexcept { return head_; }
  /// True if the home had an owner at the takeover, which may have been killed. False if its last owner had released it.
  [[nodiscard]] bool had_owner() const noexcept { return had_owner_; }
  /// The place of the next commit.
  [[nodiscard]] codec::HomePlace next_place() const noexcept { return {head_.epoch, next_slot_}; }
  /// The place of the last commit that was shipped. A checkpoint can hold everything up to this place.
  [[nodiscard]] codec::HomePlace last_place() const noexcept {
    return {head_.epoch, next_slot_ - 1};
  }
  /// True if a copy with all commits up to `place` lacks only the commits that take_records() returns.
  [[nodiscard]] bool can_follow(const codec::HomePlace& place) const noexcept;
  /// True if the home lacks commits that a copy with all commits up to `place` has, as found by a takeover. Somebody put an
  /// older head back, or erased slots.
  [[nodiscard]] bool is_behind(const codec::HomePlace& place) const noexcept;
  /// The head that ended the ownership of this node, if it was read and could be decoded.
  [[nodiscard]] const std::optional<codec::HomeHead>& other_head() const noexcept {
    return other_head_;
  }
  /// Returns the commits after the newest checkpoint, in order, as the takeover found them. A second call returns
  /// nothing.
  [[nodiscard]] std::vector<codec::CommitRecord> take_records() { return std::move(records_); }
  /// Returns the names of obsolete objects and forgets them, for a driver that erases them without collect().
  [[nodiscard]] std::vector<std::string> take_let_go() { return std::exchange(let_go_, {}); }
  /// The names of the objects that checkpoints made obsolete and that are not erased yet.
  [[nodiscard]] const std::vector<std::string>& let_go() const noexcept { return let_go_; }

 private:
  /// The request whose answer is awaited.
  enum class Step : std::uint8_t {
    none,
    read_head,
    make_head,
    take_head,
    read_slot,
    fence_slot,
    confirm_head,
    ship_record,
    look_at_slot,
    look_at_chain,
    replace_head,
    look_at_head,
    erase_object,
  };

  /// Sets the next request.
  void ask(Step step, HomeRequest request);
  void ask_head(Step step);
  void ask_slot(Step step, const codec::HomePlace& place);
  /// Ends the operation: no request is left.
  void end(Standing standing);
  /// Ends the operation because of damaged content.
  void fail(Error error);

  // Handlers: one for each step. Each ends the operation or sets the next request.
  void on_head(const HomeAnswer& answer);
  void on_head_taken(const HomeAnswer& answer);
  void on_slot(const HomeAnswer& answer);
  void on_fence(const HomeAnswer& answer);
  void on_confirmed(const HomeAnswer& answer);
  void on_shipped(const HomeAnswer& answer);
  void on_own_slot(const HomeAnswer& answer);
  void on_chain(const HomeAnswer& answer);
  void on_head_replaced(const HomeAnswer& answer);
  void on_own_head(const HomeAnswer& answer);
  void on_erased(const HomeAnswer& answer);

  // The next head of the home: a new home, a takeover of `head`, a new checkpoint.
  [[nodiscard]] codec::HomeHead first_head() const;
  [[nodiscard]] codec::HomeHead taken(const codec::HomeHead& head) const;
  [[nodiscard]] codec::HomeHead with_checkpoint(const codec::HomePlace& place,
                                                std::vector<codec::HomePlace> kept) const;
  /// Begins to read the epoch `chain_at_` of the chain. For the own epoch, confirms the takeover.
  void begin_epoch();
  /// Notes the fence at `slot_`, and goes on with the next epoch.
  void end_epoch();
  /// Handles the content of the slot that was read: a commit, or the fence of the epoch.
  void add_record(std::string_view bytes);
  /// Notes a head that is not the own one.
  void note_other_head(const std::optional<std::string>& head);
  void finish_shipping();
  void replace_head(codec::HomeHead next);
  void finish_replacing(const std::string& tag);
  void erase_next();
  /// Returns the slots of the chain up to `place`, without fences.
  [[nodiscard]] std::vector<codec::HomePlace> slots_up_to(const codec::HomePlace& place) const;
  /// Returns the slots between the oldest checkpoint and the newest one of head_. Those of epochs that head_ does not list
  /// any more are missing.
  [[nodiscard]] std::vector<codec::HomePlace> slots_between_checkpoints() const;
  /// Appends to let_go_ what head_ needs and `next`, with a new checkpoint, does not.
  void let_go_for(const codec::HomeHead& next);
  [[nodiscard]] std::string slot_name(const codec::HomePlace& place) const;
  /// The first slot of an epoch. `at` is the index of the epoch in the chain.
  [[nodiscard]] std::uint64_t first_slot(std::size_t at) const;

  codec::HomeOwner self_;
  std::string new_database_id_;
  ProtocolRules rules_;
  Standing standing_ = Standing::outside;
  Error error_;
  Step step_ = Step::none;
  HomeRequest request_;
  codec::HomeHead head_;
  std::string tag_;            // the tag of head_ in the store
  codec::HomeHead next_head_;  // the head that is being written
  bool had_owner_ = false;
  std::optional<codec::HomeHead> other_head_;
  std::size_t chain_at_ = 0;              // the index in the chain of the epoch that is being read
  codec::HomePlace slot_;                 // the slot that is being read
  std::vector<codec::HomePlace> fences_;  // the fences of all epochs in the chain but the own one
  // The commits after the newest checkpoint, until take_records().
  std::vector<codec::CommitRecord> records_;
  // The slot of the next commit, in the own epoch.
  std::uint64_t next_slot_ = 1;
  bool has_other_ = false;  // the slot that refused the record holds another object
  std::string written_;  // the record or head that is being written, to recognise it in the store
  // Slots that the newest checkpoint contains and the oldest one lacks, in ascending order.
  std::vector<codec::HomePlace> held_;
  // Obsolete objects that are not erased yet. The oldest are at the end.
  std::vector<std::string> let_go_;
};

}  // namespace cairn::engine
