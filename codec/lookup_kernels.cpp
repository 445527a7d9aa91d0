// Scores of vectors from lookup tables. foreach_target.h compiles this file once for each
// instruction set.
//
// Each 4-bit code selects a value from a table of 16 bytes. So a table fits one register, and one
// shuffle looks up 16 to 64 codes (the header names the paper). Used for residual codes of
// partitions and for 1-bit codes.
//
// Ranges, from a table entry to a score:
//   a lookup             0 to 63                    a byte
//   four of them added   0 to 252                   still a byte
//   512 lines            0 to 64,512                16 bits
//   the total            integer, exactly convertible below 2^24        32 bits, then float
//
// All sums before the last step are integers, so every machine and every order of lines computes
// the same.
#include "codec/lookup_kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codec/lookup_kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cairn::codec::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE

HWY_INLINE float number_of(std::uint16_t half) {
  const std::uint32_t bits = std::uint32_t{half} << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// For targets without vectors of known length: one vector after the other.
HWY_INLINE void score_block(const LookupBlocks& blocks, const std::uint8_t* codes,
                            const LookupScale& scale, std::size_t at, float* out) {
  for (std::size_t i = 0; i < lookup_block; ++i) {
    std::uint32_t sum = 0;
    for (std::size_t line = 0; line < blocks.lines; ++line) {
      const std::uint8_t both = codes[line * lookup_block + lookup_byte(i)];
      const std::uint8_t* tables = blocks.tables + 2 * line * lookup_table_bytes;
      sum += tables[both & 15] + std::uint32_t{tables[lookup_table_bytes + (both >> 4)]};
    }
    out[i] = scale.base + number_of(scale.factors[at + i]) *
                              (scale.unit * static_cast<float>(sum) + scale.offset);
    if (scale.losses != nullptr) out[i] -= scale.loss_unit * scale.losses[at + i];
  }
}

HWY_INLINE float half_at(const std::uint8_t* bytes) {
  return number_of(static_cast<std::uint16_t>(bytes[0] | bytes[1] << 8));
}

HWY_INLINE void score_group(const LookupRows& from, const std::uint8_t* const* rows,
                            const LookupScale& scale, float* out) {
  for (std::size_t i = 0; i < lookup_block; ++i) {
    std::uint32_t sum = 0;
    for (std::size_t b = 0; b < from.bytes; ++b) {
      const std::uint8_t* tables = from.tables + 2 * b * lookup_table_bytes;
      sum +=
          tables[rows[i][b] & 15] + std::uint32_t{tables[lookup_table_bytes + (rows[i][b] >> 4)]};
    }
    const std::uint8_t* end = rows[i] + from.pieces * lookup_piece;
    out[i] = scale.base + half_at(end - 2) * (scale.unit * static_cast<float>(sum) + scale.offset);
    if (scale.loss_unit != 0) out[i] -= scale.loss_unit * half_at(end - 4);
  }
}

#else

using Bytes = hn::CappedTag<std::uint8_t, lookup_block>;
using Halves = hn::Repartition<std::uint16_t, Bytes>;
using Sums = hn::Repartition<std::uint32_t, Bytes>;
using Floats = hn::Repartition<float, Bytes>;

// Returns the sums of the two lookups of one line, at most 126. Vectors cannot shift bytes, so
// codes are shifted as 16-bit halves, and the mask clears the bits of the neighbour.
HWY_INLINE hn::Vec<Bytes> look_up(const std::uint8_t* codes, const std::uint8_t* tables) {
  const Bytes bytes;
  const auto low_bits = hn::Set(bytes, 15);
  const auto both = hn::LoadU(bytes, codes);
  const auto second =
      hn::And(hn::BitCast(bytes, hn::ShiftRight<4>(hn::BitCast(Halves(), both))), low_bits);
  return hn::Add(hn::TableLookupBytes(hn::LoadDup128(bytes, tables), hn::And(both, low_bits)),
                 hn::TableLookupBytes(hn::LoadDup128(bytes, tables + lookup_table_bytes), second));
}

// Sums bytes in even and odd places as 16-bit numbers. To save a mask per step, `even` adds whole
// halves: it is (sum of even bytes) + 256 * (sum of odd bytes) modulo 2^16. Subtracting 256 times
// the odd sum at the end leaves the even sum, which fits.
HWY_INLINE void add_bytes(hn::Vec<Bytes> bytes, hn::Vec<Halves>& even, hn::Vec<Halves>& odd) {
  const auto halves = hn::BitCast(Halves(), bytes);
  even = hn::Add(even, halves);
  odd = hn::Add(odd, hn::ShiftRight<8>(halves));
}

// Adds the 16-bit sums to 32-bit totals. Byte 4 j + t of a line belongs to vector 16 t + j, so the
// four bytes of a 32-bit lane belong to four vectors, 16 apart. Masks and shifts separate them
// without a shuffle: the totals of vectors 16 t + j go to lane j of vector t.
HWY_INLINE void add_pairs(hn::Vec<Halves> even_halves, hn::Vec<Halves> odd_halves,
                          hn::Vec<Sums>* totals) {
  const Sums sums;
  const auto low = hn::Set(sums, 0xFFFF);
  const auto even = hn::BitCast(sums, hn::Sub(even_halves, hn::ShiftLeft<8>(odd_halves)));
  const auto odd = hn::BitCast(sums, odd_halves);
  totals[0] = hn::Add(totals[0], hn::And(even, low));
  totals[1] = hn::Add(totals[1], hn::And(odd, low));
  totals[2] = hn::Add(totals[2], hn::ShiftRight<16>(even));
  totals[3] = hn::Add(totals[3], hn::ShiftRight<16>(odd));
}

HWY_INLINE hn::Vec<Floats> product(hn::Vec<Sums> total, const LookupScale& scale) {
  const Floats floats;
  const auto sum = hn::ConvertTo(floats, hn::BitCast(hn::RebindToSigned<Sums>(), total));
  return hn::MulAdd(hn::Set(floats, scale.unit), sum, hn::Set(floats, scale.offset));
}

// Converts bfloat16, the upper half of a float.
HWY_INLINE hn::Vec<Floats> numbers_from(const std::uint16_t* halves) {
  const Sums sums;
  const hn::Rebind<std::uint16_t, Sums> narrow;
  return hn::BitCast(Floats(), hn::ShiftLeft<16>(hn::PromoteTo(sums, hn::LoadU(narrow, halves))));
}

HWY_INLINE void store(const hn::Vec<Sums>* totals, const LookupScale& scale, std::size_t at,
                      std::size_t within, float* out) {
  const Floats floats;
  for (std::size_t t = 0; t < 4; ++t) {
    const std::size_t place = 16 * t + within;
    auto score = hn::MulAdd(numbers_from(scale.factors + at + place), product(totals[t], scale),
                            hn::Set(floats, scale.base));
    if (scale.losses != nullptr)
      score = hn::NegMulAdd(hn::Set(floats, scale.loss_unit),
                            hn::LoadU(floats, scale.losses + at + place), score);
    hn::StoreU(score, floats, out + place);
  }
}

HWY_INLINE void score_block(const LookupBlocks& blocks, const std::uint8_t* codes,
                            const LookupScale& scale, std::size_t at, float* out) {
  constexpr std::size_t most_lines = 512;  // 2 * 512 * 63 fits in 16 bits
  const Bytes bytes;
  for (std::size_t part = 0; part < lookup_block; part += hn::Lanes(bytes)) {
    hn::Vec<Sums> totals[4];
    for (auto& total : totals) total = hn::Zero(Sums());
    // The next partition is elsewhere in memory, so its first lines are prefetched while this one
    // is summed.
    if (blocks.upcoming != nullptr && part == 0)
      for (std::size_t line = 0; line < blocks.lines; ++line)
        hwy::Prefetch(blocks.upcoming + (at * blocks.lines) + line * lookup_block);
    for (std::size_t line = 0; line < blocks.lines;) {
      const std::size_t end = HWY_MIN(line + most_lines, blocks.lines);
      auto even = hn::Zero(Halves()), odd = even;
      for (; line + 2 <= end; line += 2) {
        const std::uint8_t* from = codes + line * lookup_block + part;
        const std::uint8_t* tables = blocks.tables + 2 * line * lookup_table_bytes;
        add_bytes(hn::Add(look_up(from, tables),
                          look_up(from + lookup_block, tables + 2 * lookup_table_bytes)),
                  even, odd);
      }
      if (line < end) {
        add_bytes(look_up(codes + line * lookup_block + part,
                          blocks.tables + 2 * line * lookup_table_bytes),
                  even, odd);
        ++line;
      }
      add_pairs(even, odd, totals);
    }
    store(totals, scale, at, part / 4, out);
  }
}

// Loads one piece of each of the rows r, r + 4, r + 8, ... of a group into one register. With the
// shuffle below, this puts vector 16 t + j into byte 4 j + t.
template <class D>
HWY_INLINE hn::Vec<D> load_pieces(D bytes, const std::uint8_t* const* rows, std::size_t offset) {
  if constexpr (hn::MaxLanes(bytes) == lookup_piece) {
    return hn::LoadU(bytes, rows[0] + offset);
  } else {
    const hn::Half<D> half;
    return hn::Combine(bytes, load_pieces(half, rows + hn::MaxLanes(half) / 4, offset),
                       load_pieces(half, rows, offset));
  }
}

// The 16 registers are addressed by template recursion, because the compiler keeps an indexed array
// in memory.
template <std::size_t r = 0>
HWY_INLINE void load_registers(const std::uint8_t* const* rows, std::size_t offset,
                               hn::Vec<Bytes>* to) {
  to[r] = load_pieces(Bytes(), rows + 16 * (r % 4) + r / 4, offset);
  if constexpr (r + 1 < lookup_piece) load_registers<r + 1>(rows, offset, to);
}
template <std::size_t r = 0>
HWY_INLINE void shuffle_registers(const hn::Vec<Bytes>* from, hn::Vec<Bytes>* to) {
  constexpr std::size_t half = lookup_piece / 2;
  to[2 * r] = hn::InterleaveLower(Bytes(), from[r], from[r + half]);
  to[2 * r + 1] = hn::InterleaveUpper(Bytes(), from[r], from[r + half]);
  if constexpr (r + 1 < half) shuffle_registers<r + 1>(from, to);
}
template <std::size_t r = 0>
HWY_INLINE void store_registers(const hn::Vec<Bytes>* from, std::uint8_t* columns) {
  hn::Store(from[r], Bytes(), columns + r * lookup_block);
  if constexpr (r + 1 < lookup_piece) store_registers<r + 1>(from, columns);
}

// Transposes pieces of rows: byte b of all rows becomes columns[b], in the order of a line. Four
// perfect shuffles of the 16 registers transpose each block of 16 by 16 bytes.
HWY_INLINE void turn(const std::uint8_t* const* rows, std::size_t offset, std::uint8_t* columns) {
  hn::Vec<Bytes> some[lookup_piece], others[lookup_piece];
  load_registers(rows, offset, some);
  shuffle_registers(some, others);
  shuffle_registers(others, some);
  shuffle_registers(some, others);
  shuffle_registers(others, some);
  store_registers(some, columns);
}

// Returns the bfloat16 numbers of vectors 16 t + j (lane j), whose two bytes are in two adjacent
// columns.
HWY_INLINE hn::Vec<Floats> halves(const std::uint8_t* columns, int t) {
  const Sums sums;
  const auto byte = hn::Set(sums, 0xFF);
  const auto column = [&](std::size_t c) {
    const auto all = hn::BitCast(sums, hn::Load(Bytes(), columns + c * lookup_block));
    return hn::And(hn::ShiftRightSame(all, 8 * t), byte);
  };
  return hn::BitCast(Floats(), hn::Or(hn::ShiftLeft<16>(column(0)), hn::ShiftLeft<24>(column(1))));
}

// Converts totals to scores. `columns` holds the last piece, with the factors and losses of the
// rows.
HWY_INLINE void store_rows(const hn::Vec<Sums>* totals, const std::uint8_t* columns,
                           const LookupScale& scale, std::size_t within, float* out) {
  const Floats floats;
  for (int t = 0; t < 4; ++t) {
    auto score = hn::MulAdd(halves(columns + 14 * lookup_block, t), product(totals[t], scale),
                            hn::Set(floats, scale.base));
    if (scale.loss_unit != 0)
      score = hn::NegMulAdd(hn::Set(floats, scale.loss_unit),
                            halves(columns + 12 * lookup_block, t), score);
    hn::StoreU(score, floats, out + 16 * t + within);
  }
}

HWY_INLINE void score_group(const LookupRows& from, const std::uint8_t* const* rows,
                            const LookupScale& scale, float* out) {
  const Bytes bytes;
  // 1 KiB, so the transposed piece stays in the first-level cache.
  HWY_ALIGN std::uint8_t columns[lookup_piece * lookup_block];
  for (std::size_t part = 0; part < lookup_block; part += hn::Lanes(bytes)) {
    auto even = hn::Zero(Halves()), odd = even;
    for (std::size_t piece = 0; piece < from.pieces; ++piece) {
      const std::size_t offset = piece * lookup_piece;
      turn(rows + part / 4, offset, columns);
      const std::uint8_t* tables = from.tables + 2 * offset * lookup_table_bytes;
      // The last piece ends with the row's numbers and may hold no code at all.
      const std::size_t count =
          offset < from.bytes ? HWY_MIN(lookup_piece, from.bytes - offset) : 0;
      std::size_t b = 0;
      for (; b + 2 <= count; b += 2)
        add_bytes(hn::Add(look_up(columns + b * lookup_block, tables + 2 * b * lookup_table_bytes),
                          look_up(columns + (b + 1) * lookup_block,
                                  tables + 2 * (b + 1) * lookup_table_bytes)),
                  even, odd);
      if (b < count)
        add_bytes(look_up(columns + b * lookup_block, tables + 2 * b * lookup_table_bytes), even,
                  odd);
    }
    hn::Vec<Sums> totals[4];
    for (auto& total : totals) total = hn::Zero(Sums());
    add_pairs(even, odd, totals);
    store_rows(totals, columns, scale, part / 4, out);
  }
}

#endif

void ScoreBlocks(const LookupBlocks& blocks, std::size_t first, std::size_t count,
                 const LookupScale& scale, float* out) {
  const std::size_t bytes = blocks.lines * lookup_block;
  const std::uint8_t* codes = blocks.codes + first * bytes;
  for (std::size_t i = 0; i < count; ++i)
    score_block(blocks, codes + i * bytes, scale, i * lookup_block, out + i * lookup_block);
}

// Finds the addresses of up to one group of rows and prefetches their cache lines. An incomplete
// group is filled up with its first row.
HWY_INLINE void find_rows(const LookupRows& from, const std::uint32_t* rows, std::size_t count,
                          const std::uint8_t** found) {
  const std::size_t stride = from.pieces * lookup_piece;
  for (std::size_t i = 0; i < count; ++i) {
    found[i] = from.rows + rows[i] * stride;
    hwy::Prefetch(found[i]);
  }
  for (std::size_t at = lookup_block; at < stride + lookup_block - lookup_piece; at += lookup_block)
    for (std::size_t i = 0; i < count; ++i) hwy::Prefetch(found[i] + HWY_MIN(at, stride - 1));
  for (std::size_t i = count; i < lookup_block; ++i) found[i] = found[0];
}

// Row addresses are computed, and their rows prefetched, two groups before they are read.
void ScoreLookupRows(const LookupRows& from, const std::uint32_t* rows, std::size_t count,
                     const LookupScale& scale, float* out) {
  constexpr std::size_t ahead = 2;
  const std::uint8_t* found[ahead + 1][lookup_block];
  const std::size_t groups = (count + lookup_block - 1) / lookup_block;
  for (std::size_t group = 0; group < groups + ahead; ++group) {
    const std::size_t next = group * lookup_block;
    if (group < groups)
      find_rows(from, rows + next, HWY_MIN(lookup_block, count - next), found[group % (ahead + 1)]);
    // A ring of three groups of pointers: one is being scored, two are being loaded from memory.
    if (group < ahead) continue;
    const std::size_t at = next - ahead * lookup_block;
    const auto* const pointers = found[(group - ahead) % (ahead + 1)];
    if (at + lookup_block <= count) {
      score_group(from, pointers, scale, out + at);
    } else {
      float scores[lookup_block];
      score_group(from, pointers, scale, scores);
      std::copy_n(scores, count - at, out + at);
    }
  }
}

// One lane per code. Floats are summed in the same order on every machine.
void FillSignTables(const float* weights, std::size_t tables, std::uint8_t* out) {
  constexpr std::size_t bits = 4;
  const hn::CappedTag<float, lookup_table_bytes> floats;
  const hn::RebindToUnsigned<decltype(floats)> numbers;
  const hn::Rebind<std::uint8_t, decltype(floats)> bytes;
  for (; tables > 0; --tables, weights += bits, out += lookup_table_bytes) {
    // Minus the least sum, which has exactly the negative weights; 0.5 makes the conversion below
    // round to nearest.
    float least = 0.5F;
    for (std::size_t t = 0; t < bits; ++t) least += HWY_MAX(-weights[t], 0.0F);
    for (std::size_t first = 0; first < lookup_table_bytes; first += hn::Lanes(floats)) {
      const auto codes = hn::Iota(numbers, static_cast<std::uint32_t>(first));
      auto sums = hn::Set(floats, least);
      for (std::size_t t = 0; t < bits; ++t) {
        const auto is_set = hn::TestBit(codes, hn::Set(numbers, std::uint32_t{1} << t));
        sums = hn::Add(
            sums, hn::IfThenElseZero(hn::RebindMask(floats, is_set), hn::Set(floats, weights[t])));
      }
      const auto values = hn::Clamp(sums, hn::Zero(floats), hn::Set(floats, most_lookup_value));
      hn::StoreU(hn::DemoteTo(bytes, hn::ConvertTo(hn::RebindToSigned<decltype(floats)>(), values)),
                 bytes, out + first);
    }
  }
}

// Has no branch per number, because such branches would be mispredicted.
std::size_t FloatPlacesAbove(const float* scores, std::size_t count, float bound,
                             std::uint32_t* out, const std::uint64_t* among) {
  const hn::CappedTag<float, 16> floats;
  const hn::Repartition<std::uint32_t, decltype(floats)> places;
  const auto least = hn::Set(floats, bound);
  const std::size_t step = hn::Lanes(floats);
  const auto bits_from = [&](std::size_t i) {
    return among == nullptr ? ~std::uint64_t{0} : among[i / 64] >> i % 64;
  };
  std::size_t found = 0, i = 0;
  for (; i + step <= count; i += step) {
    std::uint8_t bits[sizeof(std::uint64_t)];
    hwy::CopyBytes<sizeof(bits)>(std::array{bits_from(i)}.data(), bits);
    const auto above = hn::And(hn::RebindMask(places, hn::Gt(hn::LoadU(floats, scores + i), least)),
                               hn::LoadMaskBits(places, bits));
    const auto numbers = hn::Iota(places, static_cast<std::uint32_t>(i));
    hn::StoreU(hn::Compress(numbers, above), places, out + found);
    found += hn::CountTrue(places, above);
  }
  for (; i < count; ++i)
    if (scores[i] > bound && (bits_from(i) & 1) != 0) out[found++] = static_cast<std::uint32_t>(i);
  return found;
}

}  // namespace cairn::codec::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::codec::kernels {

HWY_EXPORT(ScoreBlocks);
HWY_EXPORT(ScoreLookupRows);
HWY_EXPORT(FillSignTables);
HWY_EXPORT(FloatPlacesAbove);

void score_blocks(const LookupBlocks& blocks, std::size_t first, std::size_t count,
                  const LookupScale& scale, float* out) {
  HWY_DYNAMIC_DISPATCH(ScoreBlocks)(blocks, first, count, scale, out);
}
void score_lookup_rows(const LookupRows& from, const std::uint32_t* rows, std::size_t count,
                       const LookupScale& scale, float* out) {
  HWY_DYNAMIC_DISPATCH(ScoreLookupRows)(from, rows, count, scale, out);
}
void fill_binary_tables(const float* weights, std::size_t tables, std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(FillSignTables)(weights, tables, out);
}
std::size_t places_above(const float* scores, std::size_t count, float bound, std::uint32_t* out,
                         const std::uint64_t* among) {
  return HWY_DYNAMIC_DISPATCH(FloatPlacesAbove)(scores, count, bound, out, among);
}

}  // namespace cairn::codec::kernels
#endif
