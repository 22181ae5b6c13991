import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP

/// The channels that agents listen to, or did within a minute, and what their clients subscribe to.
final class AgentChannels: Sendable {
  private struct Contents {
    var channels: [AgentChannel.Subject: Entry] = [:]
    var lastNumber = 0
    /// True if nothing is sent any more, since the server is about to stop.
    var isDraining = false
  }

  private struct Entry {
    let channel: AgentChannel
    /// The number of looks in a row that found nobody.
    var quietLooks = 0
  }

  private let contents = Lock(Contents())
  /// What clients with a name subscribe to.
  let clients = AgentClients()

  /// Returns the stream of a listener.
  func listen(
    to subject: AgentChannel.Subject, _ listener: AgentListener, of store: SessionStore,
    nonce: String
  ) -> ResponseStream {
    let (channel, number) = contents.withLock { contents in
      contents.lastNumber += 1
      var channel =
        contents.channels[subject]?.channel ?? AgentChannel(subject, of: store, nonce: nonce)
      if channel.hasEnded { channel = AgentChannel(subject, of: store, nonce: nonce) }
      contents.channels[subject] = Entry(channel: channel)
      return (channel, contents.lastNumber)
    }
    let source = AgentStream(
      subject.session, channel, listener, clients: clients, mark: "\(nonce)-\(number)")
    let clients = clients
    let stream = ResponseStream(
      next: { source.next() },
      whenClosed: {
        channel.remove(number)
        if let client = listener.client { clients.end(stream: number, of: client) }
      })
    channel.add(number) { [weak stream] in stream?.wake() }
    if let client = listener.client {
      clients.begin(
        stream: number, of: client, topics: listener.last?.topics ?? [],
        ending: { [weak stream] in
          source.stop()
          stream?.wake()
        })
    }
    if contents.withLock(\.isDraining) { channel.close() }
    return stream
  }

  /// Lets the changes of a topic be known from now on to those who listen to a session.
  func watch(_ topics: AgentTopics, of session: SessionID) {
    for listsAll in [false, true] {
      let subject = AgentChannel.Subject(session: session, listsAll: listsAll)
      let channel = contents.withLock { $0.channels[subject]?.channel }
      channel?.watch(topics)
      channel?.wake()
    }
  }

  /// Lets every stream show that it is alive, which finds those whose clients are gone.
  func beat() {
    for channel in contents.withLock({ $0.channels.values.map(\.channel) }) { channel.beat() }
  }

  /// Forgets the channels that nobody listened to at the last looks; it looks once in a while.
  func forgetQuiet() {
    let forgotten = contents.withLock { contents in
      var forgotten: [AgentChannel] = []
      for (subject, entry) in contents.channels {
        let looks = entry.channel.listenerCount == 0 ? entry.quietLooks + 1 : 0
        contents.channels[subject]?.quietLooks = looks
        guard looks > 1 || entry.channel.hasEnded else { continue }
        forgotten.append(entry.channel)
        contents.channels[subject] = nil
      }
      return forgotten
    }
    withExtendedLifetime(forgotten) {}
  }

  /// Ends all streams, since the server is about to stop.
  func drain() {
    let channels = contents.withLock { contents in
      contents.isDraining = true
      return contents.channels.values.map(\.channel)
    }
    for channel in channels { channel.close() }
  }
}
