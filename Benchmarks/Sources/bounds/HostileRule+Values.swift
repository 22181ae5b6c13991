import CEL

/// Rules that are expensive to evaluate: lists, maps and sets.
extension HostileRule {
  static let ofLists: [HostileRule] = [
    HostileRule("numbers.all(a, numbers.all(b, numbers.all(c, true)))"),
    HostileRule("numbers.map(a, numbers.map(b, b)) == []"),
    HostileRule("range.map(a, a).map(a, a).map(a, a).map(a, a)"),
    HostileRule("numbers.all(a, numbers == numbers)"), HostileRule("range.all(a, a in range)"),
    HostileRule("range.all(a, {} in range)"), HostileRule("range.map(x, range)"),
    HostileRule("range + range"), HostileRule("numbers.map(a, numbers + numbers)"),
    HostileRule("numbers.map(a, numbers.reverse())"), HostileRule("numbers.map(a, numbers.sort())"),
    HostileRule("strings.map(a, strings.sort())"), HostileRule("times.sortBy(x, timestamp(x))"),
    HostileRule("numbers.sortBy(a, -a) == [numbers.sortBy(b, -b)]"),
    HostileRule("lists.distinct()"), HostileRule("strings.map(a, strings.distinct())"),
    HostileRule("sets.contains(range, range)"), HostileRule("sets.equivalent(lists, lists)"),
    HostileRule("sets.intersects(doubles, strings) || sets.equivalent(doubles, doubles)"),
    HostileRule("lists.range(1000000000)"),
    HostileRule("lists.range(65536).map(x, lists.range(65536))"),
    HostileRule("numbers.map(a, lists.flatten())"),
    HostileRule("numbers.map(a, numbers.slice(1, 1999))"),
    HostileRule("deep == deep"), HostileRule("deeper == deeper"), HostileRule("deep"),
    HostileRule("deep.flatten(1000)"), HostileRule("[deep, deep, deep, deep]"),
    HostileRule("[range, range, range, range, range, range, range, range, range]"),
    HostileRule("numbers.map(a, text)"), HostileRule("numbers.map(a, longKey)"),
    HostileRule(
      "cel.bind(a,[numbers,numbers],cel.bind(b,[a,a],cel.bind(c,[b,b],cel.bind(d,[c,c],[d,d]==[d,d]))))"
    ),
    HostileRule(
      "[1,2,3,4,5,6,7,8].map(a, [1,2,3,4,5,6,7,8].map(b, [1,2,3,4,5,6,7,8].map(c, "
        + "[1,2,3,4,5,6,7,8].map(d, [1,2,3,4,5,6,7,8].map(e, [1,2,3,4,5,6,7,8].map(f, 1))))))"),
    HostileRule("cel.bind(x, lists.range(60000), x.map(y, x + [y]))"),
    HostileRule("range.exists_one(x, x == -1)"),
    HostileRule("math.greatest(range) == math.least(range)"),
    repeated("[x, x, x, x]"), repeated("[x].map(y, y)"), repeated("numbers[x]"),
    repeated("numbers[5]"), repeated("optional.of(x)"), repeated("[[x], [x]].flatten()"),
    repeated("[x, x].sort()"), repeated("[x, 1].distinct()"), repeated("[?optional.none()]"),
    repeated("numbers[?x].orValue(1)"), repeated("optional.of(x).optMap(y, y + 1)"),
    repeated("cel.bind(a, x, a)"), repeated("cel.bind(a, 1 / 0, 1)"), repeated("x / 0"),
    repeated("1 + 'a'"), repeated("x.b.c"), repeated("sets.contains([x], [1])"),
    repeated("math.greatest(x, 1, 2)"),
    repeated("x + x - x * x"), repeated("x == 1.5 || x > 2u"), repeated("[1, 2].first()"),
  ]

  static let ofMaps: [HostileRule] = [
    HostileRule("range.transformMap(i, v, v)"),
    HostileRule("range.transformMapEntry(i, v, {v: i})"),
    HostileRule("object.all(k, object.all(j, object[k] == object[j] || true))"),
    HostileRule("object == object && object.all(k, object == object)"),
    HostileRule("numbers.map(x, longKey.transformMap(k, v, 1))"),
    HostileRule("longKeys == longKeys && numbers.all(x, longKeys == longKeys)"),
    HostileRule("numbers.map(x, object.map(k, k))"), HostileRule("{'a': 1}", name: "a small map"),
    repeated("{x: x}"), repeated("{'a': x, 'b': x, 'c': x}"), repeated("{text: 1}"),
    repeated("{text: 1, kilobyte: 2}[text]"), repeated("has(object.key5)"), repeated("object.key5"),
    repeated("object['key' + string(x)]"), repeated("object.?nothing"), repeated("object.nothing"),
    repeated("longKeys.nothing"), repeated("longKeys[kilobyte]"), repeated("kilobyte in object"),
    repeated("text in longKey"), repeated("{text: 1}.transformMap(k, v, v)"),
    repeated("[{text: 1}].transformMapEntry(i, v, v)"), repeated("longKey.map(k, k)"),
    repeated("{1: 1, 1: 2}"), repeated("{kilobyte: 1, kilobyte: 2}"), repeated("{1.5: 1}"),
    HostileRule(
      "range.exists(x, has(sameKeys.k…) && x < 0)",
      long: "range.exists(x, has(sameKeys.\(String(repeating: "k", count: 3900))99) && x < 0)"),
    HostileRule(
      "range.exists(x, has(longKeys.k…) && x < 0)",
      long: "range.exists(x, has(longKeys.\(String(repeating: "k", count: 4000))) && x < 0)"),
    HostileRule(
      "range.exists(x, longKeys.?k… == x)",
      long: "range.exists(x, longKeys.?\(String(repeating: "k", count: 4000)) == optional.of('x'))"),
    HostileRule(
      "range.exists(x, longKeys.k…0 < 0)",
      long: "range.exists(x, longKeys.\(String(repeating: "k", count: 4000))0 < 0)"),
    HostileRule(
      "range.exists(x, {'k…': x} == {})",
      long: "range.exists(x, {'\(String(repeating: "k", count: 4000))': x} == {})"),
  ]

  private init(_ name: String, long source: String) { self.init(source, name: name) }
}
