import JSONText

/// How much one mutation may do, so that no input keeps a session busy or outgrows the stack.
public enum Limits {
  /// How deep arrays and objects may stand inside each other in state and properties.
  public static let depth = 128
  /// How much a value that is added or merged may hold, as `JSON.fits(depth:size:)` counts it.
  public static let work = 1 << 18
  /// How deep sends may stand inside sends at most, which is also the default.
  public static let sends = 16
  /// How many effects one performed command may have, those of nested sends included, by default.
  public static let effects = 1000
  /// How deep menus may stand inside each other, those directly in the root counting as one.
  public static let menus = 32
  /// How deep the relationships of scenes may go, one taking another with it.
  public static let scenes = 32

  /// How many steps one request may take: those of its rules and one for each responder that is
  /// asked. A step of a trace counts 64 times.
  ///
  /// This is ten times what it takes to validate 10,000 commands at once, and 35 times what the photo
  /// application takes with traces; they keep a thread for about 20 ms.
  public static let effort = 1 << 20

  /// How many groups an undo manager keeps on each stack when `levelsOfUndo` sets no limit, or a
  /// higher one; for more the oldest are dropped.
  public static let undoGroups = 1024
  /// How much each stack of an undo manager may hold, in values and bytes of strings; for more the
  /// oldest groups are dropped. What would make one group larger than that is refused.
  public static let undoSize = 1 << 22
  /// How deep undo groups may stand inside each other.
  public static let undoNesting = 64

  /// How many messages can wait at a time (C6).
  public static let queuedMessages = 1024
  /// How much the arguments of waiting messages may hold together, in values and bytes of strings.
  public static let queueSize = 1 << 22

  /// How many settled deliveries a session keeps, of which the oldest are forgotten (D3).
  public static let settledDeliveries = 1024
  /// How much settled deliveries may hold together, in bytes as JSON is written; the one settled last is kept
  /// in any case.
  public static let settledSize = 1 << 20

  static let patch = JSONPatchLimits(depth: depth, work: work)
}
