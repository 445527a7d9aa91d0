#pragma once

#include "engine/fulltext/side_thread.hpp"
#include "engine/fulltext/term_book.hpp"
#include "engine/fulltext/text_fold.hpp"
#include "engine/write/operand_counter.hpp"

#include <cstdint>
#include <set>

namespace cairn::engine {

/// What commits to full-text indexes keep from one to the next. Threads: the holder of the writer's turn.
struct TextWriting {
  OperandCounter operands;
  TermBooks books;
  TermBooks other_books;  // of the thread beside
  TextFolds folds;
  std::set<std::uint32_t> unused;  // numbers of no index of which keys may be there
  SideThread beside;               // last member: ends first
};

}  // namespace cairn::engine
