#pragma once
// All of Cairn's public face.

#include <cairn/database.hpp>
#include <cairn/embedder.hpp>
#include <cairn/facets.hpp>
#include <cairn/filter.hpp>
#include <cairn/graph.hpp>
#include <cairn/hashing_frequencies.hpp>
#include <cairn/json.hpp>
#include <cairn/options.hpp>
#include <cairn/recall.hpp>
#include <cairn/result.hpp>
#include <cairn/similar_words.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/statement.hpp>
#include <cairn/temporal.hpp>
#include <cairn/transaction.hpp>
#include <cairn/value.hpp>
#include <cairn/value_text.hpp>
#include <cairn/vector_search.hpp>
#include <cairn/version.hpp>
#include <cairn/word_vectors.hpp>
