// The program cairn_compare_text, which `cairn-bench text` runs: other engines on the same texts.
//
//   cairn_compare_text DIR TEXTS QUESTIONS SEED ANALYZER FILE
// A program of its own, so that `cairn` needs neither SQLite nor Xapian to be built.
#include "tools/bench/compare_text.hpp"

#include <cstdlib>
#include <iostream>

namespace cairn::tools {
namespace {

/// One engine after the other and closed in between, so that neither has the other's memory beside
/// it.
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
