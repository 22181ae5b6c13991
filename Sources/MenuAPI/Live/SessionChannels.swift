import Locks
import MenuEngine
import MenuStore

/// The channels of a session that have subscribers or listeners, or had some recently.
struct SessionChannels: Sendable {
  struct Entry<Channel: Sendable>: Sendable {
    let channel: Channel
    /// The number of the last subscription to the channel.
    var used: Int
    /// The number of consecutive sweeps without subscribers.
    var quietLooks = 0
  }

  private(set) var events: [EventSubscription: Entry<EventChannel>] = [:]
  private var agents: [AgentChannel.Subject: Entry<AgentChannel>] = [:]
  /// The number of streams of events.
  var streams = 0

  var isEmpty: Bool { events.isEmpty && agents.isEmpty && streams == 0 }

  /// True if there are subscribers or listeners.
  var isFollowed: Bool { streams > 0 || agents.values.contains { $0.channel.listenerCount > 0 } }
}

// MARK: Events

extension SessionChannels {
  /// Returns the channel of a subscription, for which there is room.
  ///
  /// - Parameter number: The number of the subscription.
  mutating func channel(
    of subscription: EventSubscription, for number: Int, else make: () -> EventChannel
  ) -> EventChannel {
    var channel = events[subscription]?.channel
    if channel?.hasEnded == true { channel = nil }
    let found = channel ?? make()
    events[subscription] = Entry(channel: found, used: number)
    return found
  }

  /// True if there is room for channels of the subscriptions beside those with subscribers.
  func hasRoom(for subscriptions: [EventSubscription], within limit: Int) -> Bool {
    let more = subscriptions.filter { events[$0] == nil }
    guard events.count + more.count > limit else { return true }
    let others = events.filter {
      $0.value.channel.subscriberCount > 0 && !subscriptions.contains($0.key)
    }
    return others.count + subscriptions.count <= limit
  }

  /// Drops channels without subscribers, least recently used first, while there are more than the limit.
  mutating func makeRoom(within limit: Int) -> [EventChannel] {
    var forgotten: [EventChannel] = []
    while events.count > limit {
      let quiet = events.filter { $0.value.channel.subscriberCount == 0 }
      guard let oldest = quiet.min(by: { $0.value.used < $1.value.used })?.key,
        let entry = events.removeValue(forKey: oldest)
      else { break }
      forgotten.append(entry.channel)
    }
    return forgotten
  }
}

// MARK: Agents

extension SessionChannels {
  var agentChannels: [AgentChannel] { agents.values.map(\.channel) }

  /// Returns the channel of a subject, and makes it if there is none.
  mutating func agentChannel(
    of subject: AgentChannel.Subject, else make: () -> AgentChannel
  ) -> AgentChannel {
    var channel = agents[subject]?.channel
    if channel?.hasEnded == true { channel = nil }
    let found = channel ?? make()
    agents[subject] = Entry(channel: found, used: 0)
    return found
  }
}

// MARK: Sweeping

extension SessionChannels {
  /// Drops and returns the channels that had no subscribers for several sweeps.
  mutating func sweep() -> [any Sendable] {
    Self.sweep(&events, \.subscriberCount) + Self.sweep(&agents, \.listenerCount)
  }

  private static func sweep<Key, Channel>(
    _ entries: inout [Key: Entry<Channel>], _ count: (Channel) -> Int
  ) -> [Channel] {
    var forgotten: [Channel] = []
    for (key, entry) in entries {
      let looks = count(entry.channel) == 0 ? entry.quietLooks + 1 : 0
      entries[key]?.quietLooks = looks
      guard looks > 1 else { continue }
      forgotten.append(entry.channel)
      entries[key] = nil
    }
    return forgotten
  }
}
