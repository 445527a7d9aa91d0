#pragma once

#include "engine/fulltext/side_thread.hpp"
#include "engine/fulltext/term_book.hpp"
#include "engine/fulltext/text_fold.hpp"
#include "engine/write/operand_counter.hpp"

namespace cairn::engine {

/// What commits to full-text indexes keep from one to the next. Threads: the holder of the writer's turn.
struct TextWriting {
  OperandCounter operands;
  TermBooks books;
  TermBooks other_books;  // of the thread beside
  TextFolds folds;
  SideThread beside;  // last member: ends first
};

}  // namespace cairn::engine
