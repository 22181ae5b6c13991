import Glibc

/// Asks every ten milliseconds whether something became true; false if it does not for a time, by default 20 seconds.
@discardableResult
package func eventually(within time: Duration = .seconds(20), _ condition: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + time
  while !condition() {
    guard ContinuousClock.now < deadline else { return false }
    usleep(10_000)
  }
  return true
}
