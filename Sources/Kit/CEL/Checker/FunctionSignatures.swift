/// The types of the functions of the language: one line for each overload, as `Signature` reads it.
///
/// A function without a line takes and answers anything.
extension Signatures {
  static let functions = Signatures(
    """
    size(string) -> int
    size(bytes) -> int
    size(list(A)) -> int
    size(map(A, B)) -> int
    string.size() -> int
    bytes.size() -> int
    list(A).size() -> int
    map(A, B).size() -> int
    string.contains(string) -> bool
    string.startsWith(string) -> bool
    string.endsWith(string) -> bool
    matches(string, string) -> bool
    string.matches(string) -> bool
    string.charAt(int) -> string
    string.substring(int) -> string
    string.substring(int, int) -> string
    string.indexOf(string) -> int
    string.indexOf(string, int) -> int
    string.lastIndexOf(string) -> int
    string.lastIndexOf(string, int) -> int
    string.lowerAscii() -> string
    string.upperAscii() -> string
    string.trim() -> string
    string.reverse() -> string
    list(A).reverse() -> list(A)
    strings.quote(string) -> string
    list(string).join() -> string
    list(string).join(string) -> string
    string.split(string) -> list(string)
    string.split(string, int) -> list(string)
    string.replace(string, string) -> string
    string.replace(string, string, int) -> string
    string.format(list(A)) -> string
    dyn(A) -> dyn
    type(A) -> type(A)
    bool(bool) -> bool
    bool(string) -> bool
    int(int) -> int
    int(uint) -> int
    int(double) -> int
    int(string) -> int
    int(timestamp) -> int
    uint(uint) -> uint
    uint(int) -> uint
    uint(double) -> uint
    uint(string) -> uint
    double(double) -> double
    double(int) -> double
    double(uint) -> double
    double(string) -> double
    string(string) -> string
    string(bool) -> string
    string(int) -> string
    string(uint) -> string
    string(double) -> string
    string(bytes) -> string
    string(timestamp) -> string
    string(duration) -> string
    string(net.IP) -> string
    string(net.CIDR) -> string
    bytes(bytes) -> bytes
    bytes(string) -> bytes
    timestamp(timestamp) -> timestamp
    timestamp(string) -> timestamp
    timestamp(int) -> timestamp
    duration(duration) -> duration
    duration(string) -> duration
    timestamp.getFullYear() -> int
    timestamp.getFullYear(string) -> int
    timestamp.getMonth() -> int
    timestamp.getMonth(string) -> int
    timestamp.getDate() -> int
    timestamp.getDate(string) -> int
    timestamp.getDayOfMonth() -> int
    timestamp.getDayOfMonth(string) -> int
    timestamp.getDayOfWeek() -> int
    timestamp.getDayOfWeek(string) -> int
    timestamp.getDayOfYear() -> int
    timestamp.getDayOfYear(string) -> int
    timestamp.getHours() -> int
    timestamp.getHours(string) -> int
    duration.getHours() -> int
    timestamp.getMinutes() -> int
    timestamp.getMinutes(string) -> int
    duration.getMinutes() -> int
    timestamp.getSeconds() -> int
    timestamp.getSeconds(string) -> int
    duration.getSeconds() -> int
    timestamp.getMilliseconds() -> int
    timestamp.getMilliseconds(string) -> int
    duration.getMilliseconds() -> int
    optional.none() -> optional_type(A)
    optional.of(A) -> optional_type(A)
    optional.ofNonZeroValue(A) -> optional_type(A)
    optional_type(A).hasValue() -> bool
    optional_type(A).value() -> A
    math.greatest(int) -> int
    math.greatest(uint) -> uint
    math.greatest(double) -> double
    math.greatest(list(int)) -> int
    math.greatest(list(uint)) -> uint
    math.greatest(list(double)) -> double
    math.least(int) -> int
    math.least(uint) -> uint
    math.least(double) -> double
    math.least(list(int)) -> int
    math.least(list(uint)) -> uint
    math.least(list(double)) -> double
    math.ceil(double) -> double
    math.floor(double) -> double
    math.round(double) -> double
    math.trunc(double) -> double
    math.isNaN(double) -> bool
    math.isInf(double) -> bool
    math.isFinite(double) -> bool
    math.abs(int) -> int
    math.abs(uint) -> uint
    math.abs(double) -> double
    math.sign(int) -> int
    math.sign(uint) -> uint
    math.sign(double) -> double
    math.sqrt(int) -> double
    math.sqrt(uint) -> double
    math.sqrt(double) -> double
    math.bitAnd(int, int) -> int
    math.bitAnd(uint, uint) -> uint
    math.bitOr(int, int) -> int
    math.bitOr(uint, uint) -> uint
    math.bitXor(int, int) -> int
    math.bitXor(uint, uint) -> uint
    math.bitNot(int) -> int
    math.bitNot(uint) -> uint
    math.bitShiftLeft(int, int) -> int
    math.bitShiftLeft(uint, int) -> uint
    math.bitShiftRight(int, int) -> int
    math.bitShiftRight(uint, int) -> uint
    lists.range(int) -> list(int)
    list(A).slice(int, int) -> list(A)
    list(A).flatten() -> list(dyn)
    list(A).flatten(int) -> list(dyn)
    list(A).distinct() -> list(A)
    list(A).sort() -> list(A)
    list(A).first() -> optional_type(A)
    list(A).last() -> optional_type(A)
    sets.contains(list(A), list(B)) -> bool
    sets.equivalent(list(A), list(B)) -> bool
    sets.intersects(list(A), list(B)) -> bool
    base64.encode(bytes) -> string
    base64.decode(string) -> bytes
    ip(net.IP) -> net.IP
    ip(string) -> net.IP
    cidr(net.CIDR) -> net.CIDR
    cidr(string) -> net.CIDR
    isIP(string) -> bool
    isCIDR(string) -> bool
    ip.isCanonical(string) -> bool
    net.IP.family() -> int
    net.IP.isUnspecified() -> bool
    net.IP.isLoopback() -> bool
    net.IP.isGlobalUnicast() -> bool
    net.IP.isLinkLocalMulticast() -> bool
    net.IP.isLinkLocalUnicast() -> bool
    net.CIDR.ip() -> net.IP
    net.CIDR.masked() -> net.CIDR
    net.CIDR.prefixLength() -> int
    net.CIDR.containsIP(net.IP) -> bool
    net.CIDR.containsIP(string) -> bool
    net.CIDR.containsCIDR(net.CIDR) -> bool
    net.CIDR.containsCIDR(string) -> bool
    """)

  /// The functions that take as many numbers as one likes: each alone as in a call with one.
  static let ofManyNumbers = Set(["math.greatest", "math.least"])
}
