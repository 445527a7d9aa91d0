#pragma once
// All of Cairn's public face.
//
//     #include <cairn/cairn.hpp>
//
//     auto database = cairn::Database::open("memory.cairn");
//     if (!database) return 1;
//     auto rows = cairn::execute(*database, "MATCH (n) RETURN count(*)");
//
// Threads: a Database and a Snapshot from any number at once, a Transaction and Rows one at a time.
// Errors: values of Result<T>, never exceptions but std::bad_alloc.
// Where to begin: database.hpp opens, transaction.hpp and statement.hpp write, snapshot.hpp and
// statement.hpp read, result.hpp says how errors come. The typed memory calls are not among these:
// include <cairn/memory/memory.hpp>. Every header also stands alone; this one costs the most to
// compile.

#include <cairn/backup.hpp>
#include <cairn/bolt.hpp>
#include <cairn/check_files.hpp>
#include <cairn/csv.hpp>
#include <cairn/database.hpp>
#include <cairn/embedder.hpp>
#include <cairn/embedding_space.hpp>
#include <cairn/facets.hpp>
#include <cairn/filter.hpp>
#include <cairn/graph.hpp>
#include <cairn/hashing_frequencies.hpp>
#include <cairn/hit.hpp>
#include <cairn/hybrid_search.hpp>
#include <cairn/json.hpp>
#include <cairn/keywords.hpp>
#include <cairn/log.hpp>
#include <cairn/metrics.hpp>
#include <cairn/node_view.hpp>
#include <cairn/options.hpp>
#include <cairn/ranking.hpp>
#include <cairn/recall.hpp>
#include <cairn/remote.hpp>
#include <cairn/result.hpp>
#include <cairn/row.hpp>
#include <cairn/scrub.hpp>
#include <cairn/select.hpp>
#include <cairn/similar_words.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/statement.hpp>
#include <cairn/system_fields.hpp>
#include <cairn/temporal.hpp>
#include <cairn/tokens.hpp>
#include <cairn/transaction.hpp>
#include <cairn/transfer.hpp>
#include <cairn/value.hpp>
#include <cairn/value_as.hpp>
#include <cairn/value_text.hpp>
#include <cairn/vector_search.hpp>
#include <cairn/version.hpp>
#include <cairn/word_vectors.hpp>
