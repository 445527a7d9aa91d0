#pragma once
// Ownership: who may commit to a home, as a machine without input or output. It says what to ask the store and takes the
// answer; the same code runs over a real store and under the simulator (tests/engine/home).
//
//   take_over()   read the head; replace it with the next epoch; end each earlier epoch with a fence in its first
//                 absent slot; what was read on the way are the commits that the newest checkpoint lacks. At last see
//                 the head unchanged: nobody has collected what was read, so that an absent slot was the end
//   ship()        create the epoch's next slot. Done: the commit is true, and may be applied. Refused: look at the slot.
//                 It is the same record: done, an earlier try arrived. Otherwise the head tells: it still needs the slot,
//                 or the epoch ended before it: fenced, nothing happened. The epoch ended later: done, and the slot was
//                 collected meanwhile; what is there now is the late fence of somebody who lost a takeover
//   checkpoint()  replace the head with one that names it. After that, and only then, collect() erases what was let go
//   release()     replace the head with one without an owner
//
// No clock and no lease decides anything. Two rules carry it: the epoch is part of a slot's name, so that nobody writes
// into a slot that was collected; and a fence is kept for as long as the home is, so that a paused owner meets it.

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

/// One request to the store. Names are within the home.
struct HomeRequest {
  enum class Kind : std::uint8_t { get, create, replace, erase };
  Kind kind = Kind::get;
  std::string name;
  std::string bytes{};  ///< of create and replace
  std::string tag{};    ///< of replace
};

/// A get is `done` or `unknown`.
struct HomeAnswer {
  WriteOutcome outcome = WriteOutcome::unknown;
  std::optional<std::string> bytes{};  ///< of a get that found the object
  std::string tag{};                   ///< of what is there now
};

/// What the protocol rests on. A test breaks one rule at a time, to see that the simulator tells.
struct ProtocolRules {
  bool keeps_fences = true;
  bool names_epochs = true;           ///< in slots
  bool asks_until_known = true;       ///< `unknown` is no success
  bool looks_when_refused = true;     ///< a refusal may be of an own earlier try
  bool replaces_before_erase = true;  ///< nothing is erased that a head in the store still needs
  bool seeks_from_first_slot = true;  ///< the fence of an epoch
  bool confirms_takeover = true;      ///< by a look at the head behind everything that was read
};

/// Threads: one at a time.
class Ownership {
 public:
  enum class Standing : std::uint8_t {
    outside,   ///< nothing was begun
    taking,    ///< a takeover is under way
    owner,     ///< may commit
    fenced,    ///< somebody else took over. What was being shipped has not happened
    unsure,    ///< whether the last request happened is not known: only another takeover tells
    released,  ///< left in order
    broken,    ///< error() says why
  };

  /// `new_database_id` is what a home gets that is not there yet.
  Ownership(codec::HomeOwner self, std::string new_database_id, ProtocolRules rules = {});

  [[nodiscard]] Standing standing() const noexcept { return standing_; }
  [[nodiscard]] const Error& error() const noexcept { return error_; }

  /// Begin. Precondition: nothing is under way; all below but take_over() are the owner's.
  void take_over();
  /// `record` is the encoding of one for next_place(), and no other like it was ever made.
  void ship(std::string record);
  /// The objects of the checkpoint at `place` are in the store. Precondition: newer than the newest in head().
  void checkpoint(const codec::HomePlace& place);
  /// Erase what the last checkpoints let go.
  void collect();
  void release();

  /// Whether there is a request() to be answered. The same one again after `unknown`, until the store has said which.
  [[nodiscard]] bool is_busy() const noexcept { return step_ != Step::none; }
  [[nodiscard]] const HomeRequest& request() const noexcept { return request_; }
  void answer(const HomeAnswer& answer);
  /// Ask no more: `unsure` from now on, but where only litter was being erased.
  void give_up();

  /// As it is in the store, as far as is known.
  [[nodiscard]] const codec::HomeHead& head() const noexcept { return head_; }
  [[nodiscard]] codec::HomePlace next_place() const noexcept { return {head_.epoch, next_slot_}; }
  /// What the next checkpoint can hold: all that was shipped.
  [[nodiscard]] codec::HomePlace last_place() const noexcept {
    return {head_.epoch, next_slot_ - 1};
  }
  /// Whether a copy that has all commits up to `place` needs those of take_records() only.
  [[nodiscard]] bool can_follow(const codec::HomePlace& place) const noexcept;
  /// The commits behind the newest checkpoint, in their order, as the takeover found them. Once.
  [[nodiscard]] std::vector<codec::CommitRecord> take_records() { return std::move(records_); }
  /// For a driver that erases them by itself, at any time, in place of collect().
  [[nodiscard]] std::vector<std::string> take_let_go() { return std::exchange(let_go_, {}); }
  /// The objects that the last checkpoint let go and that are not erased yet.
  [[nodiscard]] const std::vector<std::string>& let_go() const noexcept { return let_go_; }

 private:
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

  void ask(Step step, HomeRequest request);
  void ask_head(Step step);
  void ask_slot(Step step, const codec::HomePlace& place);
  void end(Standing standing);
  void fail(Error error);

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

  [[nodiscard]] codec::HomeHead first_head() const;
  [[nodiscard]] codec::HomeHead taken(const codec::HomeHead& head) const;
  [[nodiscard]] codec::HomeHead with_checkpoint(const codec::HomePlace& place) const;
  void begin_epoch();
  void end_epoch();
  void add_record(std::string_view bytes);
  void finish_shipping();
  void replace_head(codec::HomeHead next);
  void finish_replacing(const std::string& tag);
  void erase_next();
  [[nodiscard]] std::vector<std::string> objects_before(const codec::HomePlace& place) const;
  [[nodiscard]] std::string slot_name(const codec::HomePlace& place) const;
  /// Of an epoch of the chain.
  [[nodiscard]] std::uint64_t first_slot(std::size_t at) const;

  codec::HomeOwner self_;
  std::string new_database_id_;
  ProtocolRules rules_;
  Standing standing_ = Standing::outside;
  Error error_;
  Step step_ = Step::none;
  HomeRequest request_;
  codec::HomeHead head_;
  std::string tag_;                       // of head_ in the store
  codec::HomeHead next_head_;             // that is being written
  std::size_t chain_at_ = 0;              // the epoch of the chain that is being read
  codec::HomePlace slot_;                 // that is being read
  std::vector<codec::HomePlace> fences_;  // of the chain's epochs before the own
  std::vector<codec::CommitRecord> records_;
  std::uint64_t next_slot_ = 1;
  bool has_other_ = false;  // the slot that refused the record
  std::string written_;     // the record or head that is being written, to know it again
  std::vector<std::string> let_go_;
};

}  // namespace cairn::engine
