import Glibc

/// Asks every ten milliseconds whether something became true; false if it does not for a time, by default two minutes.
@discardableResult
package func eventually(within time: Duration = .seconds(120), _ condition: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + time
  while !condition() {
    guard ContinuousClock.now < deadline else { return false }
    usleep(10_000)
  }
  return true
}
