import CEL

/// Rules that are expensive to compile.
extension HostileRule {
  static let ofSources: [HostileRule] = [
    HostileRule(String(repeating: " ", count: 4097), name: "4097 blanks"),
    HostileRule(String(repeating: " ", count: 1 << 20), name: "a mebibyte of blanks"),
    HostileRule("", filledWith: "("), HostileRule("", filledWith: "["),
    HostileRule("", filledWith: "{1:"), HostileRule("", filledWith: "x.all(x,"),
    HostileRule("", filledWith: "-("), HostileRule("", filledWith: "true?1:"),
    HostileRule("[", filledWith: "1,", "]"), HostileRule("1", filledWith: "+1"),
    HostileRule("true", filledWith: "||true"), HostileRule("", filledWith: "!", "true"),
    HostileRule("[1]", filledWith: ".map(x,[x])"), HostileRule("text", filledWith: ".a"),
    HostileRule("[", filledWith: "zz,", "1]"), HostileRule("[", filledWith: "z(),", "1]"),
    HostileRule("[", filledWith: "z.z(),", "1]"), HostileRule("{", filledWith: "z:z,", "1:1}"),
    HostileRule("'", filledWith: "\\u0041", "'"), HostileRule("1", filledWith: "/*"),
    HostileRule("", filledWith: "1", ""), HostileRule("1.", filledWith: "7"),
    HostileRule("[", filledWith: "''.matches('a'),", "1]"),
    HostileRule("[", filledWith: "''.matches(r'\\pL{9}'),", "1]"),
    HostileRule("''.matches(r'", filledWith: "\\pL", "')"),
    HostileRule("''.matches('", filledWith: "(?i)[^a]", "')"),
    HostileRule("''.matches('((a{30}){30}b){30}')"),
    HostileRule("cel.block([", filledWith: "1,", "1],1)"),
    HostileRule("[", filledWith: "1,", "1]", limits: roomy),
    HostileRule("[", filledWith: "z,", "1]", limits: roomy),
    HostileRule("[", filledWith: "z(),", "1]", limits: roomy),
    HostileRule("", filledWith: "z.z.z.", "z", limits: roomy),
    HostileRule("cel.block([", filledWith: "1,", "1],1)", limits: roomy),
    HostileRule("1", filledWith: "+1", limits: roomy),
    HostileRule("[1]", filledWith: ".map(x,[x])", limits: roomy),
    HostileRule("text", filledWith: ".a", limits: roomy),
  ]

  /// Rules whose types are large, or take long to find out.
  static let ofTypes: [HostileRule] = [
    HostileRule("[]", filledWith: "+[[]]"), HostileRule("[", filledWith: "[],", "[1]]"),
    HostileRule(
      "cel.bind(a,[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]],[", filledWith: "a,", "a])"),
    HostileRule(
      "cel.bind(a,[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]],", filledWith: "a==a&&", "true)"),
    HostileRule("[", filledWith: "[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]],", "[]]"),
    HostileRule("1", filledWith: "==[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]"),
    HostileRule("[[]]", filledWith: ".map(x,[x,[]])"),
    HostileRule("optional.of(1)", filledWith: ".optMap(x,[x])"),
    HostileRule("cel.block([[]", filledWith: ",[cel.index(0)]", "],1)"),
    HostileRule("{", filledWith: "1:{1:{}},", "2:{}}"),
    HostileRule("[[]]", filledWith: ".map(x,[x,[]])", limits: roomy),
    HostileRule(
      "cel.bind(a,[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]],[", filledWith: "a,", "a])", limits: roomy),
    HostileRule(
      "[", filledWith: "[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]],", "[]]",
      limits: roomy),
  ]
}
