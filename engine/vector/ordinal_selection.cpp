// Converts an allow-list into ranks or slots of one segment, once for all searches of a batch.
// Slots that are hidden by tombstones stay in an OrdinalSelection; the few that pass are tested
// later.
#include "engine/vector/ordinal_selection.hpp"

namespace cairn::engine {
namespace {

// Below one rank in 16, a list is as fast to make as a bitmap and faster to iterate. IvfIndex needs
// a bitmap.
constexpr std::uint64_t sparse_share = 16;

}  // namespace

OrdinalSelection::OrdinalSelection(const InternalIds& slots, const codec::Bitmap* allowed)
    : ranks_(slots.live()) {
  if (allowed == nullptr) {
    count_ = ranks_;
  } else if (allowed->cardinality() * sparse_share < ranks_) {
    form_ = Form::list;
    list_ = slots.ranks().list(*allowed);
    count_ = list_.size();
  } else {
    form_ = Form::bits;
    bits_.resize((ranks_ + 63) / 64);
    count_ = slots.ranks().mark(*allowed, bits_);
  }
}

OrdinalSelection OrdinalSelection::only(const codec::kernels::GroupedPositions& positions,
                                        const std::uint8_t* groups) const {
  OrdinalSelection some;
  some.form_ = Form::bits;
  some.ranks_ = ranks_;
  some.bits_.resize(bits_.size());
  some.count_ =
      codec::kernels::keep_groups(bits_.data(), bits_.size(), positions, groups, some.bits_.data());
  return some;
}

// A graph search tests each slot that it visits. If slots ascend with ids, bits by rank are bits by
// slot. Otherwise the id is looked up in the allow-list, which is slower for each test but costs no
// time for slots that are not visited.

namespace {

// Below one slot in 64, a list is smaller than a bitmap, and graph searches are not used.
constexpr std::uint64_t sparse_slot_share = 64;

}  // namespace

InternalIdSelection::InternalIdSelection(const LiveIds& live, const codec::Bitmap* allowed)
    : live_(live), allowed_(allowed) {
  if (allowed == nullptr) {
    count_ = live.count();
  } else if (allowed->cardinality() * sparse_slot_share < slots()) {
    form_ = Form::list;
    live.map->for_each_of(*allowed, [&](std::uint32_t slot) {
      if (!live.is_hidden(slot)) list_.push_back(slot);
    });
    count_ = list_.size();
  } else {
    form_ = live.map->is_ascending() ? Form::bits : Form::ids;
    bits_.resize((live.map->live() + 63) / 64);
    count_ = live.map->ranks().mark(*allowed, bits_);
  }
}

}  // namespace cairn::engine
