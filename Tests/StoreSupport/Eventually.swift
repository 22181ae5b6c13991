import Glibc

/// Asks every ten milliseconds, for two minutes at most, and returns true once a condition holds.
package func eventually(_ condition: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + .seconds(120)
  while !condition() {
    guard ContinuousClock.now < deadline else { return false }
    usleep(10_000)
  }
  return true
}
