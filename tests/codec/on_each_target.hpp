#pragma once
// Kernels are chosen when the program runs; a test of them goes through every choice.

#include <hwy/targets.h>

#include <cstdint>

namespace cairn::test {

/// Runs `test` once with each instruction set that this processor has.
template <class Test>
void on_each_target(Test&& test) {
  for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
    const std::int64_t target = targets & -targets;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    test(hwy::TargetName(target));
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace cairn::test
