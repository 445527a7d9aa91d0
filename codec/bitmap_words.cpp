// Containers laid over a bitmap of 8 KiB: each form writes its members in the way that suits it, an
// array bit by bit, a bitmap by whole words in the kernels, runs by masks of a word each.
//
// Cost: the array's values, 1,024 words, or the words that runs touch. Nothing is counted here:
// code that changes bits counts them afterwards in one pass (`count_and_words`), as counting at each
// bit would need its old state.
#include "codec/bitmap_words.hpp"

#include "codec/id_kernels.hpp"

namespace cairn::codec {

// At most one of the three parts of a container is not empty, so that two of these loops end at
// once.
void set_members(BitmapWords& words, const Container& container) {
  for (std::uint16_t value : container.array()) words[value / 64] |= bit_of(value);
  if (!container.words().empty())
    kernels::or_words(words.data(), container.words().data(), words.data());
  for (Container::Run run : container.runs())
    for_each_mask(run, [&](std::size_t w, std::uint64_t mask) { words[w] |= mask; });
}

void clear_members(BitmapWords& words, const Container& container) {
  for (std::uint16_t value : container.array()) words[value / 64] &= ~bit_of(value);
  if (!container.words().empty())
    kernels::and_not_words(words.data(), container.words().data(), words.data());
  for (Container::Run run : container.runs())
    for_each_mask(run, [&](std::size_t w, std::uint64_t mask) { words[w] &= ~mask; });
}

// Only `scratch` is written; the result points into the container or into it and lives as long as
// both. `scratch` need not be initialised: 8 KiB are zeroed here only where they are needed.
const std::uint64_t* as_words(const Container& container, BitmapWords& scratch) {
  if (container.form() == Container::Form::bitmap) return container.words().data();
  scratch.fill(0);
  set_members(scratch, container);
  return scratch.data();
}

}  // namespace cairn::codec
