extension Setting {
  /// The environment variable, derived from the path: `MENUD`, then every word of the path in capitals,
  /// joined by underscores.
  ///
  /// `server.maximumBodySize` becomes `MENUD_SERVER_MAXIMUM_BODY_SIZE`.
  var variable: String { Self.variable(of: path[...]) }

  /// The former name of the variable, which left out `server`; nil if the name is still the same.
  ///
  /// It is accepted, with a warning.
  var formerVariable: String? {
    path.first == "server" ? Self.variable(of: path.dropFirst()) : nil
  }

  private static func variable(of path: ArraySlice<String>) -> String {
    var name = Array("MENUD".utf8)
    for part in path {
      name.append(UInt8(ascii: "_"))
      for byte in part.utf8 {
        let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        if isCapital { name.append(UInt8(ascii: "_")) }
        let isSmall = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        name.append(isSmall ? byte - 32 : byte)
      }
    }
    return String(decoding: name, as: UTF8.self)
  }
}
