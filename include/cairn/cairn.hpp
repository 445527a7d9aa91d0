#pragma once
// Includes all public headers of Cairn except the typed memory calls.
//
//     #include <cairn/cairn.hpp>
//
//     auto database = cairn::Database::open("memory.cairn");
//     if (!database) return 1;
//     auto rows = cairn::execute(*database, "MATCH (n) RETURN count(*)");
//
// Threads: any number of threads may use a Database or a Snapshot at once; a Transaction or Rows,
// one thread at a time. Errors: returned as Result<T>; the only exception is std::bad_alloc. Where
// to begin: database.hpp opens a database, transaction.hpp and statement.hpp write, snapshot.hpp
// and statement.hpp read, result.hpp explains errors. For the typed memory calls, include
// <cairn/memory/memory.hpp>. Every header can be included on its own; this one takes the longest to
// compile.

#include <cairn/backup.hpp>
#include <cairn/bolt.hpp>
#include <cairn/check_files.hpp>
#include <cairn/cluster.hpp>
#include <cairn/csv.hpp>
#include <cairn/database.hpp>
#include <cairn/embedder.hpp>
#include <cairn/embedding_space.hpp>
#include <cairn/facets.hpp>
#include <cairn/filter.hpp>
#include <cairn/follower.hpp>
#include <cairn/graph.hpp>
#include <cairn/hashing_frequencies.hpp>
#include <cairn/hit.hpp>
#include <cairn/home.hpp>
#include <cairn/host_embedder.hpp>
#include <cairn/hybrid_search.hpp>
#include <cairn/json.hpp>
#include <cairn/keywords.hpp>
#include <cairn/log.hpp>
#include <cairn/make_embedder.hpp>
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
#include <cairn/time_span.hpp>
#include <cairn/tokens.hpp>
#include <cairn/transaction.hpp>
#include <cairn/transfer.hpp>
#include <cairn/value.hpp>
#include <cairn/value_as.hpp>
#include <cairn/value_text.hpp>
#include <cairn/vector_search.hpp>
#include <cairn/version.hpp>
#include <cairn/word_vectors.hpp>
