#pragma once
// PostingOverlay: what one transaction changed in the postings, so that it finds its own writes
// through the indexes too. It lies over what was committed when the transaction began.

#include "codec/id_set.hpp"
#include "engine/store/cursor.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cairn::engine {

class PostingOverlay {
 public:
  struct Change {
    std::uint64_t id = 0;
    bool added = false;
  };
  /// One posting's changes in the order they were made; of one id the last counts.
  struct Posting {
    std::vector<Change> changes;
    std::optional<codec::IdSet> merged;  ///< the committed posting with `applied` changes
    std::size_t applied = 0;
  };
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };
  using Postings = std::unordered_map<std::string, Posting, TextHash, std::equal_to<>>;

  /// Cost: one hash lookup; nothing is sorted or merged before it is asked for.
  void change(std::string_view posting, Change change);
  [[nodiscard]] bool empty() const noexcept { return postings_.empty(); }
  [[nodiscard]] const Postings& postings() const noexcept { return postings_; }
  [[nodiscard]] bool contains(std::string_view posting) const {
    return postings_.find(posting) != postings_.end();
  }

  /// The posting as the transaction sees it; `committed` gives what lies below and is asked once.
  template <class Committed>
  [[nodiscard]] auto merged(std::string_view posting, Committed&& committed)
      -> decltype(committed());

  /// Names of the changed postings in a range of keys; valid until the next change.
  [[nodiscard]] std::vector<std::string_view> changed_in(const KeyRange& range);
  [[nodiscard]] std::size_t memory_bytes() const noexcept { return memory_bytes_; }

 private:
  /// Apply what `merged` does not have yet.
  static void catch_up(Posting& posting);

  Postings postings_;
  std::vector<const std::string*> sorted_;  // names, for ranges; those in fresh_ are still missing
  std::vector<const std::string*> fresh_;
  std::size_t memory_bytes_ = 0;
};

template <class Committed>
auto PostingOverlay::merged(std::string_view posting, Committed&& committed)
    -> decltype(committed()) {
  const auto found = postings_.find(posting);
  if (found == postings_.end()) return committed();
  Posting& entry = found->second;
  if (!entry.merged) {
    auto below = committed();
    if (!below) return below;
    entry.merged = std::move(*below);
  }
  catch_up(entry);
  return *entry.merged;
}

}  // namespace cairn::engine
