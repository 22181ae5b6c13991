import JSONText

extension Trace {
  /// The steps as sentences that begin with the rule: `R2: after 'grid' comes 'root'.`
  public var sentences: [String] { steps.map(\.sentence) }
}

extension Trace.Step {
  /// The step as a sentence that begins with the rule: `R2: after 'grid' comes 'root'.`
  ///
  /// This is the only place where steps are put into words.
  package var sentence: String { "\(rule): \(clause)." }

  private var clause: String {
    switch question {
    case .redirect: redirect
    case .respondsToSelector: response
    case .canPerformAction: ability
    case .validate: validation
    case .alternate: "with \(answered) held, the item is the alternate that sends \(what)"
    case .keyCommands:
      isNothing
        ? "no key command of \(who) matches the key"
        : "the key commands of \(who) that match the key send \(answered)"
    case .menuKeys:
      isNothing
        ? "no command of the menu matches the key"
        : "the commands of the menu that match the key send \(answered)"
    case .keymap where answer == .bool(true): "the entry of the keymap for \(what) is there"
    case .keymap where answer == .bool(false):
      "the entry of the keymap for \(what) is not there now"
    case .keymap:
      isNothing
        ? "no entry of the keymap matches the key"
        : "the entries of the keymap that match the key send \(answered)"
    case .when: keyCommand(isSo: "is there", isNot: "is not there now")
    case .enabled: keyCommand(isSo: "can be performed", isNot: "cannot be performed now")
    case .passOver: "the match \(what) is passed over for \(answered), and the key goes on"
    case .passOverCandidate: passedOver
    case .parent: "\(who) is in \(isNothing ? "no container" : "the container \(answered)")"
    case .overrides:
      answer == .bool(true)
        ? "\(who) overrides \(what)"
        : "\(who) does not override \(what): its method is that of 'UIViewController'"
    case .callSuper: "\(who) calls super, which runs the method \(what) of the class \(answered)"
    case .optionalMessage:
      isNothing
        ? "\(who) answers nothing to \(what)" : "\(who) answers \(answer.text()) to \(what)"
    case .messageDelegate:
      isNothing
        ? "\(who) has no delegate, so \(what) goes nowhere"
        : "the delegate of \(who) is \(answered), to whom \(what) goes"
    case .presenter: "no container of \(who) takes \(what), so \(answered) presents"
    case .containerOrPresenter:
      isNothing
        ? "\(who) is in no container and presented by nobody, so \(what) has nobody to unwind to"
        : "the search for \(what) goes from \(who) to \(answered)"
    case .hasFocus: "\(who) has focus already"
    case .canBecomeFirstResponder:
      "\(who) \(answer == .bool(true) ? "can" : "cannot") become first responder"
    case .canResignFirstResponder:
      "\(who) \(answer == .bool(true) ? "can" : "cannot") give up focus"
    case .launchStep: launchStep
    case .queued: "the message \(what) of \(who) waits until messages are processed"
    case .senderGone: "\(who) is gone, so its message \(what), which waited, goes nowhere"
    case .undoneChange: "\(who) changes \(answered) in the state back"
    case .keptChange:
      "\(who) leaves \(answered) in the state as it is: it was changed outside of undo since"
    case .undoneMessage:
      "\(who) sends \(what) to \(answered), as it recorded"
    case .failedMessage: "\(who) drops what \(what) to \(answered) did, since it failed"
    case .kept: "\(who) is \(answer == .bool(true) ? "kept" : "kept by nobody, and so it is gone")"
    case .allowedChildrenForUnwinding: "\(who) lets \(answered) be searched for \(what)"
    case .canPerformUnwind:
      "\(who) \(answer == .bool(true) ? "can" : "cannot") be unwound to by \(what)"
    case .proxied:
      isNothing
        ? "the responder that \(who) stands for is gone" : "\(who) stands for \(answered)"
    case .proxiedSelectors:
      answer == .bool(true)
        ? "\(who) lets \(what) through" : "\(who) filters \(what) out by proxiedSelectors"
    case .proxyForwarding:
      "\(who) forwards \(what) to \(answered), whom it stands for, whatever its filter says"
    case .lateResponders:
      if answer == .null {
        "\(who) has no registry of late responders"
      } else if isNothing {
        "\(who) hosts the registry, which has no late responders yet"
      } else {
        "\(who) hosts the registry, whose late responders are \(answered)"
      }
    case .unaskedRedirect:
      "the coordinator of \(who) has a handler for \(what), but a proxy does not ask for its redirect"
    case .userActivity: "\(who) has \(isNothing ? "no" : "a") user activity"
    case .touchBar: "\(who) adds \(isNothing ? "nothing" : "its items") to the touch bar"
    case .cycle: "\(who) was met before, so the walk stops"
    case .next: "after \(who) comes \(isNothing ? "nobody" : answered)"
    case .delegate: "\(answered) is the delegate of \(who) and is asked right after it"
    case .mainWindow: "after \(who) the main window is searched, from \(answered) on"
    case .modalWindow:
      "after \(who) the modal window is searched in place of the main window, from \(answered) on"
    case .application: "after \(who) the application is asked, \(answered)"
    case .supplementalTarget: supplement
    case .resolveInstanceMethod: "\(who) has no method \(what) and adds none"
    case .forwardingTarget:
      isNothing
        ? "\(who) names nobody else for \(what)"
        : "\(who) forwards \(what) to \(answered), where it is tried again"
    case .methodSignature:
      isNothing
        ? "\(who) has no signature for \(what)"
        : "\(who) gives \(what) the signature of its catch-all \(answered)"
    case .forwardInvocation:
      "\(who) changes the selector of the invocation from \(what) to \(answered) and invokes it on "
        + "itself"
    case .invoke: "\(who) runs its method \(what)"
    case .handler:
      isNothing
        ? "the coordinator of \(host) has no handler for \(what), so nothing runs"
        : "the coordinator of \(host) runs its handler for \(what)"
    case .undoManager:
      isNothing ? "\(who) is the session's" : "\(who) is that of \(answered)"
    case .undo: undone("undoes", "undo")
    case .redo: undone("does", "do", after: " again")
    case .registerUndo: "\(who) records \(what) against \(answered), to be sent when it is undone"
    case .prepareWithInvocationTarget:
      "\(who) records the next message to it against \(answered) and does not run it"
    case .implements:
      answer == .bool(true)
        ? "\(who) implements \(what) and consumes it"
        : "\(who) is passed over for \(what): neither it nor its class implements it"
    case .coordinatingNext: coordinatingClause
    case .continues: "\(who) lets \(what) go on upward"
    case .notHandled: "nobody from \(who) on handles \(what), which is no error"
    case .doesNotRecognizeSelector: "\(who) does not recognize \(what), which is an error"
    }
  }

