import Testing

@testable import JSONText
@testable import MenuAPI
@testable import MenuEngine

struct MutationFaultTests {
  static let faults: [MutationFault] = [
    .unknownResponder("grid"), .link(.unknownClass("grid", "Grid")),
    .link(.danglingLink("grid", .superview, to: "window")),
    .link(.linkToOtherKind("grid", .superview, to: "app", kind: .application)),
    .link(.linkTaken("window", .rootViewController, to: "photos", by: "panel")),
    .link(.secondApplication("other", existing: "app")),
    .link(.cycle(["a", "b", "a"], along: .next)),
    .link(.coordinatingCycle(["a", "b", "a"])), .link(.notCoordinating("a", parentOf: "b")),
    .handler(.unknownHandler("grid", "copy:")), .handler(.noCoordinator("app")),
    .handler(.unknownRegistration("app", token: 3)),
    .lateResponder(.noRegistry("grid")), .lateResponder(.unknownLateResponder("late", host: "app")),
    .lateResponder(.lateResponderTaken("late", host: "app", by: "window")),
    .lateResponder(.lateResponderTaken("late", host: "app", by: "app")),
    .lateResponder(.weightFixed("late", 5, host: "app")),
    .lateResponder(.nextOfLateResponder("late", host: "app")), .handler(.notAProxy("grid")),
    .focus(.notAWindow("grid", .view, as: .key)), .focus(.notInWindow("grid", "panel")),
    .link(.noSuchLink("app", .superview, kind: .application)),
    .launching(.launch(.nothingToLaunch)),
    .launch(.nothingToLaunch), .storyboard(.nameTooLong("a")), .presentation(.nothingToShow),
    .containment(.repeated("photos", in: "tabs")),
    .delegate(.messageOutsideProtocol("a", of: "table", "TableDelegate")),
    .coordination(.noParent("flow")),
    .focus(
      .firstResponderRefused(candidate: "grid", by: "field", .canResignFirstResponder, because: [])),
    .focus(
      .firstResponderRefused(candidate: nil, by: "field", .canResignFirstResponder, because: [])),
    .focus(.firstResponderRule("grid", FaultSamples.rule)), .stateIsNoObject,
    .patch(JSONPatchFault(operation: 1, reason: .removesRoot)),
    .handler(.ruleOfProxy("proxy", "copy:")),
    .tooLarge(limit: 262_144), .unknownCommand("copy:"), .unknownMenu("file"),
    .command(.notPerformed(FaultSamples.refusal(.noTarget))),
    .command(.planPerformed),
    .command(.needsConfirmation(ValidatedItem(unknown: "delete:"), Confirmation(title: "Delete?"))),
    .command(
      .keyNotPerformed(
        KeyResolution(
          key: FaultSamples.key, platform: .apple, tried: [], shadowed: [], continuations: [],
          trace: FaultSamples.noTrace))),
    .command(.keyNotPerformed(FaultSamples.pendingKey)),
    .message(.doesNotRecognizeSelector(.responder("grid"), "copy:")),
    .message(.doesNotRecognizeSelector(.responder("app"), "copy:", isRegistered: true)),
    .message(.doesNotRecognizeSelector(.undoManager(of: "grid"), "copy:")),
    .message(.senderCarriesNoAction(.responder("grid"), "handleAction:")),
    .message(.argumentCount("copy:", given: 2)),
    .message(.argumentCount("move:to:", given: 1)),
    .command(.invalidParameters("rate:", FaultSamples.parameterFaults(1))),
    .command(.invalidParameters("rate:", FaultSamples.parameterFaults(3))),
    .command(.noParameters("copy:")),
    .command(.noParameters(nil)),
    .command(.keyLacksParameters("rate:", FaultSamples.parameterFaults(1))),
    .effect(.rule(.responder("grid"), "copy:", FaultSamples.rule)),
    .effect(
      .patch(
        .responder("grid"), "copy:", index: 2, JSONPatchFault(operation: nil, reason: .removesRoot))
    ),
    .effect(.mutation(.responder("grid"), "copy:", index: 2, .unknownResponder("gone"))),
    .effect(
      .mutation(
        .responder("grid"), "copy:", index: 2,
        .delegate(.handlerRequired("a", delegate: "b", of: "c", "P")))),
    .effect(.mutation(.responder("grid"), "copy:", index: 2, .limitReached(.responders, limit: 9))),
    .effect(
      .mutation(
        .responder("grid"), "copy:", index: 2,
        .focus(.firstResponderRule("grid", FaultSamples.rule)))),
    .effect(.wrongAnswer(1, of: "grid", "copy:", expected: .bool)),
    .effect(
      .wrongAnswer("x", of: "split", "copy:", expected: .secondary(refused: .unknownResponder("x")))
    ),
    .effect(.wrongAnswer("x", of: "split", "copy:", expected: .secondary(refused: nil))),
    .effect(.sendsTooDeep(.responder("grid"), "copy:", limit: 16)),
    .effect(.tooManyEffects(limit: 1000)),
    .undo(.noGroup), .message(.messageQueueFull(count: 100)),
    .message(.queuedMessage(index: 1, "show", from: "flow", .unknownResponder("gone"))),
    .delivery(.unknown(7)), .tooMuchEffort, .limitReached(.stateSize, limit: 1000),
    .inList(index: 1, .unknownResponder("gone")),
    .inList(index: 1, .effect(.wrongAnswer(1, of: "grid", "copy:", expected: .bool))),
  ]

