#include "query/execute/expression/text_codes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::query {
namespace {

constexpr std::uint32_t no_text = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t longest_text = 512;
constexpr std::size_t most_texts = std::size_t{1} << 16;
constexpr std::size_t least_rows = 64;
constexpr std::size_t rows_a_text = 2;
constexpr std::size_t most_misses =
    3;  // batches with too many different entities, before none is looked at
constexpr std::size_t entry_bytes = 160;  // in both tables, and among the texts

}  // namespace

// After a write an entity may have another text. Columns that were given before stay as they are.
void TextCodes::begin(GraphReader& graph, codec::EntityKind kind) {
  if (kind_ == kind && epoch_ == graph.epoch()) return;
  kind_ = kind;
  epoch_ = graph.epoch();
  is_vain_ = false;
  misses_ = 0;
  code_of_id_.clear();
  code_of_text_.clear();
  texts_ = std::make_shared<std::vector<Value>>();
  held_ = Holding(graph.budget());
}

std::vector<std::uint64_t> TextCodes::unknown(std::span<const std::uint64_t> ids) const {
  std::vector<std::uint64_t> found;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if ((i == 0 || ids[i] != ids[i - 1]) && !code_of_id_.contains(ids[i])) found.push_back(ids[i]);
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

Result<bool> TextCodes::learn(std::span<const std::uint64_t> ids, std::span<const Value> values) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::string* const text = values[i].string();
    if (!values[i].is_null() && (text == nullptr || text->size() > longest_text)) return false;
    std::uint32_t code = no_text;
    if (text != nullptr) {
      const auto [known, is_new] =
          code_of_text_.try_emplace(*text, static_cast<std::uint32_t>(texts_->size()));
      code = known->second;
      if (is_new) {
        CAIRN_TRY(held_.add_bytes(2 * text->size()));
        texts_->push_back(values[i]);
      }
    }
    CAIRN_TRY(held_.add_bytes(entry_bytes));
    code_of_id_.emplace(ids[i], code);
  }
  return true;
}

Result<std::optional<BatchColumn>> TextCodes::column(GraphReader& graph, codec::EntityKind kind,
                                                     std::span<const std::uint64_t> ids,
                                                     std::string_view name) {
  const std::optional<BatchColumn> none;
  begin(graph, kind);
  if (is_vain_ || ids.size() < least_rows) return none;
  const std::vector<std::uint64_t> fresh = unknown(ids);
  if (fresh.size() > ids.size() / rows_a_text || code_of_id_.size() > most_texts) {
    is_vain_ = ++misses_ >= most_misses;
    return none;
  }
  for (std::size_t read = 0; !is_vain_ && read < fresh.size();) {
    const auto rest = std::span(fresh).subspan(read);
    CAIRN_ASSIGN(const auto values, graph.some_properties(kind, rest, name));
    CAIRN_ASSIGN(const bool are_texts, learn(rest.first(values.size()), values));
    is_vain_ = !are_texts;
    read += values.size();
  }
  if (is_vain_) return none;
  std::vector<std::uint64_t> words(ids.size());
  std::vector<std::uint8_t> missing;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool is_known = i > 0 && ids[i] == ids[i - 1] && missing.empty();
    const std::uint64_t code = is_known ? words[i - 1] : code_of_id_.at(ids[i]);
    if (code == no_text) {
      missing.resize(ids.size());
      missing[i] = 1;
    } else {
      words[i] = code;
    }
  }
  return std::optional(
      BatchColumn::words(BatchColumn::Form::codes, std::move(words), std::move(missing), texts_));
}

}  // namespace cairn::query
