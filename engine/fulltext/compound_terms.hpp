#pragma once
// The terms of an index that match a word of a question in languages with compounds.

#include "engine/fulltext/analyzer.hpp"
#include "engine/fulltext/text_reader.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace cairn::engine {

/// Terms with their weights, from 0 to 1.
using TermWeights = std::map<std::string, double>;

/// Finds the compounds of a word, and the words of a compound, among the terms of some fields.
class CompoundTerms {
 public:
  /// The references must outlive this object. `limits` may be nullptr.
  CompoundTerms(const TextReader& reader, const Analyzer& analyzer,
                std::span<const std::uint8_t> fields, Limits* limits)
      : reader_(reader), analyzer_(analyzer), fields_(fields), limits_(limits) {}

  /// Adds the compounds that begin or end with `term`. A compound counts more if its rest is a word
  /// of the index. Cost: iterates over the terms with the same beginning, and those with the same
  /// end. Errors: corruption, and those of the limits.
  [[nodiscard]] Status add_compounds_of(std::string_view term, TermWeights& out) const;
  /// Adds the terms of which `term` consists. Cost: looks up two terms for each of its letters.
  [[nodiscard]] Status add_parts_of(std::string_view term, TermWeights& out) const;
  /// True if only texts in languages without compounds have the term. Returns false for short
  /// terms, because short terms have no marks, which would show it.
  [[nodiscard]] Result<bool> is_of_other_language(std::string_view term) const;

 private:
  [[nodiscard]] Result<bool> has_documents(std::string_view term) const;
  /// The term of a word, or an empty one if no text has it or if it is a stop word.
  [[nodiscard]] Result<std::string> known_term(std::string_view word) const;
  [[nodiscard]] Result<double> weight_of(std::string_view compound, std::string_view part) const;
  [[nodiscard]] Status collect(std::string_view beginning,
                               const std::function<std::string(std::string_view)>& compound_of,
                               std::string_view part, TermWeights& out) const;

  const TextReader& reader_;
  const Analyzer& analyzer_;
  std::span<const std::uint8_t> fields_;
  Limits* limits_;
};

}  // namespace cairn::engine
