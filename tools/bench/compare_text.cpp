// The program cairn_compare_text, which `cairn-bench text` starts: measures SQLite's FTS5 and
// Xapian on the same texts.
//
//   cairn_compare_text DIR TEXTS QUESTIONS SEED ANALYZER FILE
// It is a separate program, so that `cairn` can be built without SQLite and Xapian.
#include "tools/bench/compare_text.hpp"

#include <cstdlib>
#include <iostream>

namespace cairn::tools {
namespace {

/// Runs one engine after the other and closes each before the next, so that their memory does not
/// add up.
Status compare(const std::string& directory, const TextWorkload& workload) {
  CAIRN_ASSIGN(const auto texts, make_texts(workload));
  {
    CAIRN_ASSIGN(const auto keeping,
                 make_sqlite_engine(directory + "/fts5-texts.db", workload, KeptTexts::yes));
    CAIRN_TRY(measure_indexing(*keeping, texts, std::cout));
  }
  {
    CAIRN_ASSIGN(const auto sqlite,
                 make_sqlite_engine(directory + "/fts5.db", workload, KeptTexts::no));
    CAIRN_TRY(measure_text_engine(*sqlite, texts, workload, std::cout));
  }
  CAIRN_ASSIGN(const auto xapian, make_xapian_engine(directory + "/xapian", workload));
  return measure_text_engine(*xapian, texts, workload, std::cout);
}

}  // namespace
}  // namespace cairn::tools

int main(int argc, char** argv) {
  if (argc != 7) {
    std::cerr << "usage: cairn_compare_text DIR TEXTS QUESTIONS SEED ANALYZER FILE\n";
    return 1;
  }
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  const auto status =
      cairn::tools::compare(argv[1], {number(2), number(3), number(4), argv[5], argv[6]});
  if (status) return 0;
  std::cerr << "error: " << status.error().message << "\n";
  return 1;
}
