import CRE2

/// An RE2 regular expression, which matches in time linear in its input.
///
/// `@unchecked Sendable`: a compiled RE2 pattern is thread-safe.
@safe package final class Pattern: @unchecked Sendable {
  private let handle: OpaquePointer
  /// The number of instructions; matching takes time proportional to it.
  package let size: Int
  /// The steps of compiling it.
  package let work: Int

  package enum Fault: Error {
    case tooLarge
    case invalid(String)

    /// The fault in RE2's words.
    package var message: String {
      switch self {
      case .tooLarge: "it is too large"
      case .invalid(let message): message
      }
    }
  }

  /// Returns the steps of compiling `text` before its size is known.
  ///
  /// Measured: 0.1 to 1 µs for a byte, but 150 µs for a Unicode class such as `\pL`.
  package static func work(of text: String) -> Int {
    var classes = 0
    var previous: UInt8 = 0
    for byte in text.utf8 {
      if previous == UInt8(ascii: "\\"), byte | 0x20 == UInt8(ascii: "p") { classes += 1 }
      previous = byte
    }
    return 200 + 8 * text.utf8.count + 2000 * classes
  }

  /// Compiles `text` within `maximumWork` steps and a quarter of a mebibyte.
  package init(_ text: String) throws(Fault) {
    guard Self.work(of: text) <= Self.maximumWork else { throw .tooLarge }
    var text = text
    // The text is read during compilation only.
    let compiled = text.withUTF8 { utf8 in
      unsafe cre2_compile(utf8.baseAddress, utf8.count, Self.maximumMemory)
    }
    guard let compiled = unsafe compiled else { throw .tooLarge }
    guard unsafe cre2_is_sound(compiled) else {
      let fault = unsafe Self.fault(of: compiled)
      unsafe cre2_free(compiled)
      throw fault
    }
    unsafe handle = compiled
    size = unsafe Int(clamping: cre2_size(compiled))
    work = Self.work(of: text) + Self.workOfInstruction * size
  }

  // The handle has no other owner.
  deinit { unsafe cre2_free(handle) }

  /// True if a part of `text` matches.
  package func matches(_ text: String) -> Bool {
    var text = text
    // The text is read before the function returns, and the handle lives as long as this object.
    return text.withUTF8 { utf8 in
      unsafe cre2_matches(handle, utf8.baseAddress, utf8.count)
    }
  }

  /// Returns the steps of matching `text`: RE2 visits at worst every instruction for each byte; measured, up to
  /// 6 ns each.
  package func work(on text: String) -> Int {
    let (work, isTooMuch) = text.utf8.count.multipliedReportingOverflow(by: size)
    return isTooMuch ? .max : 1 + work / 8
  }

  /// The message belongs to the compiled pattern, and is copied before that is freed.
  private static func fault(of compiled: OpaquePointer) -> Fault {
    guard unsafe !cre2_is_too_large(compiled) else { return .tooLarge }
    var length = 0
    let message = unsafe cre2_message(compiled, &length)
    let bytes = unsafe UnsafeRawBufferPointer(start: message, count: length)
    return .invalid(unsafe String(decoding: bytes, as: UTF8.self))
  }

  /// The limit of the steps of compiling, those for the size of the result included.
  package static let maximumWork = 100_000
  /// The steps of compiling per resulting instruction. Measured: up to 1 µs for bounded repetitions.
  package static let workOfInstruction = 20
  private static let maximumMemory: Int64 = 1 << 18
}
