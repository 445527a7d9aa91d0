#include "codec/bitmap.hpp"

#include "codec/id_kernels.hpp"

namespace cairn::codec {

void set_members(Bitmap& words, const Container& container) {
  for (std::uint16_t value : container.array()) words[value / 64] |= bit_of(value);
  if (!container.words().empty())
    kernels::or_words(words.data(), container.words().data(), words.data());
  for (Container::Run run : container.runs())
    for_each_mask(run, [&](std::size_t w, std::uint64_t mask) { words[w] |= mask; });
}

void clear_members(Bitmap& words, const Container& container) {
  for (std::uint16_t value : container.array()) words[value / 64] &= ~bit_of(value);
  if (!container.words().empty())
    kernels::and_not_words(words.data(), container.words().data(), words.data());
  for (Container::Run run : container.runs())
    for_each_mask(run, [&](std::size_t w, std::uint64_t mask) { words[w] &= ~mask; });
}

const std::uint64_t* as_words(const Container& container, Bitmap& scratch) {
  if (container.form() == Container::Form::bitmap) return container.words().data();
  scratch.fill(0);
  set_members(scratch, container);
  return scratch.data();
}

}  // namespace cairn::codec
