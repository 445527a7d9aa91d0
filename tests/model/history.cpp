#include "tests/model/history.hpp"

#include <algorithm>
#include <utility>

namespace cairn::test {
namespace {

const std::map<std::string, ModelVectorIndex>& vector_index_definitions() {
  static const std::map<std::string, ModelVectorIndex> definitions = {
      {"by_meaning", {"A", "e", 3, true}}, {"by_place", {"B", "f", 2, false}}};
  return definitions;
}

std::string code_text(std::optional<ErrorCode> code) {
  return code ? std::string(to_string(*code)) : "success";
}

}  // namespace

Steps decode_steps(std::span<const std::uint8_t> bytes) {
  Steps steps;
  for (; bytes.size() >= 4; bytes = bytes.subspan(4))
    steps.push_back({bytes[0], bytes[1], static_cast<std::uint16_t>(bytes[2] << 8 | bytes[3])});
  return steps;
}

Steps random_steps(Random& random, std::size_t count) {
  Steps steps(count);
  for (Step& step : steps)
    step = {static_cast<std::uint8_t>(random.number()), static_cast<std::uint8_t>(random.number()),
            static_cast<std::uint16_t>(random.number())};
  return steps;
}

History::History(std::filesystem::path directory, HistoryOptions options)
    : directory_(std::move(directory)), options_(options) {}

Difference History::play(std::span<const Step> steps) {
  log_.clear();
  difference_.reset();
  comparisons_ = Random(steps.size());
  if (!database_) open();
  erase_everything();
  for (std::size_t i = 0; i < steps.size() && !difference_; ++i) {
    run(steps[i]);
    if (!difference_ && (i + 1) % options_.compare_every == 0) compare();
  }
  if (!difference_) compare();
  if (!difference_) end_transaction(true);
  if (!difference_ && options_.reopens) reopen({}, comparisons_);
  if (!difference_) compare();
  return difference_;
}

void History::run(const Step& step) {
  const Operation& chosen = operation(step.operation);
  if (chosen.in_transaction) begin();
  if (difference_) return;
  Random random(step.seed);
  (this->*chosen.run)(pick_node(step.target), random);
}

void History::open() {
  Options options;
  options.durability = options_.durability;
  auto opened = Database::open(directory_, options);
  if (!opened) return fail("open failed: " + describe(opened.error()));
  database_.emplace(*std::move(opened));
}

void History::erase_everything() {
  transaction_.reset();
  held_.clear();
  if (difference_) return;
  define("MATCH (n) DETACH DELETE n");
  committed_ = ModelGraph();
  for (const auto& [name, index] : vector_index_definitions()) {
    define("DROP INDEX " + name + " IF EXISTS");
    create_vector_index(name);
  }
}

void History::create_vector_index(const std::string& name) {
  const ModelVectorIndex& index = vector_index_definitions().at(name);
  committed_.vector_indexes[name] = index;
  define("CREATE VECTOR INDEX " + name + " FOR (n:" + index.label + ") ON (n." + index.property +
         ") OPTIONS {indexConfig: {`vector.dimensions`: " + std::to_string(index.dimension) +
         ", `vector.similarity_function`: '" + (index.is_cosine ? "cosine" : "euclidean") + "'}}");
}

void History::drop_vector_index(const std::string& name) {
  committed_.vector_indexes.erase(name);
  define("DROP INDEX " + name);
}

void History::begin() {
  if (transaction_) return;
  auto begun = database_->begin();
  if (!begun) return fail("begin failed: " + describe(begun.error()));
  note("begin");
  transaction_.emplace(*std::move(begun));
  working_ = committed_;
}

void History::end_transaction(bool keep) {
  if (!transaction_) return;
  note(keep ? "commit" : "rollback");
  if (!keep) {
    transaction_->rollback();
  } else if (const Status committed = transaction_->commit(); !committed) {
    fail("commit failed: " + describe(committed.error()));
  } else {
    committed_ = working_;
  }
  transaction_.reset();
}

void History::compare() {
  note("compare");
  const auto snapshot = database_->snapshot();
  if (!snapshot) return fail("snapshot failed: " + describe(snapshot.error()));
  if (const auto found = compare_snapshot(*snapshot, committed_, comparisons_))
    return fail("a fresh snapshot: " + *found);
  if (const auto found = compare_check(*database_)) return fail(*found);
  if (transaction_)
    if (const auto found = compare_graph(reader_of(*transaction_), working_, comparisons_))
      return fail("the open transaction: " + *found);
  compare_held();
}

void History::compare_held() {
  for (const Held& held : held_)
    if (const auto found = compare_snapshot(held.snapshot, held.model, comparisons_))
      return fail("the snapshot held at commit " + std::to_string(held.snapshot.commit_number()) +
                  ": " + *found);
}

void History::fail(const std::string& what) {
  if (!difference_) difference_ = what;
}

void History::expect(const std::string& what, std::optional<ErrorCode> found,
                     ModelGraph::Failure expected) {
  if (found != expected)
    fail(what + " ended in " + code_text(found) + ", expected " + code_text(expected));
}

std::vector<std::vector<Value>> History::write(const std::string& text,
                                               const Parameters& parameters) {
  note(text + " with " + describe(parameters));
  if (difference_) return {};
  auto rows = read_rows(reader_of(*transaction_), text, parameters);
  if (rows) return *std::move(rows);
  fail(text + "\n  with " + describe(parameters) + "\n  failed: " + describe(rows.error()));
  return {};
}

void History::define(const std::string& text) {
  note(text);
  if (difference_) return;
  if (const auto done = execute(*database_, text); !done)
    fail(text + " failed: " + describe(done.error()));
}

Steps shorten(Steps steps, const std::function<bool(const Steps&)>& fails, int attempts) {
  for (std::size_t size = steps.size() / 2; size > 0 && attempts > 0; size /= 2)
    for (std::size_t at = 0; at < steps.size() && attempts > 0; --attempts) {
      Steps shorter = steps;
      const auto begin = shorter.begin() + static_cast<std::ptrdiff_t>(at);
      shorter.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(size, steps.size() - at)));
      if (fails(shorter))
        steps = std::move(shorter);
      else
        at += size;
    }
  return steps;
}

}  // namespace cairn::test
