import JSONText
import Logging

/// Writes each event as one line on standard error, in one piece.
struct EventLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?
  var logLevel: Logger.Level
  private let format: LogFormat

  /// A log of the events that the configuration asks for.
  init(_ configuration: LogConfiguration) {
    logLevel = configuration.level
    format = configuration.format
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let provided = metadataProvider?.get() ?? [:]
    let all = provided.merging(metadata) { $1 }.merging(event.metadata ?? [:]) { $1 }
    let line = EventLine(
      milliseconds: Posix.milliseconds, level: event.level, message: "\(event.message)",
      details: all)
    Posix.write(line.text(in: format) + "\n", to: Posix.errors)
  }
}
