#pragma once
// Reads the steps of a tokenizer: a step of some kind, or a sequence of steps.

#include "tools/embedders/tokenizer/settings.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::tools {

/// The steps of one role of a tokenizer, such as its normalizers.
template <class Step>
struct StepKinds {
  struct Kind {
    std::string_view type;
    Result<Step> (*read)(const Settings&);
  };

  std::string role;           ///< for messages
  std::string_view sequence;  ///< the member of a sequence that has its steps
  std::span<const Kind> kinds;

  /// Appends the steps of a value: none if it is null. Recurses as deep as the value nests. Errors:
  /// corruption; unsupported, with its name, for a step that is not among the kinds.
  [[nodiscard]] Status read_into(const Value& value, std::vector<Step>& steps) const {
    if (value.is_null()) return {};
    CAIRN_ASSIGN(const Settings settings, Settings::of(value, role));
    if (settings.type() == "Sequence") {
      CAIRN_TRY(settings.check_names({sequence}));
      CAIRN_ASSIGN(const List* const inner, settings.list(sequence));
      for (const Value& one : *inner) CAIRN_TRY(read_into(one, steps));
      return {};
    }
    const auto kind = std::ranges::find(kinds, settings.type(), &Kind::type);
    if (kind == kinds.end()) return settings.unknown_type();
    CAIRN_ASSIGN(auto step, kind->read(settings));
    steps.push_back(std::move(step));
    return {};
  }
};

}  // namespace cairn::tools
