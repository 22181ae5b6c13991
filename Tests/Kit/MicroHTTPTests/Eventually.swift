import Glibc

/// Asks every two milliseconds for two minutes at most; answers whether it became true.
func eventually(_ condition: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + .seconds(120)
  while !condition() {
    guard ContinuousClock.now < deadline else { return false }
    usleep(2000)
  }
  return true
}
