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

}  // namespace cairn::engine
