import JSONText
import MenuEngine
import MicroHTTP
import Testing

@testable import MenuAPI

extension Authorization {
  /// Requests need a token; that of the administrator is `adminadminadmin1`.
  static var closed: Authorization {
    var authorization = Authorization()
    authorization.administrators = [
      TokenDigest(of: "adminadminadmin0"), TokenDigest(of: "adminadminadmin1"),
    ]
    return authorization
  }
}

extension SampleService {
  /// The fields of a request with an administrator's token.
  static let administrator = bearer("adminadminadmin1")

  /// Returns the fields of a request with a token.
  static func bearer(_ token: String) -> [(String, String)] {
    [("Authorization", "Bearer \(token)")]
  }

  /// Opens a session and answers the fields of requests with its token.
  func openWithToken(_ id: String) throws -> [(String, String)] {
    let response = try send(
      .post, "/sessions", #"{"id":"\#(id)"}"#, headers: Self.administrator)
    let value = try response.value("/token")
    guard case .string(let token)? = value else { return [] }
    return Self.bearer(token)
  }
}
