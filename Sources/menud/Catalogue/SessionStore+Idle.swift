import Logging
import MenuStore

extension SessionStore {
  /// Closes the sessions that nobody asked for too long, and logs which; one process does so for all on its journal,
  /// which let it know what they were asked for. Those that the configuration opens stay.
  func closeIdle(_ configuration: Configuration, _ log: Logger) {
    let patience = configuration.sessionIdle
    guard patience > .zero else { return }
    tellReads()
    guard isCaretaker else { return }
    // Others tell of a reading that much later.
    let delay = agreement == nil ? .zero : configuration.sweepInterval + .seconds(1)
    let milliseconds = Int64((patience + delay) / .milliseconds(1))
    let (closed, fault) = closeIdle(forMoreThan: milliseconds, besides: Set(configuration.sessions))
    for id in closed { log.notice("expired", metadata: ["session": "\(id)"]) }
    if let fault { log.error("not expired", metadata: ["reason": "\(fault)"]) }
  }
}

extension SessionStore {
  /// Lets go of the sessions that nobody asked this process for, if it shares its journal.
  func unloadIdle(_ configuration: Configuration) {
    let patience = configuration.replicas.unloadAfter
    if patience > .zero { unloadIdle(forMoreThan: Int64(patience / .milliseconds(1))) }
  }
}

extension Configuration {
  /// The interval of looking for idle sessions: a few times while one may be left alone,
  /// but neither more than twice a second nor less than once a minute.
  var sweepInterval: Duration {
    sessionIdle == .zero
      ? .seconds(60) : min(max(sessionIdle / 4, .milliseconds(500)), .seconds(60))
  }
}
