// An allow-list as ranks of one segment, made once for all searches that share it: nothing, a list,
// or bits. What the state hides (tombstones) stays in and is asked of the few that pass.
#include "engine/vector/ordinal_selection.hpp"

namespace cairn::engine {
namespace {

// Below one in 16 a list is made as fast as bits, and gone through faster. Partitions need bits.
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

// The question a walk asks of each slot it meets. Bits by rank serve as bits by slot where slots
// ascend; elsewhere the id is looked up in the allow-list itself, which costs more for each
// question and nothing for slots that are not met.

namespace {

// Below one slot in 64 a list is smaller than the bits, and a walk over the graph is out of question.
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
