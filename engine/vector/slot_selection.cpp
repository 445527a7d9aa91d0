#include "engine/vector/slot_selection.hpp"

namespace cairn::engine {
namespace {

// Below one slot in 64 a list is smaller than the bits, and a walk over the graph is out of question.
constexpr std::uint64_t sparse_share = 64;

}  // namespace

SlotSelection::SlotSelection(const LiveSlots& live, const codec::IdSet* allowed) : live_(live) {
  if (allowed == nullptr) {
    count_ = live.count();
    return;
  }
  const auto collect = [&](auto&& keep) {
    live.map->for_each_of(*allowed, [&](std::uint32_t slot) {
      if (!live.is_hidden(slot)) keep(slot);
    });
  };
  if (allowed->cardinality() * sparse_share < slots()) {
    form_ = Form::list;
    collect([&](std::uint32_t slot) { list_.push_back(slot); });
    count_ = list_.size();
    return;
  }
  form_ = Form::bits;
  bits_.resize((slots() + 63) / 64);
  collect([&](std::uint32_t slot) {
    set_bit(bits_, slot);
    ++count_;
  });
}

}  // namespace cairn::engine
