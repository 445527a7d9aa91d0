// Writing the checkpoints of a home.
//
// A checkpoint is written in this order: its files, the object that lists them, the head. If the process dies before
// the head is replaced, the new objects remain as litter. Objects that no head needs are erased afterwards, and only by the
// owner.
#include "codec/byte_io.hpp"
#include "engine/home/home.hpp"
#include "engine/home/home_names.hpp"
#include "engine/home/kept_states.hpp"
#include "engine/home/litter.hpp"
#include "engine/home/patience.hpp"
#include "engine/system/clock.hpp"
#include "engine/system/regular_file.hpp"

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <string_view>
#include <utility>

namespace cairn::engine {
namespace {

/// Reads a file of a checkpoint piece by piece.
class PieceReader {
 public:
  explicit PieceReader(const CheckpointFile& file) : file_(file) {}
  [[nodiscard]] std::uint64_t size() const {
    return file_.content ? file_.content->size() : file_.bytes;
  }
  /// Reads `count` bytes from the offset `at` on. Precondition: the file has these bytes.
  [[nodiscard]] Result<std::string> read(std::uint64_t at, std::uint64_t count) {
    if (file_.content) return file_.content->substr(at, count);
    if (!opened_.is_open()) {
      CAIRN_ASSIGN(opened_, open_regular(file_.source, O_RDONLY));
    }
    if (::lseek(opened_.value(), static_cast<off_t>(at), SEEK_SET) < 0)
      return file_error("cannot read", file_.source);
    std::string bytes(count, '\0');
    std::size_t size = 0;
    while (size < bytes.size()) {
      CAIRN_ASSIGN(const std::size_t more,
                   read_bytes(opened_.value(), std::span(bytes).subspan(size), file_.source));
      if (more == 0)
        return codec::corruption(file_.source.string() + " became shorter while it was read");
      size += more;
    }
    return bytes;
  }

