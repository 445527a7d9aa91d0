// The question a walk asks of each slot it meets. Bits by rank serve as bits by slot where slots
// ascend; elsewhere the id is looked up in the allow-list itself, which costs more for each
// question and nothing for slots that are not met.
#include "engine/vector/internal_id_selection.hpp"

namespace cairn::engine {
namespace {

// Below one slot in 64 a list is smaller than the bits, and a walk over the graph is out of question.
constexpr std::uint64_t sparse_share = 64;

}  // namespace

InternalIdSelection::InternalIdSelection(const LiveIds& live, const codec::Bitmap* allowed)
    : live_(live), allowed_(allowed) {
  if (allowed == nullptr) {
    count_ = live.count();
  } else if (allowed->cardinality() * sparse_share < slots()) {
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
