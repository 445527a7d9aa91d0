#include "engine/home/ownership.hpp"

#include "codec/meta.hpp"
#include "engine/home/home_names.hpp"
#include "tests/engine/home/simulated_store.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

using namespace cairn;
using namespace cairn::engine;
using codec::HomePlace;
using test::SimulatedStore;
using Standing = Ownership::Standing;

namespace {

const std::string database = codec::database_id(7, 8);

Ownership machine(std::uint64_t opening) { return {{"node", "", opening}, database}; }

void run(Ownership& machine, SimulatedStore& store) {
  while (machine.is_busy()) machine.answer(store.answer(machine.request()));
}

Ownership owner_of(SimulatedStore& store, std::uint64_t opening) {
  Ownership owner = machine(opening);
  owner.take_over();
  run(owner, store);
  BOOST_REQUIRE((owner.standing() == Standing::owner));
  return owner;
}

std::string record_for(const HomePlace& place, std::uint64_t nonce) {
  codec::CommitRecord record;
  record.database_id = database;
  record.epoch = place.epoch;
  record.slot = place.slot;
  record.nonce = nonce;
  record.commit = nonce;
  return codec::encode(record);
}

void ship(Ownership& owner, SimulatedStore& store, std::uint64_t nonce) {
  owner.ship(record_for(owner.next_place(), nonce));
  run(owner, store);
}

bool has(SimulatedStore& store, const std::string& name) {
  return store.answer({HomeRequest::Kind::get, name, {}, {}}).bytes.has_value();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ownership)

BOOST_AUTO_TEST_CASE(a_home_that_is_not_there_is_made_by_its_first_owner) {
  SimulatedStore store;
  const Ownership owner = owner_of(store, 1);
  BOOST_TEST(owner.head().database_id == database);
  BOOST_TEST(owner.head().epoch == 1U);
  BOOST_TEST((owner.next_place() == HomePlace{1, 1}));
}

BOOST_AUTO_TEST_CASE(a_commit_is_one_request) {
  SimulatedStore store;
  Ownership owner = owner_of(store, 1);
  owner.ship(record_for(owner.next_place(), 5));
  BOOST_TEST((owner.request().kind == HomeRequest::Kind::create));
  owner.answer(store.answer(owner.request()));
  BOOST_TEST(!owner.is_busy());
  BOOST_TEST((owner.last_place() == HomePlace{1, 1}));
}

BOOST_AUTO_TEST_CASE(the_next_owner_finds_what_was_shipped_and_fences_the_old_one) {
  SimulatedStore store;
  Ownership first = owner_of(store, 1);
  ship(first, store, 11);
  ship(first, store, 12);
  Ownership second = owner_of(store, 2);
  const auto records = second.take_records();
  BOOST_REQUIRE(records.size() == 2U);
  BOOST_TEST(records[0].nonce == 11U);
  BOOST_TEST(records[1].nonce == 12U);
  ship(first, store, 13);
  BOOST_TEST((first.standing() == Standing::fenced));
}

BOOST_AUTO_TEST_CASE(an_opening_takes_six_requests_and_one_for_each_record) {
  SimulatedStore store;
  Ownership first = owner_of(store, 1);
  for (std::uint64_t i = 1; i <= 10; ++i) ship(first, store, i);
  Ownership second = machine(2);
  second.take_over();
  std::size_t requests = 0;
  for (; second.is_busy(); ++requests) second.answer(store.answer(second.request()));
  // The head three times, the records, the absent slot and its fence; the checkpoint is the sixth.
  BOOST_TEST(requests == 5U + 10U);
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_lost_is_asked_for_again_and_the_record_known_as_the_own) {
  SimulatedStore store;
  Ownership owner = owner_of(store, 1);
  owner.ship(record_for(owner.next_place(), 5));
  (void)store.answer(owner.request());
  owner.answer({});
  BOOST_TEST(owner.is_busy());
  run(owner, store);
  BOOST_TEST((owner.standing() == Standing::owner));
  BOOST_TEST((owner.last_place() == HomePlace{1, 1}));
}

BOOST_AUTO_TEST_CASE(who_gives_up_a_commit_does_not_know_whether_it_happened) {
  SimulatedStore store;
  Ownership owner = owner_of(store, 1);
  owner.ship(record_for(owner.next_place(), 5));
  owner.answer({});
  owner.give_up();
  BOOST_TEST(!owner.is_busy());
  BOOST_TEST((owner.standing() == Standing::unsure));
}

BOOST_AUTO_TEST_CASE(a_checkpoint_shortens_the_chain_and_lets_slots_go_but_no_fence) {
  SimulatedStore store;
  Ownership first = owner_of(store, 1);
  ship(first, store, 11);
  Ownership second = owner_of(store, 2);
  ship(second, store, 12);
  second.checkpoint(second.last_place());
  run(second, store);
  BOOST_TEST((second.head().chain == std::vector<HomePlace>{{2, 2}}));
  BOOST_TEST((second.head().closed == std::vector<HomePlace>{{1, 1}}));
  second.collect();
  run(second, store);
  BOOST_TEST(!has(store, home_name::slot(1, 1)));
  BOOST_TEST(has(store, home_name::slot(1, 2)));  // the fence
  BOOST_TEST(!has(store, home_name::slot(2, 1)));
  ship(second, store, 13);
  Ownership third = owner_of(store, 3);
  const auto records = third.take_records();
  BOOST_REQUIRE(records.size() == 1U);
  BOOST_TEST(records[0].nonce == 13U);
  BOOST_TEST(third.can_follow({2, 1}));
  BOOST_TEST(third.can_follow({2, 2}));
  BOOST_TEST(!third.can_follow({1, 1}));
}

// Also by the next owner, which did not make them.
BOOST_AUTO_TEST_CASE(a_checkpoint_that_is_kept_keeps_the_slots_behind_it) {
  SimulatedStore store;
  Ownership first = owner_of(store, 1);
  const auto checkpoint = [&](Ownership& owner, std::vector<HomePlace> kept) {
    owner.checkpoint(owner.last_place(), std::move(kept));
    run(owner, store);
    owner.collect();
    run(owner, store);
  };
  ship(first, store, 11);
  checkpoint(first, {});
  ship(first, store, 12);
  Ownership second = owner_of(store, 2);
  ship(second, store, 13);
  checkpoint(second, {{1, 1}});
  BOOST_TEST((second.head().checkpoints == std::vector<HomePlace>{{1, 1}, {2, 1}}));
  BOOST_TEST(!has(store, home_name::slot(1, 1)));
  BOOST_TEST(has(store, home_name::slot(1, 2)));
  BOOST_TEST(has(store, home_name::slot(2, 1)));
  Ownership third = owner_of(store, 3);
  ship(third, store, 14);
  checkpoint(third, {{2, 1}});
  BOOST_TEST(!has(store, home_name::slot(1, 2)));
  BOOST_TEST(has(store, home_name::slot(1, 3)));  // the fence
  BOOST_TEST(!has(store, home_name::slot(2, 1)));
  BOOST_TEST(has(store, home_name::slot(3, 1)));
  ship(third, store, 15);
  checkpoint(third, {});
  BOOST_TEST(!has(store, home_name::slot(3, 1)));
}

BOOST_AUTO_TEST_CASE(the_owner_before_can_make_no_checkpoint) {
  SimulatedStore store;
  Ownership first = owner_of(store, 1);
  ship(first, store, 11);
  const Ownership second = owner_of(store, 2);
  first.checkpoint(first.last_place());
  run(first, store);
  BOOST_TEST((first.standing() == Standing::fenced));
  BOOST_TEST(first.let_go().empty());
}

// The answer to the commit was lost. The next owner has the commit in a checkpoint and has erased the slot. A node that
// lost the takeover wrote its fence into the slot afterwards.
BOOST_AUTO_TEST_CASE(a_commit_whose_slot_was_collected_and_fenced_late_has_happened) {
  SimulatedStore store;
  Ownership first = owner_of(store, 1);
  Ownership slow = machine(2);
  slow.take_over();
  while (slow.request().kind != HomeRequest::Kind::create)
    slow.answer(store.answer(slow.request()));
  const HomeRequest late_fence = slow.request();
  first.ship(record_for(first.next_place(), 11));
  (void)store.answer(first.request());
  first.answer({});
  Ownership next = owner_of(store, 3);
  next.checkpoint(next.last_place());
  run(next, store);
  next.collect();
  run(next, store);
  BOOST_TEST((store.answer(late_fence).outcome == WriteOutcome::done));
  run(first, store);
  BOOST_TEST((first.standing() == Standing::owner));
  BOOST_TEST((first.last_place() == HomePlace{1, 1}));
  ship(first, store, 12);
  BOOST_TEST((first.standing() == Standing::fenced));
}

// It reads slots that a later owner has collected, and takes the first absent one for the end of the epoch.
BOOST_AUTO_TEST_CASE(who_lost_a_takeover_while_it_read_owns_nothing) {
  SimulatedStore store;
  Ownership first = owner_of(store, 1);
  ship(first, store, 11);
  Ownership slow = machine(2);
  slow.take_over();
  while (slow.request().name == home_name::head) slow.answer(store.answer(slow.request()));
  Ownership next = owner_of(store, 3);
  ship(next, store, 12);
  next.checkpoint(next.last_place());
  run(next, store);
  next.collect();
  run(next, store);
  run(slow, store);
  BOOST_TEST((slow.standing() == Standing::fenced));
  ship(next, store, 13);
  BOOST_TEST((next.standing() == Standing::owner));
}

BOOST_AUTO_TEST_CASE(a_commit_behind_the_end_of_its_epoch_has_not_happened) {
  SimulatedStore store;
  Ownership first = owner_of(store, 1);
  ship(first, store, 11);
  Ownership next = owner_of(store, 2);
  next.checkpoint(next.last_place());
  run(next, store);
  next.collect();
  run(next, store);
  ship(first, store, 12);
  BOOST_TEST((first.standing() == Standing::fenced));
}

BOOST_AUTO_TEST_CASE(a_released_home_names_nobody) {
  SimulatedStore store;
  Ownership owner = owner_of(store, 1);
  owner.release();
  run(owner, store);
  BOOST_TEST((owner.standing() == Standing::released));
  BOOST_TEST(owner.head().owner.opening == 0U);
}

BOOST_AUTO_TEST_CASE(a_damaged_head_ends_the_takeover_with_an_error) {
  SimulatedStore store;
  (void)store.answer({HomeRequest::Kind::create, home_name::head, "edited", {}});
  Ownership owner = machine(1);
  owner.take_over();
  run(owner, store);
  BOOST_TEST((owner.standing() == Standing::broken));
  BOOST_TEST((owner.error().code == ErrorCode::corruption));
}

BOOST_AUTO_TEST_CASE(the_record_of_another_database_is_named) {
  SimulatedStore store;
  const Ownership first = owner_of(store, 1);
  codec::CommitRecord foreign;
  foreign.database_id = codec::database_id(1, 1);
  foreign.epoch = 1;
  foreign.slot = 1;
  const auto name = home_name::slot(1, 1);
  (void)store.answer({HomeRequest::Kind::create, name, codec::encode(foreign), {}});
  Ownership second = machine(2);
  second.take_over();
  run(second, store);
  BOOST_TEST((second.standing() == Standing::broken));
  BOOST_TEST(second.error().message.find(name) != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
