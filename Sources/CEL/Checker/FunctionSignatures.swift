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
    optional.none() -> optional_type(A)
    optional.of(A) -> optional_type(A)
    optional.ofNonZeroValue(A) -> optional_type(A)
    optional_type(A).hasValue() -> bool
    optional_type(A).value() -> A
    """)
}
