import MicroHTTP
import Testing

struct MutationRouteRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `a mutation that is refused names its place in the list`() throws {
    let body = #"""
      {"mutations":[{"op":"mergeState","patch":{"zoom":5}},{"op":"becomeFirstResponder","responder":"ghost"}]}
      """#
    try sample.refuses(
      .post, "/sessions/demo/mutations", body,
      with: #"""
        422 /problems/unresolved-reference
        /mutations/1
        Mutation 1 is refused, and with it all of them. The session has no responder 'ghost'.
        """#)
  }

  @Test func `a patch that does not fit names its operation`() throws {
    let body = #"""
      {"mutations":[{"op":"patchState","patch":[{"op":"remove","path":"/nothing"}]}]}
      """#
    try sample.refuses(
      .post, "/sessions/demo/mutations", body,
      with: #"""
        409 /problems/patch-conflict
        /mutations/0/patch/0
        Mutation 0 is refused, and with it all of them. Operation 0 cannot be applied: there is no value at "/nothing".
        """#)
  }

  @Test func `an unknown mutation is refused with those that are known`() throws {
    try sample.refuses(
      .post, "/sessions/demo/mutations", #"{"mutations":[{"op":"explode"}]}"#,
      with: #"""
        422 /problems/invalid-body
        /mutations/0/op
        Expected 'patchState', 'mergeState', 'putResponder', 'removeResponder', 'putHandler', 'removeHandler', 'registerHandler', 'changeRegistration', 'removeRegistration', 'registerLateResponder', 'deregisterLateResponder', 'changeProxiedSelectors', 'putKeyCommands', 'becomeFirstResponder', 'resignFirstResponder', 'makeKeyWindow', 'makeMainWindow', 'makeModalWindow', 'pushViewController', 'popViewController', 'popToViewController', 'popToRootViewController', 'setViewControllers', 'selectViewController', 'present', 'dismiss', 'removeFromParent', 'collapse', 'expand', 'startCoordinator', 'startChildCoordinator', 'stopChildCoordinator', 'stopCoordinator', 'activateCoordinator', 'takeoverCoordinator', 'coordinatorDidFinish', 'coordinatorShow', 'coordinatorRoot', 'coordinatorTop', 'coordinatorPop', 'undo', 'redo', 'beginUndoGrouping', 'endUndoGrouping', 'setLevelsOfUndo', 'setUndoActionName', 'registerUndo', 'prepareWithInvocationTarget', 'disableUndoRegistration', 'enableUndoRegistration', 'removeAllUndoActions', 'launch', 'instantiate', 'performSegue', 'unwind', 'setDelegate', 'message', 'processMessages', 'removeQueuedMessages', 'perform', 'pressKey' or 'invoke', found the string 'explode'.
        """#)
  }

  @Test func `the list must be there`() throws {
    try sample.refuses(
      .post, "/sessions/demo/mutations", #"{}"#,
      with: #"""
        422 /problems/invalid-body

        The member 'mutations' is missing.
        """#)
  }

  @Test func `a command that is disabled stops the list`() throws {
    try sample.refuses(
      .post, "/sessions/demo/mutations", #"{"mutations":[{"op":"perform","command":"delete:"}]}"#,
      with: #"""
        409 /problems/not-performed
        /mutations/0
        Mutation 0 is refused, and with it all of them. The command 'delete:' is disabled: the rule of 'photoGrid' says so.
        """#)
  }
}
