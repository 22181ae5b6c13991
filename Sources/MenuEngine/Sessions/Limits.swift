import JSONText

/// Limits of one mutation, so that no input keeps a session busy or outgrows the stack.
public enum Limits {
  /// The nesting of arrays and objects in state and properties.
  public static let depth = 128
  /// The size of a value that is added or merged, as `JSON.fits(depth:size:)` counts it.
  public static let work = 1 << 18
  /// The maximum nesting of sends, which is also the default.
  public static let sends = 16
  /// The default number of effects of one performed command, those of nested sends included.
  public static let effects = 1000
  /// The nesting of menus; those directly in the root count as one.
  public static let menus = 32
  /// The nesting of the relationships of scenes.
  public static let scenes = 32

  /// The number of steps of one request: those of its rules, and one for each responder that is
  /// asked. A step of a trace counts 64 times.
  ///
  /// This is ten times what it takes to validate 10,000 commands at once, and 35 times what the photo
  /// application takes with traces; they keep a thread for about 20 ms.
  public static let effort = 1 << 20

  /// The number of groups on each stack of an undo manager when `levelsOfUndo` sets no limit, or a
  /// higher one; beyond it the oldest are dropped.
  public static let undoGroups = 1024
  /// The size of each stack of an undo manager, in values and bytes of strings; beyond it the
  /// oldest groups are dropped. A change that would make one group larger than that is refused.
  public static let undoSize = 1 << 22
  /// The number of groups, and of their actions together, that are kept although undoing would pass over them
  /// (U4); beyond either the oldest are dropped.
  static let passedGroups = 64
  static let passedActions = 4096
  /// The number of places that an answer lists as kept by undoing (U4).
  public static let keptPlaces = 256
  /// The number of bytes of the key by which patches are one group (U6).
  public static let coalescingKey = 256
  /// The number of places that one undo manager ignores (U5).
  public static let ignoredPlaces = 256
  /// The nesting of undo groups.
  public static let undoNesting = 64

  /// The number of messages that can wait at a time (C6).
  public static let queuedMessages = 1024
  /// The size of the arguments of all waiting messages, in values and bytes of strings.
  public static let queueSize = 1 << 22

  /// The number of settled deliveries that a session keeps; beyond it the oldest are forgotten
  /// (D3).
  public static let settledDeliveries = 1024
  /// The size of all settled deliveries, in bytes of written JSON; the one settled last is kept in
  /// any case.
  public static let settledSize = 1 << 20

  /// The size of the name of who claims a delivery, in bytes.
  public static let claimerName = 256

  static let patch = JSONPatchLimits(depth: depth, work: work)
}
