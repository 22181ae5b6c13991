import Testing

@Suite struct NetworkFunctionsTests {
  @Test(arguments: [
    ("192.168.0.1", "192.168.0.1"), ("0.0.0.0", "0.0.0.0"), ("::", "::"), ("::1", "::1"),
    ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("1:0:0:0:0:0:0:0", "1::"),
    ("0:1:2:3:4:5:6:7", "0:1:2:3:4:5:6:7"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
    ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("0001::00ab", "1::ab"),
    ("::ffff:c0a8:1", "192.168.0.1"), ("0:0:0:0:0:FFFF:C0A8:1", "192.168.0.1"),
    ("::fffe:c0a8:1", "::fffe:c0a8:1"), ("::1:ffff:c0a8:1", "::1:ffff:c0a8:1"),
    ("64:ff9b::192.0.2.1", "64:ff9b::c000:201"), ("::1.2.3.4", "::102:304"),
    ("1:2:3:4:5::1.2.3.4", "1:2:3:4:5:0:102:304"),
    ("0000:0000:0000:0000:0000:0000:255.255.255.255", "::ffff:ffff"),
  ])
  func `addresses`(text: String, canonical: String) {
    #expect(outcome("string(ip('\(text)'))") == "\"\(canonical)\"")
    #expect(outcome("ip.isCanonical('\(text)')") == "\(text == canonical)")
  }

  @Test(arguments: [
    "", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.-4", "1.2.3.4 ", "1..3.4", ":",
    ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "1:2:3:4:5:6:7:8::",
    "::1:2:3:4:5:6:7:8",
    "12345::", "g::", "fe80::1%eth0", "::ffff:1.2.3.4", "0:0:0:0:0:FFFF:1.2.3.4",
    "1:2:3:4:5:6:7:1.2.3.4", "1:2:3:4:5:6::1.2.3.4", "1.2.3.4::", "::1.2.3.4:5", "::1.2.3",
    "::01.2.3.4", "::1.2.3.256", "1:", ":1", "1::2:", "[::1]", "1.2.3.4/8",
  ])
  func `what is no address`(text: String) {
    #expect(outcome("isIP('\(text)')") == "false")
    #expect(outcome("ip('\(text)')") == "fault: \"\(text)\" cannot be converted to net.IP")
    #expect(
      outcome("ip.isCanonical('\(text)')") == "fault: \"\(text)\" cannot be converted to net.IP")
  }

  @Test(arguments: [
    "", "1.2.3.4", "1.2.3.4/", "1.2.3.4/33", "1.2.3.4/-1", "1.2.3.4/08", "1.2.3.4/8/8", "/8",
    "::/129", "::/a", "1.2.3/8", "::ffff:1.2.3.4/96", "::ffff:c0a8:1/120", "::ffff:c0a8:1/24",
  ])
  func `what is no block of addresses`(text: String) {
    #expect(outcome("isCIDR('\(text)')") == "false")
    #expect(outcome("cidr('\(text)')") == "fault: \"\(text)\" cannot be converted to net.CIDR")
  }

  @Test(arguments: [
    ("ip('192.168.0.1').family()", "4"), ("ip('::1').family()", "6"),
    ("type(ip('::1')) == net.IP", "true"), ("type(cidr('::/0'))", "net.CIDR"),
    ("ip(ip('::1'))", "ip(\"::1\")"), ("ip('2001:db8::1') == ip('2001:DB8::1')", "true"),
    ("ip('::ffff:c0a8:1') == ip('192.168.0.1')", "true"),
    ("ip('::ffff:c0a8:1') == ip('192.168.10.1')", "false"),
    ("ip('::ffff:c0a8:1').family()", "4"), ("ip('::ffff:7f00:1').isLoopback()", "true"),
    (
      "{ip('192.168.0.1'): 1}[ip('::ffff:c0a8:1')]",
      "fault: a key of a map is a string, an int, a uint or a bool, not a net.IP"
    ),
    ("cidr('192.168.0.0/16').containsIP('::ffff:c0a8:1')", "true"),
    ("ip('::1') == '::1'", "false"), ("ip('0.0.0.0') == ip('::')", "false"),
    (
      "[ip('::').isUnspecified(), ip('127.9.9.9').isLoopback(), ip('::1').isLoopback()]",
      "[true, true, true]"
    ),
    (
      "[ip('10.0.0.1').isGlobalUnicast(), ip('255.255.255.255').isGlobalUnicast(), ip('ff02::1').isGlobalUnicast()]",
      "[true, false, false]"
    ),
    (
      "[ip('224.0.0.1').isLinkLocalMulticast(), ip('224.0.1.1').isLinkLocalMulticast(), ip('ff12::1').isLinkLocalMulticast()]",
      "[true, false, true]"
    ),
    (
      "[ip('169.254.1.1').isLinkLocalUnicast(), ip('fe80::1').isLinkLocalUnicast(), ip('fec0::1').isLinkLocalUnicast()]",
      "[true, true, false]"
    ),
    ("string(cidr('10.1.2.3/8'))", "\"10.1.2.3/8\""),
    ("cidr('10.1.2.3/8').masked()", "cidr(\"10.0.0.0/8\")"),
    ("cidr('10.1.2.3/8').ip()", "ip(\"10.1.2.3\")"), ("cidr('2001:db8::/33').prefixLength()", "33"),
    ("cidr('1.2.3.4/0').masked()", "cidr(\"0.0.0.0/0\")"),
    ("cidr('ff::1/128').masked()", "cidr(\"ff::1/128\")"),
    ("cidr('10.0.0.0/8') == cidr('10.0.0.1/8')", "false"),
    ("cidr('10.0.0.0/8').containsIP('10.255.0.1')", "true"),
    ("cidr('10.0.0.0/8').containsIP(ip('::'))", "false"),
    ("cidr('0.0.0.0/0').containsIP('255.255.255.255')", "true"),
    ("cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", "true"),
    ("cidr('10.1.0.0/16').containsCIDR(cidr('10.0.0.0/8'))", "false"),
    ("cidr('::/0').containsCIDR('::/0')", "true"),
    ("cidr('::/0').containsIP('x')", "fault: \"x\" cannot be converted to net.IP"),
    ("cidr('::/0').containsIP(1)", "fault: 'containsIP' is not defined for net.CIDR and int"),
    ("cidr('::/0').containsCIDR('::')", "fault: \"::\" cannot be converted to net.CIDR"),
    ("ip('::').prefixLength()", "fault: 'prefixLength' is not defined for net.IP"),
    ("cidr('::/0').family()", "fault: 'family' is not defined for net.CIDR"),
    ("isIP(1)", "fault: 'isIP' is not defined for int"),
    ("ip('::1') < ip('::2')", "fault: '<' is not defined for net.IP and net.IP"),
  ])
  func `functions of addresses`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }
}
