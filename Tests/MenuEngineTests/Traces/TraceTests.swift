import CEL
import JSONText
import Testing

@testable import MenuEngine

/// Every kind of step, with the rule that is right for who is asked, in full text (M10).
@Suite struct TraceTests {
  private static let view = Receiver.responder("v")
  private static let forwarder = Receiver.forwarder(host: "h")
  private static let undoManager = Receiver.undoManager(of: "v")
  private static let fault = RuleFault(
    place: "canPerform", source: "1", reason: .answered(.int, expected: .bool))

  private static func step(
    _ asked: Receiver, _ question: Trace.Question, _ answer: JSON, about selector: Selector? = nil,
    fault: RuleFault? = nil
  ) -> Trace.Step {
    Trace.Step(
      asked: asked, question: question, selector: selector, answer: answer, fault: fault,
      rules: [], refusing: nil)
  }

  private static let steps: [(Trace.Step, String)] = [
    (
      step(.responder("h"), .redirect, "h/forwarder", about: "a:"),
      "F2: the coordinator of 'h' has a handler for 'a:', so its forwarder answers."
    ),
    (
      step(.responder("h"), .redirect, nil, about: "a:"),
      "F2: the coordinator of 'h' has no handler for 'a:', so 'h' answers for itself."
    ),
    (
      step(view, .respondsToSelector, true, about: "a:"),
      "R3: 'v' responds to 'a:': it or its class has a handler."
    ),
    (
      step(view, .respondsToSelector, false, about: "a:"),
      "R3: 'v' does not respond to 'a:': neither it nor its class has a handler."
    ),
    (
      step(forwarder, .respondsToSelector, false, about: "a:"),
      "F3: the coordinator of 'h' has a handler for 'a:', but its forwarder does not respond to it, "
        + "so this search does not find it."
    ),
    (step(view, .canPerformAction, true, about: "a:"), "R4: 'v' can perform 'a:'."),
    (
      step(view, .canPerformAction, false, about: "a:"),
      "R4: 'v' cannot perform 'a:' for this sender."
    ),
    (
      step(view, .canPerformAction, false, about: "a:", fault: fault),
      "R4: 'v' cannot perform 'a:': its rule failed, which counts as no."
    ),
    (
      step(forwarder, .canPerformAction, true, about: "a:"),
      "F3: 'h/forwarder' can perform 'a:', since the coordinator has a handler."
    ),
    (step(view, .next, "w"), "R2: after 'v' comes 'w'."),
    (step(view, .next, nil), "R2: after 'v' comes nobody."),
    (step(view, .cycle, true), "R9: 'v' was met before, so the walk stops."),
    (step(view, .validate, nil), "M5: 'v' has no validator, so the item is as declared."),
    (
      step(view, .validate, ["enabled": true, "title": "Copy Photo"]),
      "M5: 'v' validates the item: enabled true, title \"Copy Photo\"."
    ),
    (
      step(view, .validate, nil, fault: fault),
      "M5: a rule of 'v' failed, so the item is disabled."
    ),
    (
      step(forwarder, .validate, nil),
      "F7: 'h/forwarder' has no validator, so the item is as declared."
    ),
    (step(view, .proxied, "w"), "L8: 'v' stands for 'w'."),
    (step(view, .proxied, nil), "L10: the responder that 'v' stands for is gone."),
    (step(view, .proxiedSelectors, true, about: "a:"), "L8: 'v' lets 'a:' through."),
    (
      step(view, .proxiedSelectors, false, about: "a:"),
      "L8: 'v' filters 'a:' out by proxiedSelectors."
    ),
    (
      step(view, .proxyForwarding, "w", about: "a:"),
      "L9: 'v' forwards 'a:' to 'w', whom it stands for, whatever its filter says."
    ),
    (step(view, .lateResponders, nil), "L6: 'v' has no registry of late responders."),
    (
      step(view, .lateResponders, []),
      "L6: 'v' hosts the registry, which has no late responders yet."
    ),
    (
      step(view, .lateResponders, ["a", "b"]),
      "L6: 'v' hosts the registry, whose late responders are 'a', 'b'."
    ),
    (
      step(.responder("h"), .unaskedRedirect, "h/forwarder", about: "a:"),
      "L12: the coordinator of 'h' has a handler for 'a:', but a proxy does not ask for its redirect."
    ),
    (step(view, .userActivity, nil), "L13: 'v' has no user activity."),
    (step(view, .userActivity, [:]), "L13: 'v' has a user activity."),
    (step(view, .touchBar, nil), "L13: 'v' adds nothing to the touch bar."),
    (step(view, .touchBar, [:]), "L13: 'v' adds its items to the touch bar."),
    (
      step(view, .alternate, ["shift"], about: "a:"),
      "M11: with 'shift' held, the item is the alternate that sends 'a:'."
    ),
    (
      step(view, .keyCommands, ["a:"]),
      "K1: the key commands of 'v' that match the key send 'a:'."
    ),
    (
      step(view, .keyCommands, []),
      "K1: no key command of 'v' matches the key."
    ),
    (
      step(view, .menuKeys, ["a:"]),
      "K1: the commands of the menu that match the key send 'a:'."
    ),
    (step(view, .menuKeys, []), "K1: no command of the menu matches the key."),
    (
      step(view, .keymap, ["a:"]),
      "K9: the entries of the keymap that match the key send 'a:'."
    ),
    (step(view, .keymap, []), "K9: no entry of the keymap matches the key."),
    (
      step(view, .keymap, true, about: "a:"),
      "K9: the entry of the keymap for 'a:' is there."
    ),
    (
      step(view, .keymap, false, about: "a:"),
      "K9: the entry of the keymap for 'a:' is not there now."
    ),
    (step(view, .when, true, about: "a:"), "K5: the key command 'a:' of 'v' is there."),
    (step(view, .when, false, about: "a:"), "K5: the key command 'a:' of 'v' is not there now."),
    (
      step(view, .when, false, about: "a:", fault: fault),
      "K5: the key command 'a:' of 'v' is passed over: its rule failed."
    ),
    (
      step(view, .enabled, true, about: "a:"),
      "K5: the key command 'a:' of 'v' can be performed."
    ),
    (
      step(view, .enabled, false, about: "a:"),
      "K5: the key command 'a:' of 'v' cannot be performed now."
    ),
    (
      step(view, .passOver, "noTarget", about: "a:"),
      "K3: the match 'a:' is passed over for 'noTarget', and the key goes on."
    ),
    (
      step(view, .resolveInstanceMethod, false, about: "a:"),
      "F4: 'v' has no method 'a:' and adds none."
    ),
    (
      step(view, .forwardingTarget, nil, about: "a:"), "F4: 'v' names nobody else for 'a:'."
    ),
    (
      step(view, .forwardingTarget, "w", about: "a:"),
      "F10: 'v' forwards 'a:' to 'w', where it is tried again."
    ),
    (step(view, .methodSignature, nil, about: "a:"), "F4: 'v' has no signature for 'a:'."),
    (
      step(view, .methodSignature, "any:", about: "a:"),
      "F10: 'v' gives 'a:' the signature of its catch-all 'any:'."
    ),
    (
      step(forwarder, .methodSignature, "handleAction:", about: "a:"),
      "F5: 'h/forwarder' gives 'a:' the signature of its catch-all 'handleAction:'."
    ),
    (
      step(view, .forwardInvocation, "any:", about: "a:"),
      "F10: 'v' changes the selector of the invocation from 'a:' to 'any:' and invokes it on itself."
    ),
    (
      step(forwarder, .forwardInvocation, "handleAction:", about: "a:"),
      "F5: 'h/forwarder' changes the selector of the invocation from 'a:' to 'handleAction:' and "
        + "invokes it on itself."
    ),
    (step(view, .invoke, "a:", about: "a:"), "F4: 'v' runs its method 'a:'."),
    (
      step(forwarder, .invoke, "handleAction:", about: "handleAction:"),
      "F5: 'h/forwarder' runs its method 'handleAction:'."
    ),
    (
      step(forwarder, .handler, "a:", about: "a:"),
      "F5: the coordinator of 'h' runs its handler for 'a:'."
    ),
    (
      step(forwarder, .handler, nil, about: "a:"),
      "F6: the coordinator of 'h' has no handler for 'a:', so nothing runs."
    ),
    (
      step(view, .doesNotRecognizeSelector, nil, about: "a:"),
      "F4: 'v' does not recognize 'a:', which is an error."
    ),
    (step(view, .parent, "w", about: "a:"), "A1: 'v' is in the container 'w'."),
    (step(view, .parent, nil, about: "a:"), "A1: 'v' is in no container."),
    (step(view, .overrides, true, about: "a:"), "A2: 'v' overrides 'a:'."),
    (
      step(view, .overrides, false, about: "a:"),
      "A2: 'v' does not override 'a:': its method is that of 'UIViewController'."
    ),
    (
      step(view, .passOverCandidate, "doesNotRespond", about: "a:"),
      "A9: 'v' is passed over for 'a:', since it does not respond to it."
    ),
    (
      step(view, .passOverCandidate, "cannotPerform", about: "a:"),
      "A9: 'v' is passed over for 'a:', since it cannot perform it."
    ),
    (
      step(view, .passOverCandidate, "notOverridden", about: "a:"),
      "A9: 'v' is passed over for 'a:', since it does not override it."
    ),
    (
      step(view, .callSuper, "C", about: "a:"),
      "A2: 'v' calls super, which runs the method 'a:' of the class 'C'."
    ),
    (step(view, .optionalMessage, true, about: "a:"), "V7: 'v' answers true to 'a:'."),
    (step(view, .optionalMessage, nil, about: "a:"), "V7: 'v' answers nothing to 'a:'."),
    (step(undoManager, .undoManager, "w"), "U1: 'v/undoManager' is that of 'w'."),
    (step(undoManager, .undoManager, nil), "U1: 'v/undoManager' is the session's."),
    (step(undoManager, .undo, "Copy"), "U2: 'v/undoManager' undoes 'Copy'."),
    (
      step(undoManager, .undo, ""),
      "U2: 'v/undoManager' undoes its last group, which has no name."
    ),
    (step(undoManager, .undo, nil), "U2: 'v/undoManager' has nothing to undo."),
    (step(undoManager, .redo, "Copy"), "U2: 'v/undoManager' does 'Copy' again."),
    (
      step(undoManager, .redo, ""),
      "U2: 'v/undoManager' does its last group again, which has no name."
    ),
    (step(undoManager, .redo, nil), "U2: 'v/undoManager' has nothing to do again."),
    (
      step(undoManager, .registerUndo, "w", about: "a:"),
      "U1: 'v/undoManager' records 'a:' against 'w', to be sent when it is undone."
    ),
    (
      step(undoManager, .prepareWithInvocationTarget, "w"),
      "U3: 'v/undoManager' records the next message to it against 'w' and does not run it."
    ),
    (
      step(undoManager, .doesNotRecognizeSelector, nil, about: "a:"),
      "F4: 'v/undoManager' does not recognize 'a:', which is an error."
    ),
    (
      step(view, .messageDelegate, nil, about: "a:"),
      "V7: 'v' has no delegate, so 'a:' goes nowhere."
    ),
    (
      step(view, .messageDelegate, "w", about: "a:"),
      "V7: the delegate of 'v' is 'w', to whom 'a:' goes."
    ),
    (
      step(view, .presenter, "w", about: "a:"),
      "A4: no container of 'v' takes 'a:', so 'w' presents."
    ),
    (
      step(view, .containerOrPresenter, nil, about: "a:"),
      "V6: 'v' is in no container and presented by nobody, so 'a:' has nobody to unwind to."
    ),
    (
      step(view, .containerOrPresenter, "w", about: "a:"),
      "V6: the search for 'a:' goes from 'v' to 'w'."
    ),
    (step(view, .kept, false), "V9: 'v' is kept by nobody, and so it is gone."),
    (step(view, .kept, true), "V9: 'v' is kept."),
    (
      step(view, .allowedChildrenForUnwinding, ["w"], about: "a:"),
      "V6: 'v' lets 'w' be searched for 'a:'."
    ),
    (
      step(view, .allowedChildrenForUnwinding, [], about: "a:"),
      "V6: 'v' lets nothing be searched for 'a:'."
    ),
    (step(view, .canPerformUnwind, true, about: "a:"), "V6: 'v' can be unwound to by 'a:'."),
    (step(view, .canPerformUnwind, false, about: "a:"), "V6: 'v' cannot be unwound to by 'a:'."),
    (
      step(view, .delegate, "d"),
      "R10: 'd' is the delegate of 'v' and is asked right after it."
    ),
    (
      step(view, .mainWindow, "m"),
      "R10: after 'v' the main window is searched, from 'm' on."
    ),
    (
      step(view, .modalWindow, "m"),
      "R10: after 'v' the modal window is searched in place of the main window, from 'm' on."
    ),
    (step(view, .application, "app"), "R10: after 'v' the application is asked, 'app'."),
    (
      step(view, .supplementalTarget, "w", about: "a:"),
      "R10: 'v' names 'w' in its place for 'a:'."
    ),
    (
      step(view, .supplementalTarget, nil, about: "a:"),
      "R10: 'v' names nobody in its place for 'a:'."
    ),
    (
      step(view, .supplementalTarget, nil, about: "a:", fault: fault),
      "R10: 'v' cannot say who takes its place for 'a:': its rule failed."
    ),
  ]

