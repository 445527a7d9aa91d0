#pragma once
// A selection of the graph as lists of neighbours, in the two forms that algorithms need.
//
//   GraphProjection  all lists at once, for algorithms that visit the whole selection
//   GraphSteps       one list at a time, for algorithms that walk over a part of it
//
// Both classes number the nodes from 0 on. A projection numbers them in the order of their ids and takes the lists from
// the adjacency segment (engine/segment) in one pass if there is one or it is worth building; nodes that the segment
// does not contain are read from the store. GraphSteps numbers nodes in the order in which the walk reaches them, and
// reads each list once, through the statement's GraphReader.

#include "engine/algorithm/adjacency.hpp"
#include "engine/algorithm/array.hpp"
#include "engine/algorithm/step_source.hpp"
#include "engine/system/limits.hpp"
#include "query/algorithm/graph_selection.hpp"
#include "query/execute/graph_reader.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::query {

/// Maps the ids of an algorithm's nodes to dense numbers from 0 on, and back.
///
/// A two-level table: ids are grouped into pages of 256, and a page is allocated with its first node.
///
/// Memory: 8 bytes a node, and 1 KiB for each page that contains a node. Threads: one.
class NodeNumbers {
 public:
  explicit NodeNumbers(engine::Limits& limits) noexcept
      : ids_(limits), page_of_(limits), numbers_(limits) {}

  [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
  [[nodiscard]] std::uint64_t id(std::size_t number) const noexcept { return ids_[number]; }
  /// Returns nullopt for a node that was not added. Cost: two array reads.
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t id) const noexcept {
    const std::uint64_t place = id / page_ids;
    if (place >= page_of_.size() || page_of_[place] == 0) return std::nullopt;
    const std::uint32_t number = numbers_[slot(id)];
    return number == 0 ? std::nullopt : std::optional(number - 1);
  }
  /// Gives a node the next number. Precondition: the node has no number yet. Errors: resource_limit, cancelled.
  [[nodiscard]] Status add(std::uint64_t id) {
    CAIRN_TRY(page_of_.grow(id / page_ids + 1));
    std::uint32_t& page = page_of_[id / page_ids];
    if (page == 0) {
      page = static_cast<std::uint32_t>(numbers_.size() / page_ids) + 1;
      CAIRN_TRY(numbers_.grow(numbers_.size() + page_ids));
    }
    CAIRN_TRY(ids_.push_back(id));
    numbers_[slot(id)] = static_cast<std::uint32_t>(ids_.size());
    return {};
  }

 private:
  static constexpr std::uint64_t page_ids = 256;

  /// The index of an id in numbers_. Precondition: the page of the id exists.
  [[nodiscard]] std::size_t slot(std::uint64_t id) const noexcept {
    return (page_of_[id / page_ids] - 1) * page_ids + id % page_ids;
  }

  engine::Array<std::uint64_t> ids_;      // by node number
  engine::Array<std::uint32_t> page_of_;  // by id / page_ids: the page's number plus 1; 0: no page
  engine::Array<std::uint32_t>
      numbers_;  // by page, then by id within it: the node's number plus 1; 0: not added
};

/// Reads a property of relationships as the weights of an algorithm.
///
/// A relationship without the property weighs 1. If no property is named, every relationship weighs 1 and nothing is
/// read.
class WeightReader {
 public:
  /// The numbers that are valid as a weight.
  enum class Range : std::uint8_t { not_negative, positive };

  WeightReader(GraphReader& graph, std::string property, Range range)
      : graph_(graph), property_(std::move(property)), range_(range) {}

  /// False if no property is named, so that every weight is 1.
  [[nodiscard]] bool reads() const noexcept { return !property_.empty(); }
  /// Passes the weight of each relationship to `take`, in the order of `ids`. Errors: type_error for a value that is not
  /// a number, invalid_argument for a number out of range, both with the relationship; those of reading and of `take`.
  [[nodiscard]] Status read(std::span<const std::uint64_t> ids,
                            const std::function<Status(double)>& take);

