import JSONText
import MenuEngine
import Testing

@testable import menud

/// The sample in `Config/recipes`, from its launch to the last dismissal, over HTTP (V8): the list is
/// the delegate of the form that adds a recipe, inserts it, reloads and dismisses.
@Suite(Program.isBuilt) struct RecipesTests {
  private let server: RunningProgram
  private let connection: Connection

  init() throws {
    server = try RunningProgram.serving("--application", "Config/recipes")
    connection = try Connection(port: server.port())
  }

  private func perform(_ command: String) throws -> Answer {
    try connection.ask(
      "POST", "/commands/perform", #"{"session": "demo", "command": "\#(command)"}"#)
  }

  private func focus(_ view: String) throws {
    let focused = try connection.ask(
      "PUT", "/sessions/demo/first-responder", #"{"responder": "\#(view)"}"#)
    #expect(focused.status == 200, "\(focused.json)")
  }

  private func session() throws -> Answer { try connection.ask("GET", "/sessions/demo") }

  /// Presents the form and enters a name.
  private func add(_ name: String) throws {
    try focus("recipeList.table")
    #expect(try perform("add:")["/target"] == "recipeList")
    try focus("recipeAdd.nameField")
    let entered = try connection.ask(
      "POST", "/commands/perform",
      #"{"session": "demo", "action": "enterName:", "arguments": ["\#(name)"]}"#)
    #expect(entered["/target"] == "recipeAdd")
  }

  @Test func `V8: done with a recipe, the delegate inserts it, reloads and dismisses`() throws {
    try add("Crêpes")
    let taken = try connection.ask(
      "POST", "/sessions/demo/messages",
      #"{"message": "recipeAddViewController:isNameTaken:", "from": "recipeAdd", "to": "delegate", "arguments": ["recipeAdd", "Chocolate Cake"]}"#
    )
    #expect(taken["/answer"] == true)
    let done = try perform("done:")
    #expect(done["/performed"] == true)
    let after = try session()
    #expect(after["/state/recipes/2"] == ["name": "Crêpes"])
    #expect(after["/responders/recipeList/properties/reloads"] == 1)
    #expect(after["/responders/recipeAdd"] == nil && after["/responders/addNavigation"] == nil)
  }

  @Test func `V8: cancelling hands over nothing, and the delegate only dismisses`() throws {
    try add("Crêpes")
    #expect(try perform("cancel:")["/performed"] == true)
    let after = try session()
    #expect(after["/state/recipes/2"] == nil)
    #expect(after["/responders/recipeList/properties/reloads"] == 0)
    #expect(after["/responders/recipeAdd"] == nil)
  }

  @Test
  func `V7: the form does not dismiss itself, and without a name there is nothing to be done`()
    throws
  {
    try add("")
    let refused = try perform("done:")
    #expect(refused.status == 409 && refused["/reason"] == "ruleFalse")
    #expect(try session()["/responders/addNavigation/presentingViewController"] == "recipeList")
  }

  @Test func `a recipe is shown, its photo pops over it, and unwinding leads back to the list`()
    throws
  {
    let shown = try connection.ask(
      "POST", "/sessions/demo/segues/ShowRecipe",
      #"{"source": "recipeList", "sender": {"kind": "cell", "row": 1}}"#)
    #expect(shown["/performed"] == true)
    let stack = try connection.ask("GET", "/sessions/demo/responders/recipesNavigation")
    #expect(stack["/responder/viewControllers"] == ["recipeList", "recipeDetail"])
    try focus("recipeDetail.view")
    #expect(try perform("showPhoto:")["/target"] == "recipeDetail")
    let photo = try connection.ask("GET", "/sessions/demo/responders/photo")
    #expect(photo["/responder/properties/name"] == "Gaufres de Liège")
    let other = try connection.ask(
      "POST", "/sessions/demo/mutations",
      #"{"mutations": [{"op": "selectViewController", "viewController": "unitsNavigation"}]}"#)
    #expect(other.status == 200)
    let back = try connection.ask(
      "POST", "/sessions/demo/segues/BackToList", #"{"source": "photo", "explain": true}"#)
    #expect(back["/performed"] == true && back["/destination"] == "recipeList")
    #expect(
      back["/path"] == [
        ["step": "dismiss", "viewController": "photo", "by": "recipeDetail"],
        ["step": "pop", "viewController": "recipeList", "by": "recipesNavigation"],
      ])
    let after = try session()
    #expect(after["/state/cameFrom"] == "Gaufres de Liège")
    #expect(after["/responders/photo"] == nil && after["/responders/recipeDetail"] == nil)
  }

  @Test func `P4: the form for opening a recipe has the recipes of the list`() throws {
    try focus("recipeList.table")
    let form = try connection.ask("GET", "/sessions/demo/commands/open:/form")
    #expect(
      form["/schema/properties/recipe"] == [
        "type": "integer", "title": "Recipe",
        "oneOf": [
          ["const": 0, "title": "Chocolate Cake"], ["const": 1, "title": "Gaufres de Liège"],
        ], "default": 1,
      ])
    func open(_ recipe: Int) throws -> Answer {
      try connection.ask(
        "POST", "/commands/perform",
        #"{"session": "demo", "command": "open:", "parameters": {"recipe": \#(recipe)}}"#)
    }
    let refused = try open(2)
    #expect(refused.status == 422 && refused["/pointer"] == "/parameters/recipe")
    #expect(try open(0)["/performed"] == true)
    #expect(
      try session()["/responders/recipeDetail/properties/recipe"] == ["name": "Chocolate Cake"])
  }

  @Test func `V3: an unknown segue is not found, and a stranger has none`() throws {
    let unknown = try connection.ask(
      "POST", "/sessions/demo/segues/Nowhere", #"{"source": "recipeList"}"#)
    #expect(unknown.status == 404 && unknown["/type"] == "/problems/unknown-segue")
    #expect(
      unknown["/detail"]
        == "The scene 'recipeList' of 'recipeList' has no segue 'Nowhere'; it has 'ShowRecipe' and 'AddRecipe'."
    )
    let stranger = try connection.ask(
      "POST", "/sessions/demo/segues/ShowRecipe", #"{"source": "window"}"#)
    #expect(stranger.status == 409 && stranger["/type"] == "/problems/no-storyboard")
  }

  @Test func `the sample has no mistake, and nothing odd`() throws {
    let outcome = try Program.run("check", "Config/recipes")
    #expect(
      outcome.output == """
        ok: Config/recipes has 6 commands, 1 menu, 5 classes, 0 responders, 1 storyboard

        """)
  }
}