  /// The steps of messages.
  private static let messages: [(Trace.Step, String)] = [
    (step(view, .implements, true, about: "a:"), "C2: 'v' implements 'a:' and consumes it."),
    (
      step(view, .implements, false, about: "a:"),
      "C2: 'v' is passed over for 'a:': neither it nor its class implements it."
    ),
    (
      step(view, .coordinatingNext, ["responder": "c", "link": "parentCoordinator"]),
      "C1: after 'v' the message goes to 'c', its 'parentCoordinator'."
    ),
    (
      step(view, .coordinatingNext, ["responder": "w", "link": "superview"]),
      "C1: after 'v' the message goes to 'w', which its view is in."
    ),
    (step(view, .coordinatingNext, nil), "C1: after 'v' the coordinating chain ends."),
    (
      step(
        view, .coordinatingNext,
        ["responder": "c", "link": "continuation", "isResponder": false]),
      "C3: the coordinating chain ends after 'v', since 'c', its 'continuation', is no responder."
    ),
    (step(view, .continues, true, about: "a:"), "C2: 'v' lets 'a:' go on upward."),
    (
      step(view, .notHandled, nil, about: "a:"),
      "C2: nobody from 'v' on handles 'a:', which is no error."
    ),
    (
      step(view, .queued, true, about: "a:"),
      "C6: the message 'a:' of 'v' waits until messages are processed."
    ),
    (
      step(view, .senderGone, true, about: "a:"),
      "C6: 'v' is gone, so its message 'a:', which waited, goes nowhere."
    ),
  ]

