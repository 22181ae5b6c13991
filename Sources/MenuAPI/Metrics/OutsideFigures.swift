/// The resources of the process at one moment.
package struct ProcessFigures: Sendable {
  /// Processor time in nanoseconds.
  package var processorTime: Int
  /// Memory in use, in bytes.
  package var residentMemory: Int
  /// Memory that there are addresses for, in bytes.
  package var virtualMemory: Int
  /// The time of its start, in milliseconds since 1970-01-01T00:00:00Z.
  package var startTime: Int64
  package var openDescriptors: Int
  package var maximumDescriptors: Int

  package init(
    processorTime: Int, residentMemory: Int, virtualMemory: Int, startTime: Int64,
    openDescriptors: Int, maximumDescriptors: Int
  ) {
    self.processorTime = processorTime
    self.residentMemory = residentMemory
    self.virtualMemory = virtualMemory
    self.startTime = startTime
    self.openDescriptors = openDescriptors
    self.maximumDescriptors = maximumDescriptors
  }
}

/// The load of the server that brings the requests, at one moment.
package struct ServerFigures: Sendable {
  package var requestsInFlight: Int
  package var connections: Int
  /// The connections so far that were closed for others.
  package var evictedConnections: Int
  /// The bytes of large answers that clients have not read yet.
  package var unsentBytes: Int
  /// The connections so far that were closed since their clients did not read answers.
  package var unreadEvictions: Int
  /// The bytes of large bodies of requests that are not answered yet.
  package var receivedBytes: Int
  /// The answers that come in pieces and have not ended.
  package var streams: Int

  package init(
    requestsInFlight: Int, connections: Int, evictedConnections: Int = 0, unsentBytes: Int = 0,
    unreadEvictions: Int = 0, receivedBytes: Int = 0, streams: Int = 0
  ) {
    self.requestsInFlight = requestsInFlight
    self.connections = connections
    self.evictedConnections = evictedConnections
    self.unsentBytes = unsentBytes
    self.unreadEvictions = unreadEvictions
    self.receivedBytes = receivedBytes
    self.streams = streams
  }
}
