// Id-set algebra over a universe of 10,000,000 ids. The argument is the number of ids in each set:
// 300,000 make arrays of about 2,000 values, 2,000,000 make bitmaps.

#include "codec/bitmap.hpp"

#include <benchmark/benchmark.h>

#include <random>

namespace {

using namespace cairn::codec;

constexpr std::uint64_t universe = 10'000'000;

Bitmap random_set(std::uint64_t seed, std::size_t count, std::uint64_t bound = universe) {
  std::mt19937_64 random(seed);
  Bitmap set;
  while (set.cardinality() < count) {
    std::vector<std::uint64_t> ids(count - set.cardinality());
    for (std::uint64_t& id : ids) id = random() % bound;
    set = unite(set, Bitmap::from_unsorted(ids));
  }
  return set;
}

using Operation = Bitmap (*)(const Bitmap&, const Bitmap&);

void operate(benchmark::State& state, Operation operation) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const Bitmap a = random_set(1, count);
  const Bitmap b = random_set(2, count);
  for (auto _ : state) benchmark::DoNotOptimize(operation(a, b));
}
BENCHMARK_CAPTURE(operate, intersect, intersect)->Arg(10'000)->Arg(300'000)->Arg(2'000'000);
BENCHMARK_CAPTURE(operate, unite, unite)->Arg(10'000)->Arg(300'000)->Arg(2'000'000);
BENCHMARK_CAPTURE(operate, subtract, subtract)->Arg(10'000)->Arg(300'000)->Arg(2'000'000);

void count_intersection(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const Bitmap a = random_set(1, count);
  const Bitmap b = random_set(2, count);
  for (auto _ : state) benchmark::DoNotOptimize(intersection_cardinality(a, b));
}
BENCHMARK(count_intersection)->Arg(10'000)->Arg(300'000)->Arg(2'000'000);

// Both sets hold every second id of 600,000.
void intersect_dense(benchmark::State& state) {
  const Bitmap a = random_set(1, 300'000, 600'000);
  const Bitmap b = random_set(2, 300'000, 600'000);
  for (auto _ : state) benchmark::DoNotOptimize(intersect(a, b));
}
BENCHMARK(intersect_dense);

void intersect_array_with_bitmap(benchmark::State& state) {
  const Bitmap a = random_set(1, 300'000);
  const Bitmap b = random_set(2, 2'000'000);
  for (auto _ : state) benchmark::DoNotOptimize(intersect(a, b));
}
BENCHMARK(intersect_array_with_bitmap);

void intersect_skewed(benchmark::State& state) {
  const Bitmap a = random_set(1, 1'000);
  const Bitmap b = random_set(2, 300'000);
  for (auto _ : state) benchmark::DoNotOptimize(intersect(a, b));
}
BENCHMARK(intersect_skewed);

void intersect_with_everything(benchmark::State& state) {
  const Bitmap a = random_set(1, 300'000);
  const Bitmap b = Bitmap::of_range(0, universe - 7);
  for (auto _ : state) benchmark::DoNotOptimize(intersect(a, b));
}
BENCHMARK(intersect_with_everything);

void unite_sets_of_one_id(benchmark::State& state) {
  std::mt19937_64 random(1);
  std::vector<Bitmap> sets(static_cast<std::size_t>(state.range(0)));
  for (Bitmap& set : sets) set.add(random() % universe);
  for (auto _ : state) benchmark::DoNotOptimize(unite_all(sets));
}
BENCHMARK(unite_sets_of_one_id)->Arg(10'000)->Arg(100'000)->Arg(1'000'000);

void build_from_single_ids(benchmark::State& state) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> ids(static_cast<std::size_t>(state.range(0)));
  for (std::uint64_t& id : ids) id = random() % universe;
  for (auto _ : state) {
    BitmapBuilder builder;
    for (std::uint64_t id : ids) builder.add(id);
    benchmark::DoNotOptimize(builder.build());
  }
}
BENCHMARK(build_from_single_ids)->Arg(100'000);

void walk(benchmark::State& state) {
  const Bitmap set = random_set(1, static_cast<std::size_t>(state.range(0)));
  std::vector<std::uint64_t> piece(1'024);
  for (auto _ : state) {
    IdCursor cursor(set);
    while (cursor.next(piece) != 0) benchmark::DoNotOptimize(piece.data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(walk)->Arg(300'000)->Arg(2'000'000);

}  // namespace
