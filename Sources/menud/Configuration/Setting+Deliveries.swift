import MenuAPI

extension Setting {
  /// The times of deliveries.
  static let deliveries = [claim, deliveryRetention]

  /// The time that a claim lasts.
  static let claim = Setting(["deliveries", "claim"], .seconds(\.claim))
  /// The time for which a settled delivery is kept.
  static let deliveryRetention = Setting(
    ["deliveries", "retention"], .seconds(\.deliveryRetention))
}
