// The steps of the ownership protocol (ownership.hpp). Each step sends one request, and its handler knows what each
// answer means.
//
// After the outcome `unknown` the same request is sent again. If the first attempt had arrived, the second one is
// refused, and a read shows who wrote the object. A request that arrives late does no harm for the same reason:
// either its object exists already, or it belongs to an epoch that is closed.
#include "engine/home/ownership.hpp"

#include "codec/byte_io.hpp"
#include "engine/home/home_names.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace cairn::engine {
namespace {

using codec::HomePlace;

/// The head lists this many closed epochs. They help a delayed owner of an old epoch, and add little to the size of
/// the head.
constexpr std::size_t most_closed_epochs = 16;

bool is_unknown(const HomeAnswer& answer) { return answer.outcome == WriteOutcome::unknown; }
bool is_done(const HomeAnswer& answer) { return answer.outcome == WriteOutcome::done; }

/// The error of a slot that holds a record of another place.
Error misplaced(const std::string& name) {
  return codec::corruption("the object " + name +
                           " of the home holds the record of another slot or database");
}

}  // namespace

Ownership::Ownership(codec::HomeOwner self, std::string new_database_id, ProtocolRules rules)
    : self_(std::move(self)), new_database_id_(std::move(new_database_id)), rules_(rules) {
  assert(self_.opening != 0);
}

// Passes the answer to the handler of the current step.
void Ownership::answer(const HomeAnswer& answer) {
  switch (step_) {
    case Step::none:
      return;
    case Step::read_head:
      return on_head(answer);
    case Step::make_head:
    case Step::take_head:
      return on_head_taken(answer);
    case Step::read_slot:
      return on_slot(answer);
    case Step::fence_slot:
      return on_fence(answer);
    case Step::confirm_head:
      return on_confirmed(answer);
    case Step::ship_record:
      return on_shipped(answer);
    case Step::look_at_slot:
      return on_own_slot(answer);
    case Step::look_at_chain:
      return on_chain(answer);
    case Step::replace_head:
      return on_head_replaced(answer);
    case Step::look_at_head:
      return on_own_head(answer);
    case Step::erase_object:
      return on_erased(answer);
  }
}

void Ownership::give_up() {
  const bool is_litter = step_ == Step::erase_object;
  end(is_litter ? standing_ : Standing::unsure);
}

void Ownership::ask(Step step, HomeRequest request) {
  step_ = step;
  request_ = std::move(request);
}

void Ownership::ask_head(Step step) {
  ask(step, {HomeRequest::Kind::get, home_name::head, {}, {}});
}

void Ownership::ask_slot(Step step, const codec::HomePlace& place) {
  ask(step, {HomeRequest::Kind::get, slot_name(place), {}, {}});
}

void Ownership::end(Standing standing) {
  step_ = Step::none;
  standing_ = standing;
}

void Ownership::fail(Error error) {
  error_ = std::move(error);
  end(Standing::broken);
}

// Taking over.

void Ownership::take_over() {
  assert(!is_busy());
  standing_ = Standing::taking;
  fences_.clear();
  records_.clear();
  let_go_.clear();
  ask_head(Step::read_head);
}

// If there is no head, creates one; otherwise replaces the head that was read.
void Ownership::on_head(const HomeAnswer& answer) {
  if (is_unknown(answer)) return;
  if (!answer.bytes) {
    next_head_ = first_head();
    return ask(Step::make_head,
               {HomeRequest::Kind::create, home_name::head, codec::encode(next_head_), {}});
  }
  const auto head = codec::decode_home_head(*answer.bytes);
  if (!head) return fail(head.error());
  if (head->deleted_at != 0)
    return fail({ErrorCode::not_found, "the database of the home was deleted", {}});
  had_owner_ = head->owner.opening != 0;
  next_head_ = taken(*head);
  ask(Step::take_head,
      {HomeRequest::Kind::replace, home_name::head, codec::encode(next_head_), answer.tag});
}

// If `refused`, another node was faster. If `unknown`, the head may have been replaced. The epoch of that head has no
// records then, and is one more epoch to end with a fence.
void Ownership::on_head_taken(const HomeAnswer& answer) {
  if (!is_done(answer)) return ask_head(Step::read_head);
  head_ = next_head_;
  tag_ = answer.tag;
  held_ = slots_between_checkpoints();
  chain_at_ = 0;
  begin_epoch();
}

