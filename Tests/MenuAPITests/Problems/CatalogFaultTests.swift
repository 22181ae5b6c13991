import JSONText
import Testing

@testable import MenuAPI
@testable import MenuEngine

struct CatalogFaultTests {
  static let faults: [DeclarationFault] = [
    .command(.duplicateCommand("copy:")), .command(.identicalCommand("copy:")),
    .command(.duplicateIdentity("copy:", "copy:", other: "copy")),
    .command(.duplicateKey("copy:", FaultSamples.key, other: "copy")),
    .command(.otherName("copy:", expected: "copy")), .menu(.duplicateMenu("file")),
    .menu(.undeclaredCommand("copi:")),
    .menu(.undeclaredCommand("copi:", nearest: "copy:")),
    .menu(.undeclaredCommand("copy", nearest: "copy:")),
    .command(.standsInMenus("copy:", ["edit"])),
    .command(.standsInMenus("copy:", ["edit", "file"])),
    .command(.unknownCommand("copy:")), .menu(.unknownMenu("file")), .menu(.rootMenu),
    .menu(.menusTooDeep(limit: 16)),
    .class(.unknownSuperclass("Grid", superclass: "Vew", known: ["View", "Window"])),
    .class(
      .unknownSuperclass(
        "Grid", superclass: "Q", known: (0..<42).map { ClassName(unchecked: "C\($0)") })),
    .class(.builtInClass("UIView")), .class(.unknownExtendedClass("Extras", "Grid")),
    .class(.repeatedMethod("Extras", "copy:", of: "Grid")), .class(.classCycle(["A", "B", "A"])),
    .protocol(.duplicateProtocol("TableDelegate")),
    .protocol(.repeatedMessage("TableDelegate", "a")),
    .protocol(.unknownProtocol("TableDelegate")),
    .class(.undeclaredProtocol("Table", "TableDelegate")),
    .protocol(.protocolInUse("TableDelegate", ["Table"])),
    .protocol(.protocolInUse("TableDelegate", ["Table", "List"])),
    .storyboard(.duplicateStoryboard("Main")), .storyboard(.unknownStoryboard("Main")),
    .keymap(.unknownKeymap("ada")), .storyboard(.unknownScene("Main", "photos")),
    .scene(.duplicateSegue("photos", "show")), .scene(.duplicateView("photos", "grid")),
    .storyboard(.relationshipCycle(["a", "b", "a"])), .storyboard(.scenesTooDeep(limit: 16)),
    .scene(.undeclaredClass("photos", "Photos")), .scene(.notAViewController("photos", "Grid")),
    .scene(.tooManyColumns("split", 3)),
  ]

