import CEL

/// Rules that are expensive to evaluate: strings, formats, conversions, patterns and times.
extension HostileRule {
  static let ofStrings: [HostileRule] =
    [
      HostileRule("text + text"), HostileRule("'ab'", filledWith: "+'ab'"),
      HostileRule(
        "[1,2,3,4,5,6,7,8,9,10,11,12].map(x, kilobyte).join(kilobyte).replace('a', kilobyte)"),
      HostileRule("cel.bind(a, kilobyte + kilobyte,", doubling: 20),
      HostileRule("text.replace('', 'bb')"), HostileRule("text.replace('a', text)"),
      HostileRule("text.split('')"), HostileRule("text.split('a')"),
      HostileRule("emoji.split('')"), HostileRule("['a', 'a'].join(text)"),
      HostileRule("strings.quote(quotes)"), HostileRule("base64.encode(bytes(text))"),
      HostileRule("strings.map(x, strings.join(text))"), HostileRule("text"),
      HostileRule("[text, text, text]"),
    ]
    + [
      "text + 'a'", "text == text", "text < text", "text < text + 'b'",
      "bytes(text) == bytes(text)",
      "size(text)", "size(wide)", "size(emoji)", "text.contains('aaaaaaab')",
      "text.contains('aaaaaaaaaaaaab')", "text.contains(kilobyte + 'b')", "text.startsWith(text)",
      "text.endsWith(text)", "text.charAt(1000000)", "wide.charAt(500000)", "emoji.charAt(200000)",
      "text.substring(1)", "wide.substring(1, 500000)", "text.indexOf('b')", "wide.indexOf('b')",
      "text.indexOf('aab')", "text.indexOf(kilobyte + 'b')", "text.lastIndexOf('b')",
      "text.lastIndexOf('baa')", "text.lastIndexOf('a', 500000)", "accents.indexOf('b', 500000)",
      "text.lowerAscii()", "wide.upperAscii()", "text.trim()", "spaces.trim()", "wide.trim()",
      "text.reverse()", "wide.reverse()", "emoji.reverse()", "accents.reverse()",
      "strings.quote(text)",
      "strings.quote(quotes.substring(600000))", "text.split('b')", "words.split(' ')",
      "words.replace(' ', '')", "text.replace('b', '')", "text.replace('a', '')",
      "wide.split('b', 3)", "[text].join()", "strings.join()", "base64.encode(bytes(kilobyte))",
      "base64.decode(base64)", "base64.decode(noBase64)", "kilobyte + kilobyte", "'abc' + 'def'",
      "kilobyte.split('')", "kilobyte.replace('a', 'bb')", "kilobyte.reverse()", "'a'.charAt(9)",
      "'abc'.split('b')", "'abc'.replace('b', 'd')", "'abc'.indexOf('c')", "'abc'.trim()",
      "accents == accents", "accents in {accents: 1}", "[accents].distinct()",
      "accents.contains('a')",
    ].map(repeated)

  static let ofFormats: [HostileRule] =
    [
      HostileRule("'%.999999999999999999f'.format([1.5])"), HostileRule("'%.1001f'.format([1.5])"),
      HostileRule("'%s%s'.format([text, text])"), HostileRule("'%x'.format([text])"),
      HostileRule("'%s'.format([[range, range, range]])"), HostileRule("'%s'.format([deep])"),
      HostileRule("'", formatting: "%s", "timestamp(0)"),
      HostileRule("'", formatting: "%s", "1.1e-300"),
      HostileRule("'", formatting: "%d", "1.7e308"), HostileRule("'", formatting: "%b", "1"),
      HostileRule("'", formatting: "%%", "1"),
    ]
    + [
      "'%.1000f'.format([1e308])", "'%.1000e'.format([5e-324])", "'%.1000f'.format([1])",
      "'%f'.format([1.5])", "'%e'.format([x])", "'%d'.format([1e308])", "'%d'.format([x])",
      "'%s'.format([1.1e-300])", "'%s'.format([timestamp(0)])", "'%s'.format([duration('1.5s')])",
      "'%s'.format([numbers])", "'%s'.format([doubles])", "'%s'.format([object])",
      "'%s'.format([longKeys])",
      "'%s'.format([bad])", "'%x'.format([kilobyte])", "'%X'.format([bytes(kilobyte)])",
      "'%b'.format([x])",
      "'%o'.format([-1])", "'%s'.format([text])", "text.format([])", "'%s%s%s'.format([1, 2, 3])",
      "'%s'.format([])", "'%z'.format([1])", "'%s'.format([[[[[[[[[[1]]]]]]]]]])",
      "'%s'.format([int])",
    ].map(repeated)

  static let ofConversions: [HostileRule] =
    [
      "int('12')", "int(kilobyte)", "int(text)", "int(digits)", "uint(digits)", "double(digits)",
      "double(decimals)",
      "double('1.5e300')", "double(text)", "bool(accents)", "bool('true')", "string(1.1e-300)",
      "string(1.5)", "string(x)", "string(timestamp(x))", "string(duration('1.5s'))",
      "string(ip('2001:db8::1'))", "string(cidr('10.0.0.0/8'))", "string(bytes(text))",
      "string(bad)", "bytes(text)", "timestamp('2024-01-01T00:00:00Z')", "timestamp(text)",
      "timestamp('2024-01-01T00:00:00.5Z') + duration('1h')", "duration('1h')", "duration(zeros)",
      "duration(text)", "timestamp(x) - timestamp(0)", "timestamp(253402300799) + duration('1s')",
      "duration('315576000000s') + duration('315576000000s')", "9223372036854775807 + x",
      "ip('10.0.0.1')", "ip('2001:db8::ff00:42:8329')", "ip(text)", "ip(kilobyte)",
      "cidr('10.0.0.0/8')",
      "isIP('2001:db8::ff00:42:8329')", "isCIDR('10.0.0.0/8')",
      "ip.isCanonical('2001:db8::ff00:42:8329')", "cidr('10.0.0.0/8').containsIP('10.1.2.3')",
      "cidr('10.0.0.0/8').containsCIDR('10.1.2.0/24')", "cidr('10.0.0.1/8').masked()",
      "type(x)", "int(1.5)", "math.sqrt(x)", "math.bitAnd(x, 1)", "ip(1)",
    ].map(repeated)