// The last epoch of the chain is the own one, and has no commits yet.
void Ownership::begin_epoch() {
  if (chain_at_ + 1 == head_.chain.size()) {
    next_slot_ = first_slot(chain_at_);
    // If only the own epoch is in the chain, no slot was read, and there is nothing to confirm.
    if (chain_at_ == 0 || !rules_.confirms_takeover) return end(Standing::owner);
    return ask_head(Step::confirm_head);
  }
  slot_ = {head_.chain[chain_at_].epoch, first_slot(chain_at_)};
  if (!rules_.seeks_from_first_slot) ++slot_.slot;
  ask_slot(Step::read_slot, slot_);
}

// An absent slot is the end of the epoch: a fence is created in it.
void Ownership::on_slot(const HomeAnswer& answer) {
  if (is_unknown(answer)) return;
  if (answer.bytes) return add_record(*answer.bytes);
  codec::CommitRecord fence;
  fence.kind = codec::RecordKind::fence;
  fence.database_id = head_.database_id;
  fence.epoch = slot_.epoch;
  fence.slot = slot_.slot;
  fence.opening = self_.opening;
  ask(Step::fence_slot, {HomeRequest::Kind::create, slot_name(slot_), codec::encode(fence), {}});
}

// If `refused`, the old owner was faster with a commit, or another node with a fence. Reading the slot shows which,
// and it also resolves `unknown`.
void Ownership::on_fence(const HomeAnswer& answer) {
  if (!is_done(answer)) return ask_slot(Step::read_slot, slot_);
  end_epoch();
}

// Only a later owner erases slots of this chain, and only after it has replaced the head. If the head is unchanged,
// all slots were read as they had been written. So no absent slot had held a commit, and no late fence had taken the
// place of one.
void Ownership::on_confirmed(const HomeAnswer& answer) {
  if (is_unknown(answer)) return;
  const bool is_ours = answer.bytes && *answer.bytes == codec::encode(head_);
  if (!is_ours) note_other_head(answer.bytes);
  end(is_ours ? Standing::owner : Standing::fenced);
}

void Ownership::add_record(std::string_view bytes) {
  auto record = codec::decode_commit_record(bytes);
  if (!record)
    return fail({record.error().code, record.error().message + ": " + slot_name(slot_), {}});
  const bool is_here = record->epoch == slot_.epoch && record->slot == slot_.slot;
  if (record->database_id != head_.database_id || (rules_.names_epochs && !is_here))
    return fail(misplaced(slot_name(slot_)));
  if (record->kind == codec::RecordKind::fence) return end_epoch();
  records_.push_back(*std::move(record));
  ++slot_.slot;
  ask_slot(Step::read_slot, slot_);
}

// The fence is at `slot_`. Goes on with the next epoch of the chain.
void Ownership::end_epoch() {
  fences_.push_back(slot_);
  ++chain_at_;
  begin_epoch();
}

// In the epoch of `place`, the first slot that the newest checkpoint lacks must not be later than the slot that
// follows `place`.
bool Ownership::can_follow(const codec::HomePlace& place) const noexcept {
  const auto entry = std::ranges::find(head_.chain, place.epoch, &codec::HomePlace::epoch);
  return entry != head_.chain.end() && entry->slot <= place.slot + 1;
}

// No copy can have commits of the own epoch, which is new, or of a later one, unless the home has lost its newest head.
bool Ownership::is_behind(const codec::HomePlace& place) const noexcept {
  if (place.epoch >= head_.epoch) return true;
  return std::ranges::any_of(fences_, [&](const HomePlace& fence) {
    return fence.epoch == place.epoch && fence.slot <= place.slot;
  });
}

void Ownership::note_other_head(const std::optional<std::string>& head) {
  other_head_.reset();
  if (!head) return;
  if (auto other = codec::decode_home_head(*head)) other_head_ = *std::move(other);
}

// Committing.

void Ownership::ship(std::string record) {
  assert(!is_busy() && standing_ == Standing::owner);
  written_ = std::move(record);
  ask(Step::ship_record, {HomeRequest::Kind::create, slot_name(next_place()), written_, {}});
}

// If `refused`, an earlier attempt may have created the slot, so it is read.
void Ownership::on_shipped(const HomeAnswer& answer) {
  if (is_done(answer) || (is_unknown(answer) && !rules_.asks_until_known)) return finish_shipping();
  if (is_unknown(answer)) return;
  if (!rules_.looks_when_refused) return end(Standing::fenced);
  ask_slot(Step::look_at_slot, next_place());
}