  @Test(
    arguments: rows(
      faults,
      """
      duplicateCommand 409 duplicate-declaration: The command 'copy:' is declared already, and \
      differently; delete it first, or choose another id.
      identicalCommand 409 duplicate-declaration: The command 'copy:' is declared twice, and both \
      declarations are identical; leave one of them out.
      duplicateIdentity 409 duplicate-declaration: The commands 'copy:' and 'copy' have the same \
      action 'copy:' and property list; give one of them another property list.
      duplicateKey 409 duplicate-declaration: The commands 'copy:' and 'copy' have the same key \
      'command+shift+c'; give one of them another.
      otherName 422 invalid-body: The command calls itself 'copy:' but stands under 'copy'; leave \
      out 'id' or make it the same.
      duplicateMenu 409 duplicate-declaration: Two menus have the identifier 'file'; give one of \
      them another.
      undeclaredCommand 422 unresolved-reference: The menus name the command 'copi:', which is not \
      declared; declare it first.
      undeclaredCommand 422 unresolved-reference: The menus name the command 'copi:', which is not \
      declared; did you mean 'copy:'?
      undeclaredCommand 422 unresolved-reference: The menus name the command 'copy', which is not \
      declared; did you mean 'copy:'? A colon stands for an argument, such as the sender; write \
      both alike.
      standsInMenus 409 command-in-menus: The command 'copy:' stands in the menu 'edit'; take it \
      out of there first.
      standsInMenus 409 command-in-menus: The command 'copy:' stands in the menus 'edit' and \
      'file'; take it out of there first.
      unknownCommand 404 unknown-command: There is no command 'copy:'; GET /commands lists those \
      that are declared.
      unknownMenu 422 unresolved-reference: There is no menu 'file'; GET /menus shows those that \
      are there.
      rootMenu 422 invalid-body: The menu 'root' holds all others; it cannot be replaced or \
      removed or have siblings.
      menusTooDeep 422 invalid-body: Menus stand more than 16 deep inside each other; make the \
      tree flatter.
      unknownSuperclass 422 unresolved-reference: The class 'Grid' inherits from 'Vew', which is \
      not declared; did you mean 'View'? There are 'View' and 'Window'.
      unknownSuperclass 422 unresolved-reference: The class 'Grid' inherits from 'Q', which is not \
      declared. There are 'C0', 'C1', 'C2', 'C3', 'C4', 'C5', 'C6', 'C7', 'C8', 'C9', 'C10', \
      'C11', 'C12', 'C13', 'C14', 'C15', 'C16', 'C17', 'C18', 'C19', 'C20', 'C21', 'C22', 'C23', \
      'C24', 'C25', 'C26', 'C27', 'C28', 'C29', 'C30', 'C31', 'C32', 'C33', 'C34', 'C35', 'C36', \
      'C37', 'C38', 'C39' and 2 more.
      builtInClass 409 duplicate-declaration: The class 'UIView' is built in or declared already; \
      choose another name.
      unknownExtendedClass 422 unresolved-reference: The category 'Extras' adds to the class \
      'Grid', which is not declared.
      repeatedMethod 409 duplicate-declaration: The category 'Extras' has 'copy:', which the class \
      'Grid' has already, itself or by another category; override it in a subclass.
      classCycle 422 invalid-body: The classes 'A' → 'B' → 'A' inherit from themselves.
      duplicateProtocol 409 duplicate-declaration: The protocol 'TableDelegate' is declared \
      already, and differently; delete it first, or choose another name.
      repeatedMessage 422 invalid-body: The protocol 'TableDelegate' has the message 'a' twice.
      unknownProtocol 404 unknown-protocol: There is no protocol 'TableDelegate'; GET /protocols \
      lists those that are declared.
      undeclaredProtocol 422 unresolved-reference: The delegates of the class 'Table' are of the \
      protocol 'TableDelegate', which is not declared.
      protocolInUse 409 protocol-in-use: The protocol 'TableDelegate' is that of the delegates of \
      the class 'Table'.
      protocolInUse 409 protocol-in-use: The protocol 'TableDelegate' is that of the delegates of \
      the classes 'Table' and 'List'.
      duplicateStoryboard 409 duplicate-declaration: The storyboard 'Main' is declared already, \
      and differently; delete it first, or choose another name.
      unknownStoryboard 404 unknown-storyboard: There is no storyboard 'Main'; GET /storyboards \
      lists those that are declared.
      unknownKeymap 404 unknown-keymap: There is no keymap 'ada'; GET /keymaps lists those that \
      there are.
      unknownScene 422 unresolved-reference: The storyboard 'Main' has no scene 'photos'.
      duplicateSegue 422 invalid-body: Two segues of the scene 'photos' have the identifier \
      'show'; give one of them another.
      duplicateView 422 invalid-body: Two views of the scene 'photos' are called 'grid'; give one \
      of them another id.
      relationshipCycle 422 invalid-body: The scenes 'a' → 'b' → 'a' would be instantiated with \
      themselves without end.
      scenesTooDeep 422 invalid-body: Scenes are instantiated with each other more than 16 deep; \
      make the relationships flatter.
      undeclaredClass 422 unresolved-reference: The class 'Photos' in the scene 'photos' is not \
      declared.
      notAViewController 422 invalid-body: The scene 'photos' is of the class 'Grid', which does \
      not inherit from 'UIViewController'.
      tooManyColumns 422 invalid-body: The scene 'split' is a split view controller, which has two \
      columns at most, not 3.
      """))
  func `each fault says its status, its kind and a sentence`(fault: DeclarationFault, row: String) {
    #expect(told(fault, named: caseName(fault, within: DeclarationFault.groups)) == row)
  }

  @Test func `every case of DeclarationFault stands in the table`() throws {
    for (group, name) in DeclarationFault.groups {
      #expect(
        try declaredCases(of: name, in: "Catalogs/DeclarationFault.swift")
          == Set(
            Self.faults.filter { caseName($0) == group }
              .map { caseName($0, within: DeclarationFault.groups) }))
    }
  }

  static let findings: [LintWarning.Finding] = [
    .unprepared("zoom", source: "photos", destination: "photo", ["size"]),
    .unprepared("zoom", source: "photos", destination: "photo", ["size", "name"]),
    .namesSource("photo", "Photos", source: "photos"), .talksBack("photo", source: "photos"),
    .writesSource("photo", source: "photos"), .stranger("photo", "map"),
  ]

  @Test(
    arguments: rows(
      findings,
      """
      V10 preparedBySource: The segue 'zoom' leads to 'photo', which reads 'size'; let 'photos' \
      set it when it prepares, or declare a default.
      V10 preparedBySource: The segue 'zoom' leads to 'photo', which reads 'size' and 'name'; let \
      'photos' set them when it prepares, or declare a default.
      V10 unawareOfSource: 'photo' names 'Photos', the class of its source 'photos'; a destination \
      should work for any source.
      V10 talksThroughDelegate: 'photo' sends a message to its source 'photos' itself; let it have \
      a delegate, and send it there.
      V10 talksThroughDelegate: 'photo' writes properties of its source 'photos' itself; let it \
      have a delegate, and send a message there.
      V10 knowsOnlyItsOwn: 'photo' names 'map', which it neither makes nor stands beside.
      """))
  func `V10: each warning names its rule`(fault: LintWarning.Finding, row: String) {
    #expect(LintWarning(part: .storyboards, place: .root, finding: fault).sentence == row)
  }

  @Test(
    arguments: rows(
      DeadCoordinator.Reason.allCases,
      """
      Nothing reaches the coordinator 'flow': it has no root view controller.
      Nothing reaches the coordinator 'flow': nobody owns its root view controller.
      Nothing reaches the coordinator 'flow': its parent is not started.
      """))
  func `C4: a dead coordinator says why nothing reaches it`(
    reason: DeadCoordinator.Reason, sentence: String
  ) {
    #expect(DeadCoordinator(coordinator: "flow", reason: reason).sentence == sentence)
  }
}
