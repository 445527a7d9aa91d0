#include "tests/engine/home/simulation.hpp"

#include "codec/byte_io.hpp"
#include "codec/meta.hpp"
#include "engine/home/home_names.hpp"
#include "engine/home/litter.hpp"
#include "tests/engine/home/simulated_store.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace cairn::test {
namespace {

using namespace cairn::engine;
using codec::HomePlace;
using Kind = HomeRequest::Kind;
using Number = std::uint64_t;  // of a commit: what a client wrote

/// The answer to a client about its commit, and the commits that were acknowledged before it began.
struct Told {
  std::optional<Number> after;  // the newest acknowledged one
  bool is_acknowledged = false;
};

/// A copy of the database: which commits it has, and up to where.
struct Copy {
  HomePlace place;
  std::vector<Number> numbers;
};

std::string encode_copy(const Copy& copy) {
  std::string bytes;
  codec::append_little(bytes, copy.place.epoch);
  codec::append_little(bytes, copy.place.slot);
  for (const Number number : copy.numbers) codec::append_little(bytes, number);
  return bytes;
}

Copy decode_copy(std::string_view bytes) {
  codec::ByteCursor cursor(bytes);
  Copy copy;
  copy.place.epoch = cursor.read_little<std::uint64_t>();
  copy.place.slot = cursor.read_little<std::uint64_t>();
  while (!cursor.rest().empty()) copy.numbers.push_back(cursor.read_little<Number>());
  return copy;
}

std::string changes_of(Number number) {
  std::string key;
  codec::append_little(key, number);
  std::string changes;
  codec::append_change(changes, {codec::ChangeOperation::put, 1, key, ""});
  return changes;
}

Number number_of(const codec::CommitRecord& record) {
  codec::ChangeReader reader(record.changes);
  codec::RecordChange change;
  if (!reader.next(change)) return 0;
  return codec::ByteCursor(change.key).read_little<Number>();
}

/// What all nodes share.
struct World {
  explicit World(std::uint64_t seed, const SimulatedRules& broken) : random(seed), rules(broken) {}

  Random random;
  SimulatedRules rules;
  SimulatedStore store;
  std::map<Number, Told> told;
  std::vector<Number> acknowledged;  // in their order
  std::deque<Number> again;          // to be sent again, as they did not happen
  Number last_number = 0;
  std::uint64_t last_opening = 0;
  std::vector<std::vector<Number>> served;  // what owners had when they began
  SimulatedRun run;

  void violate(std::string what) {
    if (run.violation.empty()) run.violation = std::move(what);
  }

  Number next_number() {
    if (!again.empty()) {
      const Number number = again.front();
      again.pop_front();
      return number;
    }
    Told& begun = told[++last_number];
    if (!acknowledged.empty()) begun.after = acknowledged.back();
    return last_number;
  }
};

/// The driver of a machine, as a process would be: its copy outlives it.
class Node {
 public:
  /// With `falls_back` it always begins with the oldest checkpoint.
  explicit Node(World& world, bool falls_back = false) : world_(&world), falls_back_(falls_back) {}

  [[nodiscard]] bool is_running() const noexcept { return machine_.has_value(); }
  [[nodiscard]] const std::optional<Copy>& copy() const noexcept { return copy_; }
  [[nodiscard]] const HomeRequest& request() const {
    return own_request_ ? *own_request_ : machine_->request();
  }

  void start() {
    ++world_->run.takeovers;
    machine_.emplace(codec::HomeOwner{"node", "", ++world_->last_opening}, codec::database_id(1, 2),
                     world_->rules.protocol);
    act_ = Act::takes;
    machine_->take_over();
  }

  void kill(bool loses_copy) {
    close();
    if (loses_copy) copy_.reset();
  }

  /// As one whose caller has no more time.
  void give_up() {
    if (own_request_) return close();
    machine_->give_up();
    finish();
  }

  void answer(const HomeAnswer& answer) {
    if (own_request_) {
      if (answer.outcome == WriteOutcome::unknown) return;
      const auto request = std::move(*own_request_);
      own_request_.reset();
      if (request.kind == Kind::get && walk_) return walk_on(answer);
      if (request.kind == Kind::get) return act_ == Act::sweeps ? list() : load(answer);
      if (request.kind == Kind::erase) return sweep_on();
      // Refused: an earlier try.
      return machine_->checkpoint(checkpoint_, kept());
    }
    machine_->answer(answer);
    if (!machine_->is_busy()) finish();
  }

  /// Nothing but taking over, for the end.
  [[nodiscard]] bool has_taken() const noexcept { return act_ != Act::takes; }

 private:
  enum class Act : std::uint8_t { takes, ships, checkpoints, collects, sweeps, releases };

  void close() {
    machine_.reset();
    own_request_.reset();
    walk_.reset();
  }

  /// Any of the checkpoints that are there.
  [[nodiscard]] std::vector<HomePlace> kept() const {
    std::vector<HomePlace> kept;
    for (const HomePlace& place : machine_->head().checkpoints)
      if (world_->random.chance(50)) kept.push_back(place);
    return kept;
  }

