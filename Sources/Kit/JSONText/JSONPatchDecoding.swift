/// A reason why a JSON value is not a patch, with its place.
public struct JSONPatchDecodingFault: Error, Equatable, Sendable {
  /// The mistakes that a patch can have.
  public enum Reason: Equatable, Sendable {
    /// The patch is not an array.
    case notAnArray
    /// The operation is not an object.
    case notAnObject
    /// The operation lacks this member.
    case missingMember(String)
    /// The member is not a string.
    case notAString
    /// The operation is none of the six.
    case unknownOperation(String)
    /// The member is no JSON Pointer.
    case invalidPointer(JSONPointerFault)
  }

  /// The mistake.
  public let reason: Reason
  /// The offending place in the patch document.
  public let pointer: JSONPointer
}

extension JSONPatch {
  /// Reads a patch document (RFC 6902, 3); members that it does not define are ignored.
  public init(_ json: JSON) throws(JSONPatchDecodingFault) {
    guard case .array(let elements) = json else {
      throw JSONPatchDecodingFault(reason: .notAnArray, pointer: .root)
    }
    var operations: [Operation] = []
    operations.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      operations.append(try Operation(element, at: JSONPointer.root.appending(index)))
    }
    self.init(operations)
  }
}

extension JSONPatch.Operation {
  /// Reads one operation; `place` is where it stands, for the faults.
  public init(_ json: JSON, at place: JSONPointer = .root) throws(JSONPatchDecodingFault) {
    guard case .object(let object) = json else {
      throw JSONPatchDecodingFault(reason: .notAnObject, pointer: place)
    }
    let source = Source(object: object, place: place)
    switch try source.operationName() {
    case .add: self = .add(path: try source.pointer("path"), value: try source.value("value"))
    case .remove: self = .remove(path: try source.pointer("path"))
    case .replace:
      self = .replace(path: try source.pointer("path"), value: try source.value("value"))
    case .move: self = .move(from: try source.pointer("from"), path: try source.pointer("path"))
    case .copy: self = .copy(from: try source.pointer("from"), path: try source.pointer("path"))
    case .test: self = .test(path: try source.pointer("path"), value: try source.value("value"))
    }
  }

  private enum Name: String, CaseIterable {
    case add
    case remove
    case replace
    case move
    case copy
    case test
  }

  /// An operation's object and where it stands in the patch.
  private struct Source {
    let object: JSONObject
    let place: JSONPointer

    func operationName() throws(JSONPatchDecodingFault) -> Name {
      let text = try string("op")
      guard let name = Name.allCases.first(where: { $0.rawValue.hasSameBytes(as: text) }) else {
        throw fault(.unknownOperation(text), "op")
      }
      return name
    }

    func value(_ name: String) throws(JSONPatchDecodingFault) -> JSON {
      guard let value = object[name] else {
        throw JSONPatchDecodingFault(reason: .missingMember(name), pointer: place)
      }
      return value
    }

    func string(_ name: String) throws(JSONPatchDecodingFault) -> String {
      guard case .string(let string) = try value(name) else { throw fault(.notAString, name) }
      return string
    }

    func pointer(_ name: String) throws(JSONPatchDecodingFault) -> JSONPointer {
      let text = try string(name)
      do throws(JSONPointerFault) {
        return try JSONPointer(parsing: text)
      } catch {
        throw fault(.invalidPointer(error), name)
      }
    }

    func fault(_ reason: JSONPatchDecodingFault.Reason, _ name: String) -> JSONPatchDecodingFault {
      JSONPatchDecodingFault(reason: reason, pointer: place.appending(name))
    }
  }
}

extension JSONPatchDecodingFault: CustomStringConvertible {
  /// A sentence for people: what is wrong, and where in the patch.
  public var description: String {
    let place = JSON.string(pointer.description)
    return switch reason {
    case .notAnArray: "The patch must be an array of operations."
    case .notAnObject: "The operation at \(place) must be an object."
    case .missingMember(let name): "The operation at \(place) lacks the member \"\(name)\"."
    case .notAString: "The value at \(place) must be a string."
    case .unknownOperation(let name):
      "The operation \(JSON.string(name)) at \(place) is none of add, remove, replace, move, copy"
        + " and test."
    case .invalidPointer(let fault): "The value at \(place) is no JSON Pointer. \(fault)"
    }
  }
}
