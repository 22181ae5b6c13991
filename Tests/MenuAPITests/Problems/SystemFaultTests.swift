import JSONText
import Testing

@testable import MenuAPI
@testable import MenuEngine

struct SystemFaultTests {
  static let containment: [ContainmentFault] = [
    .unknownChild("photos", of: "tabs"), .notAViewController("grid", .view),
    .notA(.navigation, "tabs", "UITabBarController"), .notInA(.navigation, "photos"),
    .repeated("photos", in: "tabs"), .hasParent("photos", "other", not: "tabs"),
    .notAChild("photos", of: "tabs"), .tooManyColumns("split", 3),
  ]

  @Test(
    arguments: rows(
      containment,
      """
      unknownChild 422 unresolved-reference "photos" /responders/tabs/viewControllers: 'tabs' \
      lists 'photos' in 'viewControllers', which the session does not have; put that responder \
      first.
      notAViewController 422 invalid-body "grid" /responders/grid: 'grid' is of kind 'view'; only \
      a responder of kind 'viewController' can be shown or show another one.
      notA 422 invalid-body "tabs" /responders/tabs: 'tabs' is of class 'UITabBarController', \
      which does not inherit from 'UINavigationController'.
      notInA 422 invalid-body "photos" /responders/photos: 'photos' is in no container of a class \
      that inherits from 'UINavigationController'.
      repeated 422 invalid-body "photos" /responders/tabs/viewControllers: 'photos' would be twice \
      among the view controllers of 'tabs'.
      hasParent 422 invalid-body "photos" /responders/tabs/viewControllers: 'tabs' lists 'photos' \
      in 'viewControllers', whose own 'parent' is 'other'; leave out one of them.
      notAChild 422 invalid-body "photos" /responders/tabs/selectedViewController: 'photos' is not \
      among the view controllers of 'tabs'.
      tooManyColumns 422 invalid-body "split" /responders/split: 'split' is a split view \
      controller, which has two columns at most, not 3.
      """))
  func `V4: each fault of view controllers says all of it`(fault: ContainmentFault, row: String) {
    #expect(told(.containment(fault), named: caseName(fault)) == row)
  }

