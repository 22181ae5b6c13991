import Logging
import MenuAPI

extension Service {
  /// Reads the administrators' tokens again. When there are mistakes, they are logged and the tokens stay as they are.
  func reloadTokens(from configuration: Configuration, _ log: Logger) {
    do throws(ConfigurationFaults) {
      guard let tokens = try configuration.authorization().administrators else { return }
      let revoked = replaceAdministrators(by: tokens)
      log.notice(
        "tokens reloaded",
        metadata: [
          "tokens": .stringConvertible(tokens.count), "revoked": .stringConvertible(revoked),
        ])
    } catch {
      for fault in error.faults { log.error("mistake", metadata: ["fault": "\(fault)"]) }
      log.error("tokens not reloaded", metadata: ["faults": .stringConvertible(error.faults.count)])
    }
  }
}
