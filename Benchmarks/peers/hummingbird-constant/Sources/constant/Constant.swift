import Hummingbird
import Logging
import NIOCore
import NIOPosix

/// The constant server on hummingbird: the answer to any request for `/STATUS/BYTES` is a constant
/// body of so many bytes. One event loop, as menud has one thread.
///
///     hummingbird-constant PORT        on 127.0.0.1, until SIGTERM
@main
struct Constant {
  static func main() async throws {
    guard CommandLine.arguments.count == 2, let port = Int(CommandLine.arguments[1]) else {
      fatalError("usage: hummingbird-constant PORT")
    }
    let router = Router()
    for method in [HTTPRequest.Method.get, .post, .patch] {
      router.on("/:status/:bytes", method: method, use: answer)
    }
    var logger = Logger(label: "hummingbird-constant")
    logger.logLevel = .error
    let application = Application(
      router: router,
      configuration: .init(address: .hostname("127.0.0.1", port: port)),
      eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: 1)),
      logger: logger)
    try await application.runService()
  }

  private static let bytes = ByteBuffer(repeating: UInt8(ascii: "x"), count: 1 << 20)

  @Sendable
  private static func answer(_ request: Request, _ context: BasicRequestContext) async throws
    -> Response
  {
    let status = try context.parameters.require("status", as: Int.self)
    let size = try context.parameters.require("bytes", as: Int.self)
    guard let body = bytes.getSlice(at: 0, length: size) else { throw HTTPError(.badRequest) }
    return Response(
      status: .init(code: status), headers: [.contentType: "application/json"],
      body: .init(byteBuffer: body))
  }
}
