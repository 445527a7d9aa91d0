#pragma once
// Reads a folder in BEIR's form: corpus.jsonl, queries.jsonl and qrels/test.tsv, with metadata.

#include <cairn/database.hpp>
#include <cairn/embedder.hpp>
#include <cairn/recall.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cairn::tools {

struct RetrievalQuery {
  std::string id;
  std::string text;
  Map metadata;
  Properties filter;                       ///< metadata.filter, if there is one
  std::map<std::uint64_t, double> wanted;  ///< gain by node id
};

/// How a corpus is stored, if not as usual.
struct CorpusForm {
  std::vector<std::string> indexed = {"text", "title"};  ///< properties of the full-text index
  bool joins_turns = true;                               ///< makes the NEXT relationships
  std::function<void(Properties&)> edit = nullptr;       ///< changes the properties of a document
  /// This many turns of one speaker in a session become one long record.
  std::size_t turns_in_record = 1;
};

/// Returns the half of the set that contains a question, 0 or 1. The half is determined by the
/// conversation that the filter of the question names, or, without a filter, by the position of the
/// question.
[[nodiscard]] std::size_t half_of(const RetrievalQuery& query, std::size_t place);

/// Loads the corpus into `database`: each document becomes a node :Document with its text, title and
/// metadata; documents of one conversation and session are joined by :NEXT in the order of `turn`.
/// Makes the full-text index "documents" over text and title and, with an embedder, the vector index
/// "meanings". Returns the nodes by document id. Errors: io_error; invalid_argument with the line.
[[nodiscard]] Result<std::map<std::string, std::uint64_t>> load_corpus(
    const std::filesystem::path& directory, Database& database, const Embedder* embedder = nullptr,
    const CorpusForm& form = {});

/// Returns the text of every document. Errors: as load_corpus().
[[nodiscard]] Result<std::vector<std::string>> read_texts(const std::filesystem::path& directory);

/// Returns the questions that have at least one relevant document in the corpus.
[[nodiscard]] Result<std::vector<RetrievalQuery>> read_queries(
    const std::filesystem::path& directory, const std::map<std::string, std::uint64_t>& nodes);

}  // namespace cairn::tools