  /// The steps of focus, launches and of what is undone.
  private static let plain: [(Trace.Step, String)] = [
    (step(view, .hasFocus, true), "R8: 'v' has focus already."),
    (step(view, .canBecomeFirstResponder, true), "R8: 'v' can become first responder."),
    (step(view, .canBecomeFirstResponder, false), "R8: 'v' cannot become first responder."),
    (step(view, .canResignFirstResponder, true), "R8: 'v' can give up focus."),
    (step(view, .canResignFirstResponder, false), "R8: 'v' cannot give up focus."),
    (
      step(view, .launchStep, ["name": "windowCreated", "done": true]),
      "V1: the window 'v' is created."
    ),
    (
      step(view, .launchStep, ["name": "windowGivenToDelegate", "done": false]),
      "V1: the delegate 'v' has no property 'window' and is given none."
    ),
    (step(view, .undoneChange, "/a"), "U1: 'v' changes '/a' in the state back."),
    (
      step(view, .keptChange, "/a"),
      "U4: 'v' leaves '/a' in the state as it is: it was changed outside of undo since."
    ),
    (
      step(view, .undoneMessage, "w", about: "a:"),
      "U1: 'v' sends 'a:' to 'w', as it recorded."
    ),
    (
      step(view, .failedMessage, "w", about: "a:"),
      "U4: 'v' drops what 'a:' to 'w' did, since it failed."
    ),
  ]

