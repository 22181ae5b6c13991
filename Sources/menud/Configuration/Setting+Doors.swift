import MenuAPI

extension Setting {
  /// The settings of authorization.
  static let doors = [
    allowedHosts, required, administratorToken, administratorTokenFile, origins, metricsOpen,
  ]

  static let allowedHosts = server("allowedHosts", "ALLOWED_HOSTS", .hosts(\.hosts.names))
  static let required = Setting(
    ["auth", "required"], "AUTH_REQUIRED", .requirement(\.auth.required))
  static let administratorToken = Setting(
    ["auth", "administratorToken"], "AUTH_ADMINISTRATOR_TOKEN", .token(\.auth.administratorToken))
  static let administratorTokenFile = Setting(
    ["auth", "administratorTokenFile"], "AUTH_ADMINISTRATOR_TOKEN_FILE",
    .text(\.auth.administratorTokenFile))
  static let metricsOpen = Setting(["metrics", "open"], "METRICS_OPEN", .flag(\.opensMetrics))
  static let origins = Setting(["cors", "origins"], "CORS_ORIGINS", .origins(\.origins.origins))
}
