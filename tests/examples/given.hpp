#pragma once
// Handles and values that the examples in the public headers use without declaring them. An example may declare one of
// these names again.

#include <cairn/cairn.hpp>
#include <cairn/embedder.hpp>
#include <cairn/facets.hpp>
#include <cairn/filter.hpp>
#include <cairn/hashing_frequencies.hpp>
#include <cairn/json.hpp>
#include <cairn/language_grammar.hpp>
#include <cairn/memory/chunks.hpp>
#include <cairn/memory/memory.hpp>
#include <cairn/memory/output.hpp>
#include <cairn/memory/pending.hpp>
#include <cairn/memory/rules.hpp>
#include <cairn/memory/structured_id.hpp>
#include <cairn/node_view.hpp>
#include <cairn/recall.hpp>
#include <cairn/select.hpp>
#include <cairn/similar_words.hpp>
#include <cairn/transfer.hpp>
#include <cairn/value_text.hpp>
#include <cairn/vector_search.hpp>
#include <cairn/version.hpp>
#include <cairn/word_vectors.hpp>

#include <chrono>
#include <fstream>
#include <iostream>
#include <span>
#include <sstream>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// An example shows a name and may do nothing with it; a name of its own comes before one given here.
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-function"
#if defined(__clang__)
#pragma GCC diagnostic ignored "-Wundefined-internal"
#pragma GCC diagnostic ignored "-Wunused-member-function"
#pragma GCC diagnostic ignored "-Wunneeded-member-function"
#endif

namespace cairn {

/// What an example returns where it hands an error on.
struct Anything {
  Anything() = default;
  template <class T>
  Anything(T&&) {}  // NOLINT: from whatever an example returns
};

/// A vector where a search wants one, and a value where a parameter does.
struct Question : std::vector<float> {
  operator Value() const { return Vector(std::vector<float>(*this)); }
};

struct Given {
  Database& database;
  Transaction& transaction;
  const Snapshot& snapshot;
  memory::Memory& memory;
  const Statement& statement;
  Rows& rows;
  const std::vector<Value>& row;
  const Value& value;
  NodeId node;
  memory::Schema& schema;
  memory::RecallRequest& request;
  memory::NewRecord& record;
  WordVectors* vectors;
};

#define CAIRN_EXAMPLES_GIVEN(given)                                  \
  [[maybe_unused]] Database& database = (given).database;            \
  [[maybe_unused]] Transaction& transaction = (given).transaction;   \
  [[maybe_unused]] const Snapshot& snapshot = (given).snapshot;      \
  [[maybe_unused]] memory::Memory& memory = (given).memory;          \
  [[maybe_unused]] const Statement& statement = (given).statement;   \
  [[maybe_unused]] Rows& rows = (given).rows;                        \
  [[maybe_unused]] const std::vector<Value>& row = (given).row;      \
  [[maybe_unused]] const Value& value = (given).value;               \
  [[maybe_unused]] const NodeId node = (given).node;                 \
  [[maybe_unused]] const NodeId id = (given).node;                   \
  [[maybe_unused]] memory::Schema& schema = (given).schema;          \
  [[maybe_unused]] memory::RecallRequest& request = (given).request; \
  [[maybe_unused]] memory::NewRecord& record = (given).record;       \
  [[maybe_unused]] WordVectors* vectors = (given).vectors;           \
  [[maybe_unused]] cairn::RecallOptions options;                     \
  [[maybe_unused]] const std::vector<float> vector;                  \
  [[maybe_unused]] const Question query;                             \
  [[maybe_unused]] const std::vector<VectorQuestion> questions;      \
  [[maybe_unused]] const std::string text, question;                 \
  [[maybe_unused]] const std::vector<std::string> texts;             \
  [[maybe_unused]] Value ages = list_of({1, 2.5});                   \
  [[maybe_unused]] std::stop_source source;

template <class... T>
void use(const T&...) {}
template <class... T>
void index(const T&...) {}
template <class... T>
void log(const T&...) {}
template <class T>
int report(const T&) {
  return 1;
}

}  // namespace cairn