// The slot is absent or holds another object. That object proves nothing alone: if the slot was erased after this
// commit, the late fence of a slow node may have been created in it. The head decides.
void Ownership::on_own_slot(const HomeAnswer& answer) {
  if (is_unknown(answer)) return;
  if (answer.bytes && *answer.bytes == written_) return finish_shipping();
  has_other_ = answer.bytes.has_value();
  ask_head(Step::look_at_chain);
}

// A slot that the head still needs was never erased. So the object in it came first, and the commit was refused. In a
// closed epoch, all slots up to its last one are commits of its owner.
void Ownership::on_chain(const HomeAnswer& answer) {
  if (is_unknown(answer)) return;
  note_other_head(answer.bytes);
  const HomePlace place = next_place();
  const auto head = answer.bytes ? codec::decode_home_head(*answer.bytes)
                                 : Result<codec::HomeHead>(codec::corruption("the head is gone"));
  if (!head) return end(Standing::unsure);
  // A deletion ends the epochs before it erases anything, so the object is a fence.
  if (head->deleted_at != 0) return end(has_other_ ? Standing::fenced : Standing::unsure);
  const auto open = std::ranges::find(head->chain, place.epoch, &HomePlace::epoch);
  if (open != head->chain.end())
    return end(open->slot <= place.slot && has_other_ ? Standing::fenced : Standing::unsure);
  const auto closed = std::ranges::find(head->closed, place.epoch, &HomePlace::epoch);
  if (closed == head->closed.end()) return end(Standing::unsure);
  if (closed->slot < place.slot) return end(Standing::fenced);
  finish_shipping();
}

// The commit is in its slot.
void Ownership::finish_shipping() {
  ++next_slot_;
  written_.clear();
  end(Standing::owner);
}

// Checkpoints, and erasing the objects that they make obsolete.

void Ownership::checkpoint(const codec::HomePlace& place, std::vector<codec::HomePlace> kept) {
  assert(!is_busy() && standing_ == Standing::owner);
  assert(head_.checkpoints.empty() || head_.checkpoints.back() < place);
  assert(std::ranges::includes(head_.checkpoints, kept));
  next_head_ = with_checkpoint(place, std::move(kept));
  if (rules_.replaces_before_erase) return replace_head(std::move(next_head_));
  // The rule is switched off for a test: erase the obsolete objects while the store still has the old head.
  let_go_for(next_head_);
  if (let_go_.empty()) return replace_head(std::move(next_head_));
  erase_next();
}

void Ownership::release() {
  assert(!is_busy() && standing_ == Standing::owner);
  codec::HomeHead next = head_;
  ++next.revision;
  next.owner = {};
  replace_head(std::move(next));
}

void Ownership::replace_head(codec::HomeHead next) {
  next_head_ = std::move(next);
  written_ = codec::encode(next_head_);
  ask(Step::replace_head, {HomeRequest::Kind::replace, home_name::head, written_, tag_});
}

// If `refused`, an earlier attempt may have replaced the head, so it is read.
void Ownership::on_head_replaced(const HomeAnswer& answer) {
  if (is_unknown(answer)) return;
  if (is_done(answer)) return finish_replacing(answer.tag);
  ask_head(Step::look_at_head);
}

// No two heads are equal. If the head in the store is the new one, an earlier attempt arrived.
void Ownership::on_own_head(const HomeAnswer& answer) {
  if (is_unknown(answer)) return;
  if (!answer.bytes || *answer.bytes != written_) {
    note_other_head(answer.bytes);
    return end(Standing::fenced);
  }
  finish_replacing(answer.tag);
}

// Takes the new head as the current one. A new checkpoint makes objects of the old head obsolete.
void Ownership::finish_replacing(const std::string& tag) {
  const bool is_released = next_head_.owner.opening == 0;
  if (!is_released && rules_.replaces_before_erase) let_go_for(next_head_);
  if (!is_released) fences_.clear();
  head_ = std::move(next_head_);
  tag_ = tag;
  end(is_released ? Standing::released : Standing::owner);
}

void Ownership::collect() {
  assert(!is_busy() && standing_ == Standing::owner);
  if (!let_go_.empty()) erase_next();
}

// Erases the last of the obsolete objects.
void Ownership::erase_next() {
  ask(Step::erase_object, {HomeRequest::Kind::erase, let_go_.back(), {}, {}});
}

