#pragma once

#include "engine/fulltext/term_dictionary.hpp"
#include "engine/indexing/text_flush.hpp"
#include "engine/fulltext/worker_thread.hpp"
#include "engine/transaction/operand_counter.hpp"

#include <cstdint>
#include <set>

namespace cairn::engine {

/// What commits to full-text indexes keep from one to the next. Threads: the holder of the writer's turn.
struct TextIndexingState {
  OperandCounter operands;
  TermDictionaries books;
  TermDictionaries other_books;  // of the thread beside
  TextFlushes folds;
  std::set<std::uint32_t> unused;  // numbers of no index of which keys may be there
  WorkerThread beside;             // last member: ends first
};

}  // namespace cairn::engine