  /// The clause for the launch step in the answer.
  private var launchStep: String {
    guard case .object(let object) = answer, case .string(let name)? = object["name"],
      let kind = LaunchStep.Kind(rawValue: name)
    else { return answered }
    return LaunchStep(
      kind: kind, responder: asked.responder, isDone: object["done"] == true
    ).clause
  }

  private var passedOver: String {
    let why =
      switch answer {
      case .string("doesNotRespond"): "it does not respond to it"
      case .string("cannotPerform"): "it cannot perform it"
      default: "it does not override it"
      }
    return "\(who) is passed over for \(what), since \(why)"
  }

  private var redirect: String {
    isNothing
      ? "the coordinator of \(who) has no handler for \(what), so \(who) answers for itself"
      : "the coordinator of \(who) has a handler for \(what), so its forwarder answers"
  }

  private var response: String {
    if isAboutForwarder {
      return "the coordinator of \(host) has a handler for \(what), but its forwarder does not "
        + "respond to it, so this search does not find it"
    }
    return answer == .bool(true)
      ? "\(who) responds to \(what): it or its class has a handler"
      : "\(who) does not respond to \(what): neither it nor its class has a handler"
  }

  private var ability: String {
    if isAboutForwarder {
      return "\(who) can perform \(what), since the coordinator has a handler"
    }
    if fault != nil { return "\(who) cannot perform \(what): its rule failed, which counts as no" }
    return answer == .bool(true)
      ? "\(who) can perform \(what)" : "\(who) cannot perform \(what) for this sender"
  }

  private var validation: String {
    if fault != nil { return "a rule of \(who) failed, so the item is disabled" }
    guard case .object(let object) = answer else {
      return "\(who) has no validator, so the item is as declared"
    }
    let answers = object.members.map { "\($0.name) \($0.value.text())" }
    return "\(who) validates the item: \(answers.joined(separator: ", "))"
  }

  private func keyCommand(isSo: String, isNot: String) -> String {
    if fault != nil { return "the key command \(what) of \(who) is passed over: its rule failed" }
    return "the key command \(what) of \(who) \(answer == .bool(true) ? isSo : isNot)"
  }

  private var supplement: String {
    if fault != nil {
      return "\(who) cannot say who takes its place for \(what): its rule failed"
    }
    return "\(who) names \(isNothing ? "nobody" : answered) in its place for \(what)"
  }

  private func undone(_ does: String, _ verb: String, after suffix: String = "") -> String {
    switch answer {
    case .null: "\(who) has nothing to \(verb)\(suffix)"
    case "": "\(who) \(does) its last group\(suffix), which has no name"
    default: "\(who) \(does) \(answered)\(suffix)"
    }
  }

  private var isNothing: Bool { answer == .null || answer == [] }
  private var who: String { "'\(asked)'" }
  private var host: String { "'\(asked.responder)'" }
  private var what: String { selector.map { "'\($0)'" } ?? "the message" }

  private var answered: String {
    switch answer {
    case .string(let text): "'\(text)'"
    case .array(let elements):
      elements.isEmpty ? "nothing" : elements.map(Self.named).joined(separator: ", ")
    case .null, .bool, .int, .double, .object: answer.text()
    }
  }

  private static func named(_ element: JSON) -> String {
    if case .string(let text) = element { "'\(text)'" } else { element.text() }
  }
}