  @Test(
    arguments: rows(
      faults,
      """
      unknownResponder 422 unresolved-reference (in a path 404 unknown-responder) "grid" \
      /firstResponder: The session has no responder 'grid'.
      unknownClass 422 unresolved-reference "Grid" /responders/grid/class: The class 'Grid' of the \
      responder 'grid' is not declared.
      danglingLink 422 unresolved-reference "window" /responders/grid/superview: The link \
      'superview' of 'grid' leads to 'window', which the session does not have; put that responder \
      first.
      linkToOtherKind 422 invalid-body "app" /responders/grid/superview: The link 'superview' of \
      'grid' leads to 'app' of kind 'application'; it can lead only to a responder of kind 'view' \
      or 'window'.
      linkTaken 409 link-conflict "photos" /responders/window/rootViewController: 'window' and \
      'panel' both have 'photos' as their 'rootViewController'; only one of them can.
      secondApplication 409 link-conflict "other" /responders/other: 'other' would be a second \
      application beside 'app'.
      cycle 409 link-conflict /responders: The link 'next' would close a cycle: 'a' → 'b' → 'a'.
      coordinatingCycle 409 link-conflict /responders: The coordinating chain would lead back into \
      itself: 'a' → 'b' → 'a'.
      notCoordinating 422 invalid-body "a" /responders/b/parentCoordinator: 'a' cannot be the \
      parent coordinator of 'b', since it coordinates nothing; put it with a member 'coordinating' \
      first.
      unknownHandler 422 unresolved-reference (in a path 404 unknown-handler) "copy:": The \
      responder 'grid' has no handler of its own for 'copy:'.
      noCoordinator 422 unresolved-reference (in a path 404 no-coordinator) "app": The responder \
      'app' hosts no coordinator; PUT it with a member 'coordinator'.
      unknownRegistration 422 unresolved-reference (in a path 404 unknown-registration) 3: The \
      coordinator of 'app' has no registration 3; it was removed or replaced.
      noRegistry 422 unresolved-reference (in a path 404 no-registry) "grid": Neither 'grid' nor \
      anybody on its chain or among its parents has a registry of late responders; PUT one of them \
      with a member 'lateResponders'.
      unknownLateResponder 422 unresolved-reference "late" \
      /responders/app/lateResponders/responders: The registry of 'app' lists 'late', which the \
      session does not have; put that responder first.
      lateResponderTaken 409 link-conflict "late" /responders/app/lateResponders/responders: \
      'late' is in the registries of 'window' and 'app'; register it with one of them to move it \
      there.
      lateResponderTaken 409 link-conflict "late" /responders/app/lateResponders/responders: The \
      registry of 'app' lists 'late' twice.
      weightFixed 409 link-conflict: The weight of 'late' is 5 and cannot change while it is \
      registered with 'app'; deregister it first.
      nextOfLateResponder 409 link-conflict /responders/late/next: 'late' is registered with \
      'app', whose registry says what follows it; leave out 'next', or deregister it first.
      notAProxy 422 invalid-body "grid": The responder 'grid' is no proxy; PUT it with a member \
      'proxied'.
      notAWindow 422 invalid-body "grid" /keyWindow: The responder 'grid' is of kind 'view'; only \
      a window can be the key window.
      notInWindow 409 link-conflict "grid" /firstResponder: The responder 'grid' is not in the \
      window 'panel', whose focus it is to take; leave 'window' out, or name the window that it is \
      in.
      noSuchLink 422 invalid-body "app": The responder 'app' is of kind 'application' and has no \
      'superview'; only those of kind 'view' have one.
      launching 422 invalid-body /launch: Neither the request nor the catalogue's session says \
      what to launch; give a 'storyboard', a 'delegate' or both.
      launch 422 invalid-body: Neither the request nor the catalogue's session says what to \
      launch; give a 'storyboard', a 'delegate' or both.
      storyboard 422 invalid-body: An instance would be called 'a', which is too long; give it an id.
      presentation 422 invalid-body /responders: There is no view controller to show: the first \
      argument must be the id of one.
      containment 422 invalid-body "photos" /responders/tabs/viewControllers: 'photos' would be \
      twice among the view controllers of 'tabs'.
      delegate 422 invalid-body "a": 'table' cannot send 'a' to its delegate: the protocol \
      'TableDelegate' does not have it.
      coordination 409 link-conflict "flow" /responders/flow/parentCoordinator: The coordinator \
      'flow' is nobody's child; stop it by 'stopCoordinator'.
      firstResponderRefused 409 first-responder-refused /firstResponder: The first responder \
      cannot become 'grid': 'field' answers 'canResignFirstResponder' with no.
      firstResponderRefused 409 first-responder-refused /firstResponder: The first responder \
      cannot be given up: 'field' answers 'canResignFirstResponder' with no.
      firstResponderRule 409 first-responder-refused /firstResponder: The first responder does not \
      change, since a rule of 'grid' failed. The rule at 'canPerform' failed: no.
      stateIsNoObject 422 invalid-body /state: The state must be an object.
      patch 409 patch-conflict: Operation 1 cannot be applied: the whole document cannot be \
      removed.
      ruleOfProxy 422 invalid-body "proxy": 'proxy' is a proxy, whose handler for 'copy:' cannot \
      have 'canPerform': nobody would ask it. Give the rule to the responder that is proxied.
      tooLarge 409 patch-conflict: The value is nested deeper than 128 levels, or has more than \
      262144 values and bytes of text; make it smaller.
      unknownCommand 404 unknown-command "copy:": There is no command 'copy:'; GET /commands lists \
      those that are declared.
      unknownMenu 422 unresolved-reference "file": There is no menu 'file'; GET /menus shows those \
      that are there.
      notPerformed 409 not-performed "copy:": The action 'copy:' is not sent: nobody on the chain \
      can perform 'copy:'.
      planPerformed 410 expired-plan: The plan was performed already, and its answer is not kept \
      any more.
      needsConfirmation 409 needs-confirmation "delete:": 'delete:' is performed only with \
      'confirmed' true, once a person has agreed to “Delete?”.
      keyNotPerformed 409 not-performed: The key 'shift+cmd+c' does nothing here: no command \
      or key command matches it.
      keyNotPerformed 409 not-performed: The key 'shift+cmd+c' is the beginning of \
      'shift+cmd+c shift+cmd+c'; add the next stroke, or 'final' if none follows.
      doesNotRecognizeSelector 409 does-not-recognize-selector: 'grid' has no handler for 'copy:' \
      and does not forward it.
      doesNotRecognizeSelector 409 does-not-recognize-selector: 'app' has no handler for 'copy:' \
      and does not forward it; its coordinator has one: send to 'app/forwarder'.
      doesNotRecognizeSelector 409 does-not-recognize-selector: 'grid/undoManager' is not prepared \
      to record 'copy:'; send 'prepareWithInvocationTarget' before each message to it.
      senderCarriesNoAction 409 sender-carries-no-action: 'grid' got 'handleAction:' from a sender \
      without an action, and so cannot tell which handler to run; give the sender an 'action'.
      argumentCount 422 invalid-body: 'copy:' takes 1 argument, not 2.
      argumentCount 422 invalid-body: 'move:to:' takes 2 arguments, not 1.
      invalidParameters 422 invalid-body: The parameters of the command 'rate:' do not fit. \
      Expected a string, found the number 0.
      invalidParameters 422 invalid-body: The parameters of the command 'rate:' do not fit. \
      Expected a string, found the number 0. And 2 more, see 'errors'.
      noParameters 422 invalid-body: The command 'copy:' takes no parameters; it is declared \
      without 'parameters'.
      noParameters 422 invalid-body: An action takes no parameters; perform a command that does.
      keyLacksParameters 422 invalid-body: The key means the command 'rate:', and gives no \
      parameters that fit. Expected a string, found the number 0.
      rule 409 effect-failed: Nothing was changed, since an effect of 'copy:' at 'grid' \
      failed. The rule at 'canPerform' failed: no.
      patch 409 effect-failed: Nothing was changed, since effect 2 of 'copy:' at 'grid' does \
      not fit the state: the whole document cannot be removed.
      mutation 409 effect-failed: Nothing was changed, since effect 2 of 'copy:' at 'grid' failed. \
      The session has no responder 'gone'.
      mutation 409 delegate-refused: Nothing was changed, since effect 2 of 'copy:' at 'grid' \
      failed. 'b' keeps its handler for 'a': it is the delegate of 'c', and the protocol 'P' \
      requires it; give 'c' another delegate first.
      mutation 409 limit-reached: Nothing was changed, since effect 2 of 'copy:' at 'grid' failed. \
      The session would have more than 9 responders (limits.responders); remove some first.
      mutation 409 first-responder-refused: Nothing was changed, since effect 2 of 'copy:' at 'grid' \
      failed. The first responder does not change, since a rule of 'grid' failed. The rule at \
      'canPerform' failed: no.
      wrongAnswer 409 effect-failed: Nothing was changed, since the handler of 'grid' for 'copy:' \
      answers the number 1 instead of true or false.
      wrongAnswer 409 effect-failed: Nothing was changed, since the handler of 'split' for 'copy:' \
      answers the string 'x' instead of the id of a view controller that can be the secondary, \
      null or false. The session has no responder 'x'.
      wrongAnswer 409 effect-failed: Nothing was changed, since the handler of 'split' for 'copy:' \
      answers the string 'x' instead of the id of a view controller that can be the secondary, \
      null or false.
      sendsTooDeep 409 effect-failed: Nothing was changed, since sends stand more than 16 deep in \
      one another (limits.sends), the last one 'copy:' to 'grid'.
      tooManyEffects 409 effect-failed: Nothing was changed, since there are more than 1000 \
      effects (limits.effects).
      undo 409 undo-refused: No undo group is open that was opened by 'beginUndoGrouping'; open \
      one first.
      messageQueueFull 409 message-queue-full: 100 messages wait already, and there is no room for \
      another one; process them, or remove some.
      queuedMessage 422 unresolved-reference: Message 1 of those that wait, 'show' from 'flow', \
      cannot be sent, and so all of them wait still; remove it, or process those before it with a \
      'limit'. The session has no responder 'gone'.
      delivery 422 unresolved-reference (in a path 404 unknown-delivery) 7: The session has no \
      delivery 7; there never was one, or it was settled and is kept no longer.
      tooMuchEffort 422 too-much-effort: The request takes more than 1048576 steps; ask for less \
      at once, or without 'explain'.
      limitReached 409 limit-reached /state: The state would take more than 1000 bytes of JSON \
      (limits.stateSize); remove something from it first.
      inList 422 unresolved-reference: Mutation 1 is refused, and with it all of them. The session \
      has no responder 'gone'.
      inList 409 effect-failed: Nothing was changed, since the handler of 'grid' for 'copy:' \
      answers the number 1 instead of true or false.
      """))
  func `each fault says its status, its kind, the name and the place to blame, and a sentence`(
    fault: MutationFault, row: String
  ) {
    #expect(told(fault) == row)
  }

  @Test func `every case of MutationFault stands in the table`() throws {
    #expect(
      try declaredCases(of: "MutationFault", in: "Sessions/MutationFault.swift")
        == Set(Self.faults.map { caseName($0) }))
    for (group, enumeration) in MutationFault.groups {
      let words = enumeration.split(separator: " ")
      #expect(
        try declaredCases(of: String(words[0]), in: "\(words[1])/\(words[0]).swift")
          == Set(
            Self.faults.filter { caseName($0) == group }
              .map { caseName($0, within: MutationFault.groups) }))
    }
  }

  @Test func `V1: the member of a launch is blamed`() {
    let faults: [MutationFault] = [
      .storyboard(.unknownStoryboard("Main")), .storyboard(.nameTaken("app")),
      .link(.unknownClass("app", "App")), .launch(.nothingToLaunch),
    ]
    #expect(
      faults.map { MutationFault.launching($0).place(in: .root).description } == [
        "/launch/storyboard", "/launch/delegate/id", "/launch/delegate/class", "/launch",
      ])
  }

  @Test func `a window that is not there is blamed by its part`() {
    let place = MutationFault.unknownResponder("panel").place(in: .root, windows: [.main: "panel"])
    #expect(place.description == "/mainWindow")
  }
}
