import Glibc

/// Asks every ten milliseconds whether something became true; false if it does not for 20 seconds.
@discardableResult
package func eventually(_ condition: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + .seconds(20)
  while !condition() {
    guard ContinuousClock.now < deadline else { return false }
    usleep(10_000)
  }
  return true
}
