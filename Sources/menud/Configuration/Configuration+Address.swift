import MenuStore

extension Configuration {
  /// Reads the address of the journal's database from its file, if there is one.
  ///
  /// - Throws: `ConfigurationFault` if the file cannot be read or has no address, or if the journal is to be shared and
  ///   is not in a database.
  mutating func readJournalAddress() throws(ConfigurationFault) {
    guard !replicas.isEnabled || journalStore == .postgresql else { throw .nothingToShare }
    guard journalStore == .postgresql, !journalAddressFile.isEmpty else { return }
    let isBlank = { (byte: UInt8) in " \t\r\n".utf8.contains(byte) }
    let bytes = try Posix.contents(of: journalAddressFile).drop(while: isBlank)
    let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? bytes.startIndex
    guard end > bytes.startIndex,
      let address = PostgreSQLAddress(String(decoding: bytes[..<end], as: UTF8.self))
    else { throw .notAnAddress(path: journalAddressFile) }
    journalAddress = address
  }
}
