import Locks
import MenuEngine
import MenuStore
import MicroHTTP

/// The channels that somebody subscribes to, or did within a minute.
final class EventChannels: Sendable {
  private struct Contents {
    var channels: [EventSubscription: Entry] = [:]
    var lastNumber = 0
    /// True if no more events are sent, since the server is about to stop.
    var isDraining = false
  }

  private struct Entry {
    let channel: EventChannel
    /// The number of looks in a row that found nobody.
    var quietLooks = 0
  }

  private let contents = Lock(Contents())

  /// Subscribes, and returns what is sent.
  ///
  /// - Parameter id: The last event that the subscriber knows; nil if it knows none.
  func subscribe(
    to subscription: EventSubscription, after id: EventID?, of store: SessionStore, nonce: String
  ) -> ResponseStream {
    let (channel, number) = contents.withLock { contents in
      contents.lastNumber += 1
      var channel =
        contents.channels[subscription]?.channel
        ?? EventChannel(subscription, of: store, nonce: nonce)
      if channel.hasEnded { channel = EventChannel(subscription, of: store, nonce: nonce) }
      contents.channels[subscription] = Entry(channel: channel)
      return (channel, contents.lastNumber)
    }
    let source = EventStream(channel, from: channel.cursor(after: id))
    let stream = ResponseStream(
      next: { source.next() }, whenClosed: { channel.remove(number) })
    channel.add(number) { stream.wake() }
    if contents.withLock(\.isDraining) { channel.close("draining") }
    return stream
  }

  /// Lets every stream show that it is alive, which finds those whose clients are gone.
  func beat() {
    for channel in contents.withLock({ $0.channels.values.map(\.channel) }) { channel.beat() }
  }

  /// Forgets the channels that nobody subscribed to at the last looks; it looks once in a while.
  func forgetQuiet() {
    let forgotten = contents.withLock { contents in
      var forgotten: [EventChannel] = []
      for (subscription, entry) in contents.channels {
        let looks = entry.channel.subscriberCount == 0 ? entry.quietLooks + 1 : 0
        contents.channels[subscription]?.quietLooks = looks
        guard looks > 1 || entry.channel.hasEnded else { continue }
        forgotten.append(entry.channel)
        contents.channels[subscription] = nil
      }
      return forgotten
    }
    withExtendedLifetime(forgotten) {}
  }

  /// Tells all subscribers that the server is about to stop.
  func drain() {
    let channels = contents.withLock { contents in
      contents.isDraining = true
      return contents.channels.values.map(\.channel)
    }
    for channel in channels { channel.close("draining") }
  }
}
