// Interprets bytes as a history of writes, transactions and snapshots; database and model must
// agree afterwards. One database serves all inputs, because opening one takes longer than most
// histories.

#include "tests/model/history.hpp"
#include "tests/support/temporary_directory.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cairn::test;
  static const TemporaryDirectory directory;
  // Never destroyed, because at exit the store's static objects are destroyed first.
  static History& history =
      *std::make_unique<History>(directory.path(),
                                 HistoryOptions{.compare_every = 20, .reopens = false})
           .release();
  constexpr std::size_t most_bytes = 400;
  const auto difference = history.play(decode_steps({data, std::min(size, most_bytes)}));
  if (!difference) return 0;
  for (const std::string& line : history.log()) std::fprintf(stderr, "%s\n", line.c_str());
  std::fprintf(stderr, "%s\n", difference->c_str());
  std::abort();
}
