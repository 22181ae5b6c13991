import Glibc

extension String {
  /// The numeric address without its port; empty when there is none.
  init(address: UnsafePointer<sockaddr>?) {
    guard let address = unsafe address else {
      self = ""
      return
    }
    let family = unsafe UnsafeRawPointer(address).load(as: sa_family_t.self)
    let isIPv4 = family == AF_INET
    let length = isIPv4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    self = unsafe String(unsafeUninitializedCapacity: Int(NI_MAXHOST)) { text in
      unsafe text.withMemoryRebound(to: CChar.self) { text in
        let failure = unsafe getnameinfo(
          address, socklen_t(length), text.baseAddress, socklen_t(text.count), nil, 0,
          NI_NUMERICHOST)
        return failure == 0 ? unsafe text.firstIndex(of: 0) ?? 0 : 0
      }
    }
  }
}
