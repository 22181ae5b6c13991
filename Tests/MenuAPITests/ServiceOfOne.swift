import MenuEngine
import MenuStore
import StoreSupport

@testable import MenuAPI

extension Service {
  /// Returns a service without a journal, in which a session is open.
  static func ofOne(_ session: Session, in catalog: Catalog) throws -> Service {
    let store = SessionStore(catalog: catalog)
    try store.open(session)
    return Service(
      store: store,
      Service.Dependencies(
        now: { 1_795_250_000_123 }, newSessionID: { "copy" }, newToken: { "token" }, nonce: "n"))
  }
}