  void finish() {
    switch (machine_->standing()) {
      case Ownership::Standing::owner:
        break;
      case Ownership::Standing::fenced:
        ++world_->run.fenced;
        return leave(true);
      case Ownership::Standing::unsure:
        ++world_->run.unsure;
        return leave(false);
      case Ownership::Standing::broken:
        world_->violate(machine_->error().message);
        return close();
      default:
        return close();
    }
    if (act_ == Act::takes) return attach();
    if (act_ == Act::ships) acknowledge();
    if (act_ == Act::checkpoints) {
      since_checkpoint_ = 0;
      if (world_->random.chance(20)) return begin_sweep();
    }
    begin();
  }

  /// What was being shipped has not happened, so that it is sent to the next owner; or nobody knows.
  void leave(bool has_not_happened) {
    if (act_ == Act::ships && has_not_happened) world_->again.push_back(number_);
    close();
  }

  void attach() {
    records_ = machine_->take_records();
    const auto& checkpoints = machine_->head().checkpoints;
    if (copy_ && machine_->can_follow(copy_->place)) {
      ++world_->run.followed;
      return replay();
    }
    copy_.reset();
    if (!checkpoints.empty()) {
      // Now and then as if all but the oldest were damaged.
      const bool is_damaged = checkpoints.size() > 1 && (falls_back_ || world_->random.chance(30));
      const HomePlace& place = is_damaged ? checkpoints.front() : checkpoints.back();
      own_request_ = HomeRequest{Kind::get, home_name::checkpoint(place), {}, {}};
      return;
    }
    copy_.emplace();
    replay();
  }

  void load(const HomeAnswer& answer) {
    // Collected meanwhile by a newer owner.
    if (!answer.bytes) return close();
    copy_ = decode_copy(*answer.bytes);
    walk_.emplace(copy_->place, machine_->head().checkpoints.back());
    if (!walk_->has_ended()) ++world_->run.fallen_back;
    walk();
  }

  /// Reads what lies between an older checkpoint and the newest one.
  void walk() {
    if (walk_->has_ended()) {
      walk_.reset();
      return replay();
    }
    const HomePlace& slot = walk_->slot();
    own_request_ = HomeRequest{Kind::get, home_name::slot(slot.epoch, slot.slot), {}, {}};
  }

  void walk_on(const HomeAnswer& answer) {
    // Collected meanwhile by a newer owner.
    if (!answer.bytes) {
      if (falls_back_) world_->violate("the log behind a checkpoint has a gap");
      return close();
    }
    const auto record = codec::decode_commit_record(*answer.bytes);
    if (record->kind == codec::RecordKind::commit) apply(walk_->slot(), number_of(*record));
    walk_->pass(record->kind);
    walk();
  }

  void replay() {
    for (const codec::CommitRecord& record : records_) {
      const HomePlace place{record.epoch, record.slot};
      if (copy_->place < place) apply(place, number_of(record));
    }
    records_.clear();
    since_checkpoint_ = 0;
    world_->served.push_back(copy_->numbers);
    begin();
  }

  void apply(const HomePlace& place, Number number) {
    copy_->numbers.push_back(number);
    copy_->place = place;
  }

  void begin() {
    Random& random = world_->random;
    const std::size_t due = 2 + random.below(4);
    if (since_checkpoint_ >= due) return begin_checkpoint();
    if (!machine_->let_go().empty() && random.chance(60)) {
      act_ = Act::collects;
      world_->run.erased += machine_->let_go().size();
      return machine_->collect();
    }
    if (random.chance(2)) {
      act_ = Act::releases;
      return machine_->release();
    }
    ship();
  }

  /// Time passes before the list, and between the erasures.
  void begin_sweep() {
    act_ = Act::sweeps;
    own_request_ = HomeRequest{Kind::get, "", {}, {}};
  }

  void list() {
    litter_ = litter_of(machine_->head(), world_->store.names(), {}, world_->rules.protocol);
    world_->run.swept += litter_.size();
    sweep_on();
  }

  void sweep_on() {
    if (litter_.empty()) return begin();
    own_request_ = HomeRequest{Kind::erase, litter_.back(), {}, {}};
    litter_.pop_back();
  }

  void begin_checkpoint() {
    act_ = Act::checkpoints;
    ++world_->run.checkpoints;
    checkpoint_ = machine_->last_place();
    own_request_ = HomeRequest{Kind::create,
                               home_name::checkpoint(checkpoint_),
                               encode_copy({checkpoint_, copy_->numbers}),
                               {}};
  }

  void ship() {
    act_ = Act::ships;
    number_ = world_->next_number();
    const HomePlace place = machine_->next_place();
    codec::CommitRecord record;
    record.database_id = codec::database_id(1, 2);
    record.epoch = place.epoch;
    record.slot = place.slot;
    record.nonce = world_->random.next();
    record.commit = number_;
    record.changes = changes_of(number_);
    if (!world_->rules.applies_after_shipping) apply(place, number_);
    machine_->ship(codec::encode(record));
  }

