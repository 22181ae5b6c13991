import MenuAPI

extension Setting {
  /// The settings of authorization.
  static let authorization = [
    allowedHosts, required, administratorToken, administratorTokenFile, origins, metricsOpen,
  ]

  static let allowedHosts = server("allowedHosts", .hosts(\.hosts.names))
  static let required = Setting(["auth", "required"], .requirement(\.auth.required))
  static let administratorToken = Setting(
    ["auth", "administratorToken"], .token(\.auth.administratorToken))
  static let administratorTokenFile = Setting(
    ["auth", "administratorTokenFile"], .text(\.auth.administratorTokenFile))
  static let metricsOpen = Setting(["metrics", "open"], .flag(\.opensMetrics))
  static let origins = Setting(["cors", "origins"], .origins(\.origins.origins))
}
