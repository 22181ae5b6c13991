import JSONText

/// Parses the input as JSON, writes it and parses that again, and takes it for a patch of itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let json = try? JSON(parsing: bytes) else {
    do { _ = try JSON(parsing: bytes) } catch { _ = "\(error)" }
    return 0
  }
  for text in [json.text(), json.text(.pretty)] {
    guard let again = try? JSON(parsing: text) else { preconditionFailure("written wrongly") }
    precondition(again == json, "written as something else")
  }
  precondition(json.bytes == Array(json.text().utf8), "bytes and text differ")
  patch(json)
  return 0
}

private func patch(_ json: JSON) {
  var merged = json
  merged.merge(patch: json)
  guard let patch = try? JSONPatch(json) else { return }
  var document = json
  do {
    _ = try document.growth(applying: patch)
  } catch {
    _ = "\(error)"
    precondition(document == json, "a failed patch left its traces")
  }
}

/// The package manager calls an executable's main so; libFuzzer's own would be named `main`.
@_cdecl("fuzz_json_main")
public func main(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> CInt {
  var count = count
  var arguments = arguments
  return runDriver(&count, &arguments, fuzzJSON)
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt
