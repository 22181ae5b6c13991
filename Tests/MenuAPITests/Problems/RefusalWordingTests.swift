import CEL
import Testing

@testable import MenuAPI
@testable import MenuEngine

struct RefusalWordingTests {
  @Test(
    arguments: rows(
      ValidationReason.allCases,
      """
      The action 'copy:' is not sent.
      The action 'copy:' is not sent: nobody on the chain can perform 'copy:'.
      The action it is not sent: it has no action.
      The action 'copy:' is not sent: the rule of its target says so.
      The action 'copy:' is not sent. The rule at 'canPerform' failed: no.
      The action 'copy:' is not sent: it is declared so and its target lets it be.
      The action 'copy:' is not sent: the chain leads back into itself.
      The action 'copy:' is not sent.
      The menus have no such item; ask for them again.
      The action 'copy:' is not sent.
      The action 'copy:' is not sent.
      The action 'copy:' is not sent.
      The action 'copy:' is not sent.
      The action 'copy:' is not sent.
      """))
  func `M10: an action that is not sent says why`(reason: ValidationReason, sentence: String) {
    #expect(FaultSamples.refusal(reason).sentence == sentence)
  }

  @Test(
    arguments: rows(
      [ValidationReason.ruleFalse, .declaredDisabled],
      """
      The command 'copy:' is disabled: the rule of 'grid' says so.
      The command 'copy:' is disabled: it is declared so and 'grid' lets it be.
      """))
  func `M10: a disabled command says who disabled it`(reason: ValidationReason, sentence: String) {
    var item = ValidatedItem(unknown: "copy:")
    item.target = .responder("grid")
    #expect(FaultSamples.refusal(reason, of: item).sentence == sentence)
  }

  @Test(
    arguments: rows(
      [ValidationReason.ruleFalse, .unknownItem],
      """
      The item 'a.txt' of the command 'open:' is disabled: the rule of its target says so.
      The menus have no item 'a.txt' of the command 'open:'; ask for them again.
      """))
  func `M12: a disabled item from data says which one`(
    reason: ValidationReason, sentence: String
  ) {
    var item = ValidatedItem(unknown: "open:")
    item.itemKey = ItemKey("a.txt")
    #expect(FaultSamples.refusal(reason, of: item).sentence == sentence)
  }

  static let expectations: [RuleFault.Expectation] = [
    .bool, .state, .string, .object, .identifier, .locale, .receiver, .selector, .array, .integer,
    .pointer,
    .selectors, .count, .identifiers, .patch, .key, .modifiers, .sender, .invocation,
    .texts, .choices, .choiceMember, .itemKey, .time, .boundedValue,
  ]

  @Test(
    arguments: rows(
      expectations,
      """
      The rule at 'x' failed: it answers 'a b', which is not true or false.
      The rule at 'x' failed: it answers 'a b', which is not true, false, "on", "off" or "mixed".
      The rule at 'x' failed: it answers 'a b', which is not a string.
      The rule at 'x' failed: it answers 'a b', which is not an object.
      The rule at 'x' failed: it answers 'a b', which is no id (letters, digits, '_', '.', ':' \
      and '-').
      The rule at 'x' failed: it answers 'a b', which is no tag of a language, such as 'de' or \
      'pt-BR'.
      The rule at 'x' failed: it answers 'a b', which is neither an id nor that of a forwarder (an \
      id and '/forwarder').
      The rule at 'x' failed: it answers 'a b', which is no selector (a name like 'copy:', its \
      colons counting its arguments).
      The rule at 'x' failed: it answers 'a b', which is not an array.
      The rule at 'x' failed: it answers 'a b', which is not an integer.
      The rule at 'x' failed: it answers 'a b', which is no JSON Pointer (empty, or beginning with \
      '/').
      The rule at 'x' failed: it answers 'a b', which is not an array of selectors, or null.
      The rule at 'x' failed: it answers 'a b', which is not an integer from 0.
      The rule at 'x' failed: it answers 'a b', which is not an array of the ids of responders.
      The rule at 'x' failed: it answers 'a b', which is not a JSON Patch.
      The rule at 'x' failed: it answers 'a b', which is not a key with its modifiers.
      The rule at 'x' failed: it answers 'a b', which is not an array of modifiers.
      The rule at 'x' failed: it answers 'a b', which is not the description of a sender.
      The rule at 'x' failed: it answers 'a b', which is not a message.
      The rule at 'x' failed: it answers 'a b', which is not a list of at most 1000 strings, or of \
      objects with 'const', a string, and maybe 'title'.
      The rule at 'x' failed: it answers 'a b', which is not a list of at most 1000 values, or of \
      objects with 'const' and maybe 'title'.
      The rule at 'x' failed: it answers 'a b', which is no member of a choice ('const' or 'title').
      The rule at 'x' failed: it answers 'a b', which is no key of an item (1 to 1024 bytes).
      The rule at 'x' failed: it answers 'a b', which is not a time in milliseconds since 1970, of \
      the years 0 to 9999.
      The rule at 'x' failed: it answers 'a b', which is not a value of at most 262144 values and \
      bytes.
      """))
  func `a rule that answers another string says what was expected`(
    fault: RuleFault.Expectation, row: String
  ) {
    #expect(
      RuleFault(place: "x", source: "", reason: .misnamed("a b", expected: fault)).sentence == row)
  }

  private static let unrepresentables: [Value.Unrepresentable] = [
    .notFinite, .key(.int), .type(.optional), .largeInteger(.max), .tooLarge,
  ]

  @Test(
    arguments: rows(
      unrepresentables,
      """
      The rule at 'x' failed: it answers with infinity or with no number, which JSON cannot carry.
      The rule at 'x' failed: it answers with a map with a key of type int; the members of a JSON \
      object have strings for names.
      The rule at 'x' failed: it answers with a value of type optional_type, which JSON cannot \
      carry.
      The rule at 'x' failed: it answers with the integer 18446744073709551615, which JSON cannot \
      carry exactly; make it a string.
      The rule at 'x' failed: it answers with a value of more than 1048576 values and bytes.
      """))
  func `a rule whose value JSON cannot carry says why`(
    reason: Value.Unrepresentable, row: String
  ) {
    #expect(
      RuleFault(place: "x", source: "", reason: .unrepresentable(reason)).sentence == row)
  }

  @Test func `every case of RuleFault.Expectation stands in the table`() throws {
    #expect(
      try declaredCases(of: "Expectation", in: "Rules/RuleFault.swift")
        == Set(Self.expectations.map { caseName($0) }))
  }

  @Test(
    arguments: rows(
      KeyConflict.Reason.allCases,
      """
      The key 'command+shift+c' goes to 'copy:' of the responder 'grid' first: it wants priority \
      over system behaviour.
      The key 'command+shift+c' goes to 'copy:' of the responder 'grid' first: it is nearer to the \
      first responder.
      The key 'command+shift+c' goes to 'copy:' of the responder 'grid' first: it stands before \
      this one in the list.
      The key 'command+shift+c' goes to 'copy:' of the responder 'grid' first: responders come \
      before menus.
      The key 'command+shift+c' goes to 'copy:' of the responder 'grid' first: it stands before \
      this one in the menus.
      The key 'command+shift+c' goes to 'copy:' of the responder 'grid' first: the session's \
      keymap comes first.
      The key 'command+shift+c' goes to 'copy:' of the responder 'grid' first: the last entry of \
      a keymap comes first.
      """))
  func `K1: a conflict over a key says why one goes first`(
    reason: KeyConflict.Reason, sentence: String
  ) {
    let claim = KeyClaim(
      holder: .responder("grid"),
      declaration: .keyCommand(FaultSamples.keyCommand("copy:"), index: 0))
    let conflict = KeyConflict(key: FaultSamples.key, platform: nil, winner: claim, shadowed: [])
    let shadow = KeyConflict.Shadow(claim: claim, reason: reason)
    #expect(conflict.sentence(about: shadow) == sentence)
  }
}