  @Test func `every case of ContainmentFault stands in the table`() throws {
    #expect(
      try declaredCases(of: "ContainmentFault", in: "ViewControllers/Session+Containment.swift")
        == Set(Self.containment.map { caseName($0) }))
  }

  static let presentation: [PresentationFault] = [
    .isChild("photos", of: "tabs"), .isPresented("sheet", by: "photos"),
    .isRoot("tabs", of: "window"), .isPresenting("photos", "sheet"),
    .changesCollapsed("split", to: true), .changesCollapsed("split", to: false), .nothingToShow,
  ]

  @Test(
    arguments: rows(
      presentation,
      """
      isChild 409 link-conflict "photos" /responders/photos: 'photos' is a child of 'tabs' and \
      cannot be presented; remove it from there first.
      isPresented 409 link-conflict "sheet" /responders/sheet: 'sheet' is presented by 'photos'; \
      dismiss it first.
      isRoot 409 link-conflict "tabs" /responders/tabs: 'tabs' is the root view controller of \
      'window' and cannot be shown elsewhere.
      isPresenting 409 link-conflict "photos" /responders/photos: 'photos' presents 'sheet' \
      already; dismiss that first.
      changesCollapsed 422 invalid-body "split" /responders/split: 'split' is expanded, which a \
      document does not change; use the operation 'collapse', which asks its delegate.
      changesCollapsed 422 invalid-body "split" /responders/split: 'split' is collapsed, which a \
      document does not change; use the operation 'expand', which asks its delegate.
      nothingToShow 422 invalid-body /responders: There is no view controller to show: the first \
      argument must be the id of one.
      """))
  func `A4: each fault of showing says all of it`(fault: PresentationFault, row: String) {
    #expect(told(.presentation(fault), named: caseName(fault)) == row)
  }

  @Test func `every case of PresentationFault stands in the table`() throws {
    #expect(
      try declaredCases(of: "PresentationFault", in: "ViewControllers/Session+Containment.swift")
        == Set(Self.presentation.map { caseName($0) }))
  }

  static let delegate: [DelegateFault] = [
    .delegateLacks(["a", "b:"], delegate: "cell", of: "table", "TableDelegate"),
    .handlerRequired("a", delegate: "cell", of: "table", "TableDelegate"),
    .messageOutsideProtocol("a", of: "table", "TableDelegate"),
  ]

  @Test(
    arguments: rows(
      delegate,
      """
      delegateLacks 409 delegate-refused "cell" /responders/table/delegate: 'cell' cannot be the \
      delegate of 'table': it has no handler for 'a' and 'b:', which the protocol 'TableDelegate' \
      requires.
      handlerRequired 409 delegate-refused "a": 'cell' keeps its handler for 'a': it is the \
      delegate of 'table', and the protocol 'TableDelegate' requires it; give 'table' another \
      delegate first.
      messageOutsideProtocol 422 invalid-body "a": 'table' cannot send 'a' to its delegate: the \
      protocol 'TableDelegate' does not have it.
      """))
  func `V7: each fault of delegates says all of it`(fault: DelegateFault, row: String) {
    #expect(told(.delegate(fault), named: caseName(fault)) == row)
  }

  @Test func `every case of DelegateFault stands in the table`() throws {
    #expect(
      try declaredCases(of: "DelegateFault", in: "Protocols/DelegateFault.swift")
        == Set(Self.delegate.map { caseName($0) }))
  }

  static let launch: [LaunchFault] = [
    .launchedAlready(application: "app"), .nothingToLaunch, .notAWindow("grid", .view),
  ]

  @Test(
    arguments: rows(
      launch,
      """
      launchedAlready 409 launched-already: The session has the application 'app' already; open \
      another session to launch in.
      nothingToLaunch 422 invalid-body: Neither the request nor the catalogue's session says what \
      to launch; give a 'storyboard', a 'delegate' or both.
      notAWindow 422 invalid-body "grid": 'grid' is of kind 'view'; only a window can become \
      visible.
      """))
  func `V1: each fault of a launch says all of it`(fault: LaunchFault, row: String) {
    #expect(told(.launch(fault), named: caseName(fault)) == row)
  }

  @Test func `every case of LaunchFault stands in the table`() throws {
    #expect(
      try declaredCases(of: "LaunchFault", in: "Storyboards/StoryboardFault.swift")
        == Set(Self.launch.map { caseName($0) }))
  }

  static let coordination: [CoordinationFault] = [
    .notACoordinator("flow"), .notANavigationCoordinator("flow"), .noRoot("flow"),
    .noParent("flow"), .identifierTaken("flow", "login", of: "main", by: "other"),
    .unknownViewController("photos", of: "flow"), .notAViewController("grid", .view, of: "flow"),
    .repeated("photos", of: "flow"),
  ]

  @Test(
    arguments: rows(
      coordination,
      """
      notACoordinator 422 invalid-body "flow" /responders/flow: 'flow' is no coordinator; put it \
      with a member 'coordinating'.
      notANavigationCoordinator 422 invalid-body "flow" /responders/flow/coordinating/kind: 'flow' \
      keeps no list of view controllers, since it is no coordinator of kind 'navigation'.
      noRoot 409 link-conflict "flow" /responders/flow/coordinating/rootViewController: The \
      coordinator 'flow' has no root view controller; put it with one in \
      'coordinating/rootViewController'.
      noParent 409 link-conflict "flow" /responders/flow/parentCoordinator: The coordinator 'flow' \
      is nobody's child; stop it by 'stopCoordinator'.
      identifierTaken 409 link-conflict "flow" /responders/flow/coordinating/identifier: 'main' \
      would have two children of the identifier 'login': 'other' and 'flow'. Give one of them \
      another; 'startChildCoordinator' would replace the earlier one.
      unknownViewController 422 unresolved-reference "photos" \
      /responders/flow/coordinating/viewControllers: The coordinator 'flow' lists 'photos', which \
      the session does not have; put that responder first.
      notAViewController 422 invalid-body "grid" /responders/flow/coordinating/viewControllers: \
      The coordinator 'flow' lists 'grid', which is of kind 'view'; only view controllers can be \
      in its list.
      repeated 422 invalid-body "photos" /responders/flow/coordinating/viewControllers: The \
      coordinator 'flow' lists 'photos' twice.
      """))
  func `C4: each fault of coordinators says all of it`(fault: CoordinationFault, row: String) {
    #expect(told(.coordination(fault), named: caseName(fault)) == row)
  }

  @Test func `every case of CoordinationFault stands in the table`() throws {
    #expect(
      try declaredCases(of: "CoordinationFault", in: "Coordinators/CoordinatorEvent.swift")
        == Set(Self.coordination.map { caseName($0) }))
  }

  static let storyboard: [StoryboardFault] = [
    .unknownStoryboard("Main"), .unknownScene(FaultSamples.scene), .noStoryboard("photos"),
    .unknownSegue("show", of: "photos", FaultSamples.scene, known: []),
    .unknownSegue("show", of: "photos", FaultSamples.scene, known: ["zoom", "edit"]),
    .embedded("embed", of: "photos"), .nameTaken("photos"),
    .destinationRemoved("zoom", source: "photos"), .unknownOwner("photos", of: "grid"),
    .nameTooLong("photos.grid"), .notChildren("photos", true),
  ]

  @Test(
    arguments: rows(
      storyboard,
      """
      unknownStoryboard 422 unresolved-reference "Main": There is no storyboard 'Main'; GET \
      /storyboards lists those that are declared.
      unknownScene 422 unresolved-reference "photos": The storyboard 'Main' has no scene 'photos'.
      noStoryboard 409 no-storyboard "photos": 'photos' comes from no storyboard; instantiate it \
      from one, or PUT it with members 'storyboard' and 'scene'.
      unknownSegue 404 unknown-segue "show": The scene 'photos' of 'photos' has no segue 'show'; \
      it has none with an identifier.
      unknownSegue 404 unknown-segue "show": The scene 'photos' of 'photos' has no segue 'show'; \
      it has 'zoom' and 'edit'.
      embedded 404 unknown-segue "embed": The segue 'embed' of 'photos' embeds, which happens when \
      'photos' is instantiated and not again.
      nameTaken 409 link-conflict "photos": The session has a responder 'photos' already; choose \
      another id, or leave it out.
      destinationRemoved 409 effect-failed "zoom": Nothing was changed, since the segue from \
      'photos' leads to 'zoom', which a handler has removed.
      unknownOwner 422 unresolved-reference "photos" /responders/grid/owner: The view 'grid' was \
      made for 'photos', but the session has no view controller of that name; put it first, or \
      leave out 'isInstance' and 'owner'.
      nameTooLong 422 invalid-body: An instance would be called 'photos.grid', which is too long; \
      give it an id.
      notChildren 409 effect-failed: 'photos' answers \
      'allowedChildViewControllersForUnwindingFromSource:' with true instead of a list of the ids \
      of its children.
      """))
  func `V3: each fault of storyboards says all of it`(fault: StoryboardFault, row: String) {
    #expect(told(.storyboard(fault), named: caseName(fault)) == row)
  }

  @Test func `every case of StoryboardFault stands in the table`() throws {
    #expect(
      try declaredCases(of: "StoryboardFault", in: "Storyboards/StoryboardFault.swift")
        == Set(Self.storyboard.map { caseName($0) }))
  }

  static let undo: [UndoFault] = [
    .noGroup, .groupsOpen(2), .groupsTooDeep(limit: 100), .inProgress, .registrationEnabled,
    .groupFull(limit: 1000),
  ]

  @Test(
    arguments: rows(
      undo,
      """
      noGroup 409 undo-refused: No undo group is open that was opened by 'beginUndoGrouping'; open \
      one first.
      groupsOpen 409 undo-refused: Nothing is undone or done again while 2 undo groups are open; \
      close them by 'endUndoGrouping' until one is left at most.
      groupsTooDeep 409 undo-refused: Undo groups stand more than 100 deep inside each other; \
      close some by 'endUndoGrouping'.
      inProgress 409 undo-refused: The undo manager is undoing already, and so cannot be told to \
      undo.
      registrationEnabled 409 undo-refused: Undo registration is enabled; only what was disabled \
      can be enabled.
      groupFull 409 undo-refused: The undo group would hold more than 1000 values and bytes; close \
      it by 'endUndoGrouping', or disable undo registration for what is as large as this.
      """))
  func `U2: each fault of undo managers says all of it`(fault: UndoFault, row: String) {
    #expect(told(.undo(fault), named: caseName(fault)) == row)
  }

  @Test func `every case of UndoFault stands in the table`() throws {
    #expect(
      try declaredCases(of: "UndoFault", in: "Undo/UndoManagers.swift")
        == Set(Self.undo.map { caseName($0) })
    )
  }

  static let delivery: [DeliveryFault] = [
    .unknown(7), .alreadyClaimed(7, by: "worker", until: 0), .alreadyClaimed(7, by: nil, until: 0),
    .alreadySettled(7, .replied), .notClaimed(7, claim: 2), .claimLost(7, claim: 2),
  ]

  @Test(
    arguments: rows(
      delivery,
      """
      unknown 422 unresolved-reference (in a path 404 unknown-delivery) 7: The session has no \
      delivery 7; there never was one, or it was settled and is kept no longer.
      alreadyClaimed 409 delivery-conflict 7: The delivery 7 is claimed by 'worker' until \
      1970-01-01T00:00:00.000Z; claim another one, or this one if it is open again then.
      alreadyClaimed 409 delivery-conflict 7: The delivery 7 is claimed until \
      1970-01-01T00:00:00.000Z; claim another one, or this one if it is open again then.
      alreadySettled 409 delivery-conflict 7: The delivery 7 is settled already: it is replied. \
      Nothing more can become of it.
      notClaimed 409 delivery-conflict 7: The delivery 7 has no claim 2 yet; claim it first, and \
      give the number in the answer.
      claimLost 409 delivery-conflict 7: The claim 2 of the delivery 7 has expired; what was done \
      under it does not count. Claim the delivery again if it is open, and renew the claim in \
      time.
      """))
  func `D2: each fault of deliveries says all of it`(fault: DeliveryFault, row: String) {
    #expect(told(.delivery(fault), named: caseName(fault)) == row)
  }

  @Test func `every case of DeliveryFault stands in the table`() throws {
    #expect(
      try declaredCases(of: "DeliveryFault", in: "Deliveries/Deliveries.swift")
        == Set(Self.delivery.map { caseName($0) }))
  }
}