 private:
  [[nodiscard]] Result<double> weight_of(std::uint64_t id, const Value& value) const;

  GraphReader& graph_;
  std::string property_;
  Range range_;
};

class GraphReader;

/// All lists of a selection, read at once.
///
/// Memory is charged to the statement: what NodeNumbers needs, and for each set of lists 8 bytes a node and 4 bytes a
/// relationship (12 bytes with weights). Threads: one.
class GraphProjection {
 public:
  /// Reads the nodes, and for each node its outgoing relationships, whatever direction was selected. Errors: those of
  /// reading and of the weights; resource_limit, cancelled.
  /// Cost: about 10 ns a relationship from a segment, 7 us a node from the store.
  [[nodiscard]] static Result<GraphProjection> make(ExecutionContext& context,
                                                    const GraphSelection& selection,
                                                    WeightReader::Range range);

  [[nodiscard]] std::size_t size() const noexcept { return numbers_.size(); }
  [[nodiscard]] std::uint64_t id(std::size_t node) const noexcept { return numbers_.id(node); }

  /// The direction that the request selected.
  [[nodiscard]] engine::Direction direction() const noexcept { return direction_; }
  /// The outgoing lists, as they were read.
  [[nodiscard]] const engine::Adjacency& stored() const noexcept { return stored_; }
  /// The lists for a walk in the selected direction (along) and in the opposite one (against).
  /// Errors: resource_limit, cancelled. Cost: one or two passes over the relationships.
  [[nodiscard]] Result<engine::Adjacency> along(engine::Limits& limits) const;
  [[nodiscard]] Result<engine::Adjacency> against(engine::Limits& limits) const;

 private:
  class Maker;

  explicit GraphProjection(engine::Limits& limits) noexcept : numbers_(limits), stored_(limits) {}
  /// Numbers the nodes in the order of their ids.
  [[nodiscard]] Status take_nodes(const codec::Bitmap& nodes, engine::Limits& limits);

  NodeNumbers numbers_;       // the nodes of the lists
  engine::Adjacency stored_;  // outgoing lists, by node number
  engine::Direction direction_ = engine::Direction::outgoing;
};

/// The lists of the nodes that a walk meets, each read at its first use and then cached.
///
/// Memory is charged to the statement: 24 bytes a step, about 80 bytes a node, and what NodeNumbers needs. The selection
/// must outlive the object. Threads: one.
class GraphSteps final : public engine::StepSource {
 public:
  GraphSteps(ExecutionContext& context, const GraphSelection& selection, WeightReader::Range range);

  /// The number of a node; numbers the node if it has none. Returns nullopt if the selection does not contain the node.
  [[nodiscard]] Result<std::optional<std::uint32_t>> find(std::uint64_t id);
  [[nodiscard]] std::uint64_t id(std::uint32_t node) const noexcept { return numbers_.id(node); }

  [[nodiscard]] std::uint32_t size() const noexcept override {
    return static_cast<std::uint32_t>(numbers_.size());
  }
  /// The steps from a node (`forward`) or to it, relative to the selected direction.
  [[nodiscard]] Result<std::span<const engine::WeightedStep>> steps(std::uint32_t node,
                                                                    bool forward) override;

 private:
  using List = engine::Array<engine::WeightedStep>;
  /// The cached lists of one node; nullopt until they are read.
  struct Lists {
    std::optional<List> forward;
    std::optional<List> backward;
  };

  /// The number of a node, which gets the next free one if it has none.
  [[nodiscard]] Result<std::uint32_t> number(std::uint64_t id);
  /// Reads one list from the store, without the neighbours and relationships that the selection excludes.
  [[nodiscard]] Result<List> read(std::uint64_t id, engine::Direction direction);
  [[nodiscard]] Status read_weights(List& list);

  ExecutionContext& context_;
  const GraphSelection& selection_;
  WeightReader weights_;
  NodeNumbers numbers_;
  engine::Array<Lists> lists_;           // by node number
  std::vector<engine::Adjacent> found_;  // scratch space of read()
};

}  // namespace cairn::query
