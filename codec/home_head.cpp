// Encodes the head and the checkpoints of a home. Each object is accepted or refused as a whole.
// Lists are read until their count is reached or the bytes end, so a damaged count costs no memory.
#include "codec/home_head.hpp"

#include "codec/backup_manifest.hpp"
#include "codec/byte_io.hpp"
#include "codec/meta.hpp"

#include <algorithm>
#include <cassert>

namespace cairn::codec {
namespace {

constexpr std::uint32_t first_layout = 1;
constexpr std::uint32_t deleted_layout = 2;  // of heads
constexpr std::uint32_t pieces_layout = 2;   // of checkpoints with files in several pieces
constexpr std::uint32_t timed_layout = 3;    // of checkpoints that say when they were made
constexpr std::uint32_t history_layout =
    4;  // of checkpoints that also say how long states are kept
constexpr std::string_view head_magic = "CairnHed";
constexpr std::string_view checkpoint_magic = "CairnChk";

void append_place(std::string& bytes, const HomePlace& place) {
  append_varint(bytes, place.epoch);
  append_varint(bytes, place.slot);
}

HomePlace read_place(ByteCursor& cursor) {
  HomePlace place;
  place.epoch = cursor.read_varint();
  place.slot = cursor.read_varint();
  return place;
}

void append_places(std::string& bytes, const std::vector<HomePlace>& places) {
  append_varint(bytes, places.size());
  for (const HomePlace& place : places) append_place(bytes, place);
}

std::vector<HomePlace> read_places(ByteCursor& cursor) {
  std::vector<HomePlace> places;
  const std::uint64_t count = cursor.read_varint();
  while (!cursor.failed() && places.size() < count) places.push_back(read_place(cursor));
  return places;
}

/// object := magic layout:u32 database_id content checksum:u64
/// The checksum covers all bytes before it.
std::string begin_object(std::string_view magic, std::uint32_t layout,
                         const std::string& database_id) {
  std::string bytes(magic);
  append_little(bytes, layout);
  return bytes.append(database_id);
}

std::string end_object(std::string bytes) {
  append_little(bytes, checksum(bytes));
  return bytes;
}

struct Content {
  std::uint32_t layout = 0;
  std::string_view bytes;  ///< between the layout and the checksum
};

/// Checks an object whose layout is at most `newest`. The checksum is checked before the layout, so damage is not
/// reported as a newer version.
Result<Content> content_of(std::string_view bytes, std::string_view magic, std::uint32_t newest,
                           const std::string& what) {
  ByteCursor cursor(bytes);
  const bool begins = cursor.read_bytes(magic.size()) == magic;
  const auto layout = cursor.read_little<std::uint32_t>();
  const std::string_view rest = cursor.rest();
  if (!begins || rest.size() < sizeof(std::uint64_t))
    return corruption("the " + what + " is damaged");
  const std::string_view content = rest.substr(0, rest.size() - sizeof(std::uint64_t));
  ByteCursor end(rest.substr(content.size()));
  if (end.read_little<std::uint64_t>() !=
      checksum(bytes.substr(0, bytes.size() - sizeof(std::uint64_t))))
    return corruption("the " + what + " is damaged");
  if (layout > newest)
    return Error{ErrorCode::format_too_new,
                 "the " + what + " has layout " + std::to_string(layout) +
                     ", and this version reads up to " + std::to_string(newest) +
                     "; open the home with a newer version of Cairn",
                 {}};
  if (layout < first_layout) return corruption("the " + what + " is damaged");
  return Content{layout, content};
}

/// Checks that places ascend. With `by_epoch` each place must have a higher epoch: a chain has one
/// entry per epoch, while several checkpoints may belong to one epoch.
bool ascend(const std::vector<HomePlace>& places, bool by_epoch) {
  for (std::size_t i = 1; i < places.size(); ++i) {
    const bool follows =
        by_epoch ? places[i - 1].epoch < places[i].epoch : places[i - 1] < places[i];
    if (!follows) return false;
  }
  return true;
}

/// True for a head that an owner can have written: it has its ids, and the places of each list ascend. The head of a
/// deleted home has only the time of its deletion.
bool is_sound_head(const HomeHead& head) {
  if (!is_database_id(head.database_id) || head.epoch == 0) return false;
  if (head.deleted_at != 0)
    return head.owner == HomeOwner{} && head.checkpoints.empty() && head.chain.empty() &&
           head.closed.empty();
  if (head.chain.empty()) return false;
  for (const HomePlace& place : head.chain)
    if (place.epoch == 0 || place.slot == 0) return false;
  const bool has_begin = head.checkpoints.empty() || head.checkpoints.back() < head.chain.front();
  return has_begin && head.chain.back().epoch == head.epoch && ascend(head.chain, true) &&
         ascend(head.closed, true) && ascend(head.checkpoints, false);
}

/// True if `part` is the first piece of a later file than `before`, or the next piece of the same
/// file.
bool follows(const HomePart* before, const HomePart& part) {
  if (before == nullptr || before->name < part.name) return part.at == 0;
  return before->name == part.name && before->at < part.at && part.at - before->at == before->bytes;
}

/// True if the files ascend by name, and the pieces of each file join without a gap.
bool is_sound_checkpoint(const HomeCheckpoint& checkpoint) {
  if (!is_database_id(checkpoint.database_id)) return false;
  if (checkpoint.history != 0 && checkpoint.made_at == 0) return false;
  if (checkpoint.history > most_home_history) return false;
  const HomePart* before = nullptr;
  for (const HomePart& part : checkpoint.parts) {
    if (!follows(before, part) || !is_backup_name(part.name)) return false;
    before = &part;
  }
  return true;
}

/// The oldest layout that can hold the checkpoint.
std::uint32_t layout_for(const HomeCheckpoint& checkpoint) {
  if (checkpoint.history != 0) return history_layout;
  if (checkpoint.made_at != 0) return timed_layout;
  const bool has_pieces =
      std::ranges::any_of(checkpoint.parts, [](const HomePart& part) { return part.at != 0; });
  return has_pieces ? pieces_layout : first_layout;
}

}  // namespace

std::string encode(const HomeHead& head) {
  assert(is_sound_head(head));
  const bool is_deleted = head.deleted_at != 0;
  std::string bytes =
      begin_object(head_magic, is_deleted ? deleted_layout : first_layout, head.database_id);
  append_little(bytes, head.revision);
  append_little(bytes, head.epoch);
  if (is_deleted) {
    append_little(bytes, static_cast<std::uint64_t>(head.deleted_at));
    return end_object(std::move(bytes));
  }
  append_text(bytes, head.owner.node);
  append_text(bytes, head.owner.address);
  append_little(bytes, head.owner.opening);
  append_places(bytes, head.checkpoints);
  append_places(bytes, head.chain);
  append_places(bytes, head.closed);
  return end_object(std::move(bytes));
}

Result<HomeHead> decode_home_head(std::string_view bytes) {
  CAIRN_ASSIGN(const Content content,
               content_of(bytes, head_magic, deleted_layout, "head of the home"));
  ByteCursor cursor(content.bytes);
  HomeHead head;
  head.database_id = cursor.read_bytes(database_id_bytes);
  head.revision = cursor.read_little<std::uint64_t>();
  head.epoch = cursor.read_little<std::uint64_t>();
  const bool is_deleted = content.layout == deleted_layout;
  if (is_deleted) {
    head.deleted_at = static_cast<std::int64_t>(cursor.read_little<std::uint64_t>());
  } else {
    head.owner.node = cursor.read_text();
    head.owner.address = cursor.read_text();
    head.owner.opening = cursor.read_little<std::uint64_t>();
    head.checkpoints = read_places(cursor);
    head.chain = read_places(cursor);
    head.closed = read_places(cursor);
  }
  const bool is_exact = is_deleted == (head.deleted_at != 0);
  if (!cursor.finished() || !is_exact || !is_sound_head(head))
    return corruption("the head of the home is damaged");
  return head;
}

std::string encode(const HomeCheckpoint& checkpoint) {
  assert(is_sound_checkpoint(checkpoint));
  const std::uint32_t layout = layout_for(checkpoint);
  std::string bytes = begin_object(checkpoint_magic, layout, checkpoint.database_id);
  append_little(bytes, checkpoint.place.epoch);
  append_little(bytes, checkpoint.place.slot);
  append_little(bytes, checkpoint.commit);
  if (layout >= timed_layout) append_little(bytes, static_cast<std::uint64_t>(checkpoint.made_at));
  if (layout >= history_layout) append_little(bytes, checkpoint.history);
  append_varint(bytes, checkpoint.parts.size());
  for (const HomePart& part : checkpoint.parts) {
    append_text(bytes, part.name);
    append_varint(bytes, part.bytes);
    append_little(bytes, part.hash.high);
    append_little(bytes, part.hash.low);
    append_place(bytes, part.object);
    if (layout >= pieces_layout) append_varint(bytes, part.at);
  }
  return end_object(std::move(bytes));
}

Result<HomeCheckpoint> decode_home_checkpoint(std::string_view bytes) {
  CAIRN_ASSIGN(const Content content,
               content_of(bytes, checkpoint_magic, history_layout, "checkpoint of the home"));
  ByteCursor cursor(content.bytes);
  HomeCheckpoint checkpoint;
  checkpoint.database_id = cursor.read_bytes(database_id_bytes);
  checkpoint.place.epoch = cursor.read_little<std::uint64_t>();
  checkpoint.place.slot = cursor.read_little<std::uint64_t>();
  checkpoint.commit = cursor.read_little<std::uint64_t>();
  if (content.layout >= timed_layout)
    checkpoint.made_at = static_cast<std::int64_t>(cursor.read_little<std::uint64_t>());
  if (content.layout >= history_layout) checkpoint.history = cursor.read_little<std::uint64_t>();
  const std::uint64_t count = cursor.read_varint();
  while (!cursor.failed() && checkpoint.parts.size() < count) {
    HomePart part;
    part.name = cursor.read_text();
    part.bytes = cursor.read_varint();
    part.hash.high = cursor.read_little<std::uint64_t>();
    part.hash.low = cursor.read_little<std::uint64_t>();
    part.object = read_place(cursor);
    if (content.layout >= pieces_layout) part.at = cursor.read_varint();
    checkpoint.parts.push_back(std::move(part));
  }
  const bool is_exact = layout_for(checkpoint) == content.layout;
  if (!cursor.finished() || !is_exact || !is_sound_checkpoint(checkpoint))
    return corruption("the checkpoint of the home is damaged");
  return checkpoint;
}

}  // namespace cairn::codec
