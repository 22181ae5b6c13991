import JSONText
import MenuEngine
import MicroHTTP
import Testing

@testable import MenuAPI

/// Every reason of the closed list has a sentence for models (M10).
struct ReasonClauseTests {
  private static let clauses: [ValidationReason: String] = [
    .enabled: "nothing ran, although it is enabled",
    .noTarget: "nobody can perform it",
    .noAction: "it has no action",
    .ruleFalse: "'grid' says no",
    .ruleError: "a rule failed",
    .declaredDisabled: "it is declared disabled, and 'grid' does not enable it",
    .cycle: "the chain leads back into itself",
    .unknownCommand: "the application has no such command any more",
    .unknownItem: "its menus have no item with this key any more",
    .noHandler: "'grid' has no handler for its action any more",
    .recorded: "'grid' recorded it for undo, and did not run it",
    .proxiedGone: "the responder that 'grid' stands for is gone",
    .noMatch: "no key stands for it",
    .pending: "another stroke is awaited",
  ]

  @Test(arguments: ValidationReason.allCases)
  func `M10: a call that was not performed says why, in words`(reason: ValidationReason) throws {
    let clause = try #require(Self.clauses[reason])
    let tool = CalledTool("x:", in: "demo", .november2025)
    let answer: JSONObject = [
      "performed": false, "reason": .string(reason.rawValue), "target": "grid",
    ]
    let result = JSON.object(ToolResult.performance(answer, of: tool))
    #expect(result.firstText == "'x-' was not performed: \(clause).")
    #expect(result[JSONPointer(["isError"])] == true)
  }
}
