#pragma once
// WordBinaryCodes: one bit a component of each word of a file, to tell which words are worth comparing with
// one: a scan of all takes a hundredth of what reading their vectors takes.

#include "engine/text/word_vector_file.hpp"
#include "engine/vector/binary_codes.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::engine {

class WordBinaryCodes {
 public:
  /// Cost: a pass over all rows, 0.2 s for 340,000 words of 100 components; memory about a quarter of
  /// theirs. The file need not outlive it.
  explicit WordBinaryCodes(const WordVectorFile& file);

  /// Places of `count` words, or of all, whose vectors seem most like `row`, in no order, of the `among`
  /// most frequent words. Those very much like it are nearly always there.
  /// Cost: a nanosecond a word of 100 components.
  [[nodiscard]] std::vector<std::uint32_t> likely(std::span<const std::int8_t> row,
                                                  std::size_t count, std::size_t among) const;

 private:
  std::vector<std::uint32_t> places_;  // the most frequent words first, as in codes_
  BinaryCodes codes_;
};

}  // namespace cairn::engine