void Ownership::on_erased(const HomeAnswer& answer) {
  if (is_unknown(answer)) return;
  let_go_.pop_back();
  if (!let_go_.empty()) return erase_next();
  if (!rules_.replaces_before_erase) return replace_head(std::move(next_head_));
  end(Standing::owner);
}

std::vector<codec::HomePlace> Ownership::slots_up_to(const codec::HomePlace& place) const {
  std::vector<HomePlace> slots;
  for (std::size_t i = 0; i < head_.chain.size(); ++i) {
    const std::uint64_t epoch = head_.chain[i].epoch;
    const bool is_own = epoch == place.epoch;
    std::uint64_t end = is_own ? place.slot + 1 : fences_[i].slot;
    if (!is_own && !rules_.keeps_fences) ++end;
    for (std::uint64_t slot = first_slot(i); slot < end; ++slot) slots.push_back({epoch, slot});
  }
  return slots;
}

// The epochs before the one of the newest checkpoint were closed by that checkpoint or an older one.
std::vector<codec::HomePlace> Ownership::slots_between_checkpoints() const {
  if (head_.checkpoints.empty()) return {};
  const HomePlace& oldest = head_.checkpoints.front();
  const HomePlace& newest = head_.checkpoints.back();
  std::vector<HomePlace> slots;
  const auto add = [&](const HomePlace& last) {
    std::uint64_t slot = last.epoch == oldest.epoch ? oldest.slot + 1 : 1;
    for (; slot <= last.slot; ++slot) slots.push_back({last.epoch, slot});
  };
  for (const HomePlace& last : head_.closed)
    if (last.epoch >= oldest.epoch) add(last);
  add(newest);
  return slots;
}

// Lists the older checkpoints that `next` does not refer to, and the slots up to the oldest one that it does refer to.
void Ownership::let_go_for(const codec::HomeHead& next) {
  std::vector<std::string> names;
  for (const HomePlace& earlier : head_.checkpoints)
    if (!std::ranges::binary_search(next.checkpoints, earlier))
      names.push_back(home_name::checkpoint(earlier));
  const auto superseded = slots_up_to(next.checkpoints.back());
  held_.insert(held_.end(), superseded.begin(), superseded.end());
  const auto end = std::ranges::upper_bound(held_, next.checkpoints.front());
  for (auto slot = held_.begin(); slot != end; ++slot) names.push_back(slot_name(*slot));
  held_.erase(held_.begin(), end);
  // The oldest come last, because objects are erased from the end.
  let_go_.insert(let_go_.end(), names.rbegin(), names.rend());
}

// Heads.

// The head of a new home: epoch 1, which begins at slot 1.
codec::HomeHead Ownership::first_head() const {
  codec::HomeHead head;
  head.database_id = new_database_id_;
  head.revision = 1;
  head.epoch = 1;
  head.owner = self_;
  head.chain = {{1, 1}};
  return head;
}

// A takeover: the next epoch, with this node as its owner.
codec::HomeHead Ownership::taken(const codec::HomeHead& head) const {
  codec::HomeHead next = head;
  ++next.revision;
  ++next.epoch;
  next.owner = self_;
  next.chain.push_back({next.epoch, 1});
  return next;
}

// A new checkpoint: only the own epoch still has commits that the checkpoint lacks.
codec::HomeHead Ownership::with_checkpoint(const codec::HomePlace& place,
                                           std::vector<codec::HomePlace> kept) const {
  codec::HomeHead next = head_;
  ++next.revision;
  next.checkpoints = std::move(kept);
  next.checkpoints.push_back(place);
  next.chain = {{head_.epoch, place.slot + 1}};
  for (const codec::HomePlace& fence : fences_)
    next.closed.push_back({fence.epoch, fence.slot - 1});
  if (next.closed.size() > most_closed_epochs)
    next.closed.erase(next.closed.begin(), next.closed.end() - most_closed_epochs);
  return next;
}

std::string Ownership::slot_name(const codec::HomePlace& place) const {
  return home_name::slot(rules_.names_epochs ? place.epoch : 0, place.slot);
}

// If a test switches off epochs in names, all epochs share one row of slots, and an epoch begins after the fence of
// the previous epoch.
std::uint64_t Ownership::first_slot(std::size_t at) const {
  const std::uint64_t first = head_.chain[at].slot;
  if (rules_.names_epochs || at == 0) return first;
  return std::max(first, fences_[at - 1].slot + 1);
}

}  // namespace cairn::engine