  static let ofPatterns: [HostileRule] =
    [
      HostileRule("text.matches('(a*)*b')"), HostileRule("text.matches('(x+x+)+y')"),
      HostileRule("text.matches('(a|a|a|a)*(a|b)c')"),
      HostileRule("text.matches('a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaab')"),
      HostileRule("text.matches(r'\\pL+\\pL+\\pN')"), HostileRule("text.matches('.*.*.*=.*b')"),
      HostileRule("kilobyte.matches('(.{0,300}){3}b')"), HostileRule("wide.matches('[é-ü]*$a')"),
    ]
    + [
      "'a'.matches(string(x) + '|b')", "'a'.matches(r'(\\pL\\pN\\pS){3}b' + string(x))",
      "'a'.matches(text + string(x))", "'a'.matches('(?i)' + '[^a]' + string(x))",
      "'a'.matches('(?i)[a-z]{300}' + string(x))", "'a'.matches('((a{9}){9}){9}' + string(x))",
      "'a'.matches('((a{30}){30}){30}' + string(x))", "'a'.matches('[[:alpha:]]' + string(x))",
      "'a'.matches('(' + string(x))", "'a'.matches('\\\\W\\\\D\\\\S' + string(x))",
      "'a'.matches('a')", "kilobyte.matches('b')", "kilobyte.matches('a+b')",
      "'a'.matches('(?i)' + kilobyte + string(x))", "'a'.matches('[^b]{200}' + string(x))",
      "'a'.matches('(?i)[^b]{200}' + string(x))", "'a'.matches('.{500}' + string(x))",
      "'a'.matches('x{0,900}' + string(x))",
    ].map(repeated)

  static let ofTimes: [HostileRule] =
    [
      "timestamp(x).getFullYear()", "timestamp(x).getHours('Europe/Zurich')",
      "timestamp(x).getHours('Nowhere/Land')", "timestamp(x).getHours('Nowhere/' + string(x))",
      "timestamp(x).getHours(kilobyte)", "timestamp(x).getHours('+02:00')",
      "timestamp(x).getHours('Europe')",
      "timestamp(x).getHours(['Europe/Zurich', 'Asia/Tokyo'][x % 2])",
      "timestamp(x).getDayOfYear()", "duration('1h').getMinutes()",
    ].map(repeated)

  static let ofExplanations: [HostileRule] = [
    HostileRule("numbers.all(a, numbers.all(b, a + b > -1))", isExplained: true),
    HostileRule("range.all(x, x < 59999)", isExplained: true),
    HostileRule("range.exists(x, x in [text, kilobyte] || x == 59999)", isExplained: true),
    HostileRule("true", filledWith: "&&text==text", isExplained: true),
    HostileRule("false", filledWith: "||kilobyte=='b'", isExplained: true),
    HostileRule("false", filledWith: "||object.a", isExplained: true),
    HostileRule("false", filledWith: "||longKeys.a", isExplained: true),
    HostileRule("numbers.all(x,true", filledWith: "&&x!=1", ")", isExplained: true),
    HostileRule("numbers.all(x,[1].all(y,true", filledWith: "&&x!=y", "))", isExplained: true),
    HostileRule("[1]", filledWith: ".map(x,[x])", isExplained: true),
    HostileRule("1", filledWith: "+1", isExplained: true),
    HostileRule("cel.block([deep", filledWith: ",[cel.index(0)]", "],1)", isExplained: true),
    HostileRule("1", filledWith: "+1", limits: roomy, isExplained: true),
    HostileRule("false", filledWith: "||longKeys.a", limits: roomy, isExplained: true),
    HostileRule("true", filledWith: "&&text!=''", limits: roomy, isExplained: true),
  ]

  /// A string that is twice as long with every binding.
  private init(_ first: String, doubling count: Int) {
    let names = (0...count).map { "a\($0)" }
    let bindings = zip(names, names.dropFirst()).map { "cel.bind(\($1), \($0) + \($0), " }
    self.init(
      "cel.bind(a0, kilobyte, " + bindings.joined() + "size(\(names[count]))"
        + String(repeating: ")", count: count + 1), name: "\(first) … doubled \(count) times")
  }

  /// A format of many clauses, each with the same argument.
  private init(_ quote: String, formatting clause: String, _ argument: String) {
    let format = String(repeating: clause, count: 300)
    let arguments = Array(repeating: argument, count: 300).joined(separator: ",")
    self.init(
      "range.exists(x, \(quote)\(format)\(quote).format([\(arguments)]) == '')",
      name: "for all x: '\(clause)\(clause)…'.format([\(argument), …])",
      limits: ProgramLimits(maximumSourceLength: 8192))
  }
}
