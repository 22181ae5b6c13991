import Glibc

/// Asks every two milliseconds for 20 seconds at most; answers whether it became true.
func eventually(_ condition: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + .seconds(20)
  while !condition() {
    guard ContinuousClock.now < deadline else { return false }
    usleep(2000)
  }
  return true
}