  void acknowledge() {
    if (world_->rules.applies_after_shipping) apply(machine_->last_place(), number_);
    world_->told[number_].is_acknowledged = true;
    world_->acknowledged.push_back(number_);
    ++since_checkpoint_;
  }

  World* world_;
  bool falls_back_;
  std::optional<LogWalk> walk_;  // while it reads what lies behind an older checkpoint
  std::optional<Copy> copy_;
  std::optional<Ownership> machine_;
  std::vector<std::string> litter_;         // to be erased by a sweep
  std::optional<HomeRequest> own_request_;  // of the driver and not of the machine
  Act act_ = Act::takes;
  std::vector<codec::CommitRecord> records_;
  HomePlace checkpoint_;
  std::size_t since_checkpoint_ = 0;
  Number number_ = 0;
};

class Schedule {
 public:
  explicit Schedule(World& world) : world_(world), nodes_(2 + world.random.below(6), Node(world)) {
    paused_until_.resize(nodes_.size());
  }

  void run() {
    // Quiet schedules and restless ones: each kind of fault has its own.
    const std::size_t pauses = 1 + world_.random.below(8);
    const std::size_t steps = 80 + world_.random.below(320);
    nodes_.front().start();
    for (std::size_t step = 0; step < steps && world_.run.violation.empty(); ++step) {
      if (!late_.empty() && world_.random.chance(6)) happen_late();
      const std::size_t at = world_.random.below(nodes_.size());
      if (paused_until_[at] > step) continue;
      if (world_.random.chance(pauses))
        paused_until_[at] = step + 10 + world_.random.below(240);
      else
        move(nodes_[at]);
    }
    while (!late_.empty()) happen_late();
  }

  /// Of a node that has nothing, when all others are gone.
  std::vector<Number> final_numbers(bool falls_back) {
    Node last(world_, falls_back);
    last.start();
    while (last.is_running() && !last.has_taken()) last.answer(world_.store.answer(last.request()));
    if (!last.copy()) world_.violate("the last node found no database");
    return last.copy() ? last.copy()->numbers : std::vector<Number>();
  }

  [[nodiscard]] const std::vector<Node>& nodes() const noexcept { return nodes_; }

 private:
  void move(Node& node) {
    Random& random = world_.random;
    if (!node.is_running()) {
      if (random.chance(4)) node.start();
      return;
    }
    if (random.permille(6)) {
      if (random.chance(50)) late_.push_back(node.request());
      return node.kill(random.chance(30));
    }
    if (random.permille(4)) return node.give_up();
    // A request is lost, delayed, answered, or its answer is lost. Some requests arrive twice.
    const std::size_t fate = random.below(100);
    if (fate < 3) return node.answer({});
    const HomeRequest request = node.request();
    if (fate < 7) {
      late_.push_back(request);
      return node.answer({});
    }
    const HomeAnswer answer = world_.store.answer(request);
    if (fate < 12) late_.push_back(request);
    node.answer(fate > 96 ? HomeAnswer{} : answer);
  }

  void happen_late() {
    const std::size_t at = world_.random.below(late_.size());
    (void)world_.store.answer(late_[at]);
    late_.erase(late_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  World& world_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> paused_until_;
  std::vector<HomeRequest> late_;
};

void check(World& world, const std::vector<Number>& numbers) {
  std::map<Number, std::size_t> position;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!position.emplace(numbers[i], i).second)
      world.violate("commit " + std::to_string(numbers[i]) + " is there twice");
  for (const Number number : world.acknowledged)
    if (!position.contains(number))
      world.violate("acknowledged commit " + std::to_string(number) + " is lost");
  // A commit comes behind all that were acknowledged before it began: behind the last of these in the history.
  std::map<Number, std::size_t> last_before;  // by the number acknowledged last
  std::size_t last = 0;
  for (const Number number : world.acknowledged) {
    const auto at = position.find(number);
    if (at != position.end()) last = std::max(last, at->second);
    last_before.emplace(number, last);
  }
  for (const auto& [number, at] : position) {
    const auto& after = world.told[number].after;
    if (after && last_before[*after] > at)
      world.violate("commit " + std::to_string(number) + " is before one that it follows");
  }
  for (const Number number : world.again)
    if (position.contains(number))
      world.violate("commit " + std::to_string(number) + " was said not to have happened");
}

bool is_beginning(const std::vector<Number>& part, const std::vector<Number>& whole) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

}  // namespace

SimulatedRun simulate(std::uint64_t seed, const SimulatedRules& rules) {
  World world(seed, rules);
  Schedule schedule(world);
  schedule.run();
  if (world.run.violation.empty()) {
    const auto numbers = schedule.final_numbers(false);
    check(world, numbers);
    if (schedule.final_numbers(true) != numbers)
      world.violate("an older checkpoint leads to another database");
    for (const auto& served : world.served)
      if (!is_beginning(served, numbers)) world.violate("an owner began with what never was");
    for (const Node& node : schedule.nodes())
      if (node.copy() && !is_beginning(node.copy()->numbers, numbers))
        world.violate("a node's copy is no beginning of the history");
  }
  world.run.acknowledged = world.acknowledged.size();
  return world.run;
}

}  // namespace cairn::test
