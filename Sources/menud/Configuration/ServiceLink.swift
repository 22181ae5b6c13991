/// The variables that Kubernetes sets for every service in a container's namespace.
///
/// Those of a service called `menud`, or `menud-server`, begin as menud's own do.
enum ServiceLink {
  /// Returns true if Kubernetes has set the variable: `MENUD_PORT` to `tcp://10.0.0.11:8080`,
  /// `MENUD_SERVICE_HOST`, `MENUD_SERVICE_PORT_HTTP`, `MENUD_PORT_8080_TCP_ADDR` and their like.
  static func isVariable(_ name: String, _ value: String) -> Bool {
    let protocols = ["TCP", "UDP", "SCTP"]
    if name.hasSuffix("_PORT") || protocols.contains(where: { name.hasSuffix("_\($0)") }),
      protocols.contains(where: { value.hasPrefix("\($0.lowercased())://") })
    {
      return true
    }
    let parts = ["PROTO", "PORT", "ADDR"]
    return name.hasSuffix("_SERVICE_HOST") || name.hasSuffix("_SERVICE_PORT")
      || name.contains("_SERVICE_PORT_")
      || protocols.contains { kind in parts.contains { name.hasSuffix("_\(kind)_\($0)") } }
  }
}
