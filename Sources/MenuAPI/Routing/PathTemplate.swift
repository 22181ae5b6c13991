/// A path with places for names: `/sessions/{session}/responders/{responder}`.
package struct PathTemplate: Sendable, ExpressibleByStringLiteral {
  /// The template as the OpenAPI document has it.
  package let text: String
  let segments: [Segment]

  /// One part between slashes.
  enum Segment: Sendable {
    case literal(String)
    case parameter(String)

    /// True if it is a place for a number, which no literal is.
    var isNumber: Bool {
      switch self {
      case .literal: false
      case .parameter(let name): name == "delivery"
      }
    }
  }

  /// Reads a template.
  package init(stringLiteral text: String) {
    self.text = text
    segments = text.utf8.dropFirst().split(separator: UInt8(ascii: "/")).map { piece in
      let segment = String(Substring(piece))
      return segment.utf8.first == UInt8(ascii: "{")
        ? .parameter(String(segment.dropFirst().dropLast())) : .literal(segment)
    }
  }

  /// The names of the places, in order.
  package var parameters: [String] {
    segments.compactMap { segment in
      switch segment {
      case .literal: nil
      case .parameter(let name): name
      }
    }
  }
}
