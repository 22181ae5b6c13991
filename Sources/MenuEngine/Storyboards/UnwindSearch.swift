/// The search for a view controller to unwind to.
struct UnwindSearch {
  let action: Selector
  let source: ResponderID
  let sending: Sending
  /// Those who were asked, so that nobody is twice.
  var asked: Set<ResponderID> = []
}

/// The way to the view controller that is unwound to.
struct UnwindRoute {
  /// From the source upward: each container or presenter, and what it contains or presents of the way.
  var climbed: [(from: ResponderID, to: ResponderID)] = []
  /// From the last one of those down to the destination.
  var descended: [ResponderID] = []

  /// The view controller that is unwound to.
  var destination: ResponderID
}