 private:
  const CheckpointFile& file_;
  FileDescriptor opened_;
};

}  // namespace

// If the name exists, an earlier attempt of this opening created it, because the name contains the epoch. An earlier
// attempt of a checkpoint may have listed other files. Then this checkpoint fails without erasing anything, and the
// next one gets another name after the next commit.
Status Home::upload_new(const std::string& name, std::string_view bytes) {
  Patience patience(patience_);
  do {
    const WriteAnswer answer = store_->create(root_ + name, bytes);
    if (answer.outcome == WriteOutcome::done) return {};
    if (answer.outcome == WriteOutcome::refused) return check_same(name, bytes);
    if (answer.why && answer.why->code != ErrorCode::busy) return *answer.why;
  } while (patience.wait());
  return Error{ErrorCode::busy,
               "the home " + address() + " did not accept the object " + name + " in time",
               {}};
}

Status Home::check_same(const std::string& name, std::string_view bytes) {
  CAIRN_ASSIGN(const auto object, get(name));
  if (object && object->bytes == bytes) return {};
  return Error{ErrorCode::busy,
               "the home " + address() + " has another version of the object " + name +
                   ", from an earlier attempt; the checkpoint is tried again after the next commit",
               {}};
}

const codec::HomePart* Home::earlier_part(const std::string& name, std::uint64_t at) const {
  if (!checkpoint_) return nullptr;
  const auto found = std::ranges::find_if(checkpoint_->parts, [&](const codec::HomePart& part) {
    return part.name == name && part.at == at;
  });
  return found == checkpoint_->parts.end() ? nullptr : &*found;
}

// A piece of a file that never changes is recognised by its name and size, any other one by its hash.
Status Home::add_parts(const CheckpointFile& file, std::vector<codec::HomePart>& parts) {
  const bool is_known =
      file.is_unchanging && std::ranges::find(unchanging_, file.name) != unchanging_.end();
  PieceReader reader(file);
  std::uint64_t at = 0;
  do {
    const std::uint64_t bytes = std::min(reader.size() - at, most_part_bytes);
    const codec::HomePart* earlier = earlier_part(file.name, at);
    if (earlier != nullptr && earlier->bytes != bytes) earlier = nullptr;
    if (earlier == nullptr || !is_known) {
      CAIRN_ASSIGN(const std::string content, reader.read(at, bytes));
      codec::HomePart part{file.name, bytes, codec::hash128(content), {}, at};
      if (earlier != nullptr && earlier->hash == part.hash) {
        part.object = earlier->object;
      } else {
        const std::uint64_t epoch = machine_.head().epoch;  // constant while the home is open
        part.object = {epoch, ++parts_};
        CAIRN_TRY(upload_new(home_name::part(part.object), content));
      }
      parts.push_back(std::move(part));
    } else {
      parts.push_back(*earlier);
    }
    at += bytes;
  } while (at < reader.size());
  return {};
}

Status Home::upload(const std::vector<CheckpointFile>& files, codec::HomeCheckpoint& list) {
  list.database_id = database_id_;
  list.made_at = system_time();
  for (const CheckpointFile& file : files) CAIRN_TRY(add_parts(file, list.parts));
  std::ranges::sort(list.parts, {}, [](const codec::HomePart& part) {
    return std::pair(std::string_view(part.name), part.at);
  });
  return upload_new(home_name::checkpoint(list.place), codec::encode(list));
}

// The counters are read before the files are uploaded, so that commits shipped meanwhile remain counted as new.
Status Home::checkpoint(const codec::HomePlace& place, std::uint64_t commit,
                        const std::vector<CheckpointFile>& files) {
  if (checkpoint_ && checkpoint_->place >= place) return {};
  const std::uint64_t records = new_records_;
  const std::uint64_t bytes = new_bytes_;
  CAIRN_TRY(read_kept());
  if (history_ == std::chrono::seconds(0)) kept_.clear();
  const std::vector<std::string> names = look_around();
  codec::HomeCheckpoint next;
  next.place = place;
  next.commit = commit;
  next.history = static_cast<std::uint64_t>(history_->count());
  CAIRN_TRY(upload(files, next));
  std::vector<KeptState> kept = next_kept();
  CAIRN_TRY(publish(place, kept, records, bytes));
  erase_let_go(next, kept, names);
  kept_ = std::move(kept);
  checkpoint_ = std::move(next);
  keeps_checkpoint_ = true;
  unchanging_.clear();
  for (const CheckpointFile& file : files)
    if (file.is_unchanging) unchanging_.push_back(file.name);
  return {};
}

// The head is written last: until then the objects are not a home. If it is unknown whether the head was written, all
// objects stay, because the home may exist.
Status Home::publish_first(std::uint64_t commit, const std::vector<CheckpointFile>& files) {
  codec::HomeCheckpoint list;
  list.place = {0, opening_ >> 1};  // see prepare()
  list.commit = commit;
  Status made = upload(files, list);
  const bool has_list = made.has_value();
  codec::HomeHead head;
  head.database_id = database_id_;
  head.revision = 1;
  head.epoch = first_place.epoch;
  head.checkpoints = {list.place};
  head.chain = {{first_place.epoch, first_place.slot + 1}};
  const std::string bytes = codec::encode(head);
  if (made) made = upload_new(home_name::head, bytes);
  if (made) return {};
  const auto found = get(home_name::head);
  const bool is_taken = found && *found && (*found)->bytes != bytes;
  if (has_list && !is_taken) return made;
  for (const codec::HomePart& part : list.parts)
    static_cast<void>(store_->erase(root_ + home_name::part(part.object)));
  if (has_list) static_cast<void>(store_->erase(root_ + home_name::checkpoint(list.place)));
  return is_taken ? Status(used()) : made;
}

// Commits wait only for this request. Commits that were shipped after the files were listed remain new.
Status Home::publish(const codec::HomePlace& place, const std::vector<KeptState>& kept,
                     std::uint64_t records, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  CAIRN_TRY(standing_error(Ownership::Standing::owner));
  std::vector<codec::HomePlace> places;
  for (const KeptState& state : kept) places.push_back(state.place);
  machine_.checkpoint(place, std::move(places));
  drive();
  CAIRN_TRY(standing_error(Ownership::Standing::owner));
  new_records_ -= records;
  new_bytes_ -= bytes;
  return {};
}

// Lists before the files are uploaded: a file that the store has lost is uploaded again. All objects are listed if an
// owner was killed or an erasure failed. They are also listed from time to time, because an erasure of the previous
// owner may have failed.
std::vector<std::string> Home::look_around() {
  constexpr std::uint64_t epochs_between = 16;
  constexpr std::uint64_t looks_between = 64;
  const bool is_first = looks_ == 0 && machine_.head().epoch % epochs_between == 0;
  const bool has_all = has_litter_ || is_first || looks_ % looks_between == looks_between - 1;
  ++looks_;
  auto names = store_->list(root_ + (has_all ? "" : home_name::parts));
  if (!names) {
    warnings_.push_back("the objects of the home " + address() + " were not listed, so that " +
                        "obsolete ones stay: " + names.error().message);
    return {};
  }
  for (std::string& name : *names) name.erase(0, root_.size());
  if (has_all) has_litter_ = false;
  warn_of_losses(*names, has_all);
  if (checkpoint_) {
    const auto lost = std::erase_if(checkpoint_->parts, [&](const codec::HomePart& part) {
      return !std::ranges::binary_search(*names, home_name::part(part.object));
    });
    if (lost > 0) keeps_checkpoint_ = false;
  }
  drop_lost(*names);
  return *std::move(names);
}

// Without a history only checkpoint_ can be kept, so older states are not read. If the newest checkpoint is damaged,
// the newest one that can be read says how long states are kept.
Status Home::read_kept() {
  if (!history_ && checkpoint_) history_ = std::chrono::seconds(checkpoint_->history);
  if (has_read_kept_ || history_ == std::chrono::seconds(0)) return {};
  std::vector<codec::HomePlace> places;
  {
    const std::lock_guard lock(mutex_);
    places = machine_.head().checkpoints;
  }
  std::vector<KeptState> kept;
  std::chrono::seconds last_history{0};
  for (const codec::HomePlace& place : places) {
    if (checkpoint_ && place >= checkpoint_->place) break;
    const auto state = read_checkpoint(place);
    if (!state && state.error().code != ErrorCode::corruption) return state.error();
    if (!state) {
      warnings_.push_back(state.error().message +
                          "; the home cannot be restored to that state any more");
      continue;
    }
    kept.push_back(kept_state(*state));
    last_history = std::chrono::seconds(state->history);
  }
  kept_ = std::move(kept);
  if (!history_) history_ = last_history;
  has_read_kept_ = true;
  return {};
}

void Home::drop_lost(const std::vector<std::string>& names) {
  const auto dropped = std::erase_if(kept_, [&](const KeptState& state) {
    return !std::ranges::all_of(state.objects, [&](const codec::HomePlace& object) {
      return std::ranges::binary_search(names, home_name::part(object));
    });
  });
  if (dropped == 0) return;
  warnings_.push_back("the home " + address() + " has lost objects of " + std::to_string(dropped) +
                      (dropped == 1 ? " earlier state" : " earlier states") +
                      ", to which it cannot be restored any more");
}

std::vector<KeptState> Home::next_kept() const {
  std::vector<KeptState> states = kept_;
  if (keeps_last()) states.push_back(kept_state(*checkpoint_));
  return states_to_keep(std::move(states), system_time(), *history_);
}

// If the fence of an ended epoch is lost, a paused owner can still commit into the epoch.
void Home::warn_of_losses(const std::vector<std::string>& names, bool has_all) {
  std::vector<std::string> lost;
  if (checkpoint_)
    for (const codec::HomePart& part : checkpoint_->parts)
      if (std::string name = home_name::part(part.object); !std::ranges::binary_search(names, name))
        lost.push_back(std::move(name));
  const bool lost_parts = !lost.empty();
  if (has_all)
    for (const std::uint64_t epoch : epochs_without_fence(machine_.head(), names))
      lost.push_back(home_name::slots_of(epoch));
  if (lost.empty()) return;
  std::string warning = "the home " + address() + " has lost the object " + lost.front();
  if (lost.size() > 1) warning += " and " + std::to_string(lost.size() - 1) + " others";
  warning +=
      ": a life-cycle rule of the bucket or a person erased it; homes need a bucket without such "
      "rules, so remove them";
  if (lost_parts) warning += ". The lost files of the database are uploaded again";
  warnings_.push_back(std::move(warning));
}

// Runs without the mutex, because nobody needs these objects any more. Commits go on meanwhile.
void Home::erase_let_go(const codec::HomeCheckpoint& next, const std::vector<KeptState>& kept,
                        const std::vector<std::string>& names) {
  std::set<codec::HomePlace> used = kept_state(next).objects;
  for (const KeptState& state : kept) used.insert(state.objects.begin(), state.objects.end());
  std::set<std::string>
      obsolete;  // in the order of names, so that the oldest slots are erased first
  {
    const std::lock_guard lock(mutex_);
    for (std::string& name : litter_of(machine_.head(), names, used))
      obsolete.insert(std::move(name));
    for (std::string& name : machine_.take_let_go()) obsolete.insert(std::move(name));
  }
  for (const std::string& name : obsolete)
    if (store_->erase(root_ + name).outcome != WriteOutcome::done) has_litter_ = true;
}

}  // namespace cairn::engine