  private static let all = steps + messages + plain

  @Test(arguments: all)
  func `M10: a step is a sentence that begins with its rule`(step: Trace.Step, sentence: String) {
    #expect(step.sentence == sentence)
    #expect(step.sentence.hasPrefix(step.rule + ": "))
  }

  @Test func `M10: every kind of step is in the list above`() {
    let missing = Set(Trace.Question.allCases).subtracting(
      Self.all.map(\.0.question))
    #expect(missing == [])
  }

  @Test func `F8: the traces of the two forms differ from the first step on`() throws {
    func says(_ forwarding: JSON, _ handlers: JSON) throws -> [String] {
      var stage = try Stage(
        commands: [["action": "rate:", "title": "Rate"]],
        responders: [
          "h": [
            "kind": "view", "handlers": handlers,
            "coordinator": ["forwarding": forwarding, "handlers": ["rate:": [:]]],
          ]
        ], focus: "h")
      let outcome = try stage.apply(.perform(ActionRequest(.command("rate:"))))
      return outcome.performance?.trace.says ?? []
    }
    #expect(
      try says("explicit", ["rate:": ["perform": [["op": "handleAction"]]]]) == [
        "R3: 'h' responds to 'rate:': it or its class has a handler.",
        "R4: 'h' can perform 'rate:'.", "M5: 'h' has no validator, so the item is as declared.",
        "F4: 'h' runs its method 'rate:'.",
        "F5: the coordinator of 'h' runs its handler for 'rate:'.",
      ])
    #expect(
      try says("catchAll", [:]) == [
        "F2: the coordinator of 'h' has a handler for 'rate:', so its forwarder answers.",
        "F3: 'h/forwarder' can perform 'rate:', since the coordinator has a handler.",
        "F7: 'h/forwarder' has no validator, so the item is as declared.",
        "F4: 'h/forwarder' has no method 'rate:' and adds none.",
        "F4: 'h/forwarder' names nobody else for 'rate:'.",
        "F5: 'h/forwarder' gives 'rate:' the signature of its catch-all 'handleAction:'.",
        "F5: 'h/forwarder' changes the selector of the invocation from 'rate:' to 'handleAction:' "
          + "and invokes it on itself.", "F5: 'h/forwarder' runs its method 'handleAction:'.",
        "F5: the coordinator of 'h' runs its handler for 'rate:'.",
      ])
  }
}
