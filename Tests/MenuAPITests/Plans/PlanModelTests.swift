import JSONText
import MicroHTTP
import Randomness
import Testing

@testable import MenuAPI

/// Random dry runs, plans, changes and restarts, on one service or several, beside a model of their outcomes (T6).
struct PlanModelTests {
  @Test(arguments: Seeds.first(3))
  func `T6: whatever happens in between, a plan changes what it showed or nothing`(
    seed: UInt64
  ) throws {
    var world = try PlanWorld(seed: seed)
    for _ in 0..<200 { try step(&world) }
    for outcome in ["performed", "repeated", "plan-changed"] {
      #expect(world.counts[outcome, default: 0] > 0, "\(outcome): \(world.counts)")
    }
  }

  private func step(_ world: inout PlanWorld) throws {
    switch Int.random(in: 0..<40, using: &world.random) {
    case 0..<10: try world.tryMessage()
    case 10..<14: try world.patch()
    case 14: try world.performWithoutPlan()
    case 15: try world.undo()
    case 16: try world.pass()
    case 17: try world.restart()
    case 18: try world.reopen()
    case 19, 20: try alter(in: &world)
    case 21, 22: try tryPlan(in: &world)
    case 23..<27: try perform(in: &world, copies: 3)
    default: try perform(in: &world, copies: 1)
    }
  }

  /// Performs a plan, maybe several times at once.
  private func perform(in world: inout PlanWorld, copies: Int) throws {
    guard let index = world.anyPlan() else { return }
    let plan = world.plans[index]
    let use = world.anyUse(of: plan)
    let present = try world.shown(plan.message, in: plan.session)
    let verdict = world.verdict(on: plan, use, present)
    let before = try world.document(use.session)
    let answers = try world.send(plan.text, use, copies: copies)
    let after = try world.document(use.session)
    world.count(verdict)
    switch verdict {
    case .performed:
      let first = answers.filter { $0.status == .ok && $0.headers["idempotent-replayed"] == nil }
      #expect(first.count == 1, "\(answers.map(\.text))")
      guard let done = first.first else { return }
      #expect(try done.value("/changes")?.text() == plan.shown.changes)
      var mirror = DocumentMirror(before)
      try mirror.apply(changesOf: try done.json)
      #expect(mirror.document.text() == after.text())
      for answer in answers where answer.status == .ok { #expect(answer.body == done.body) }
      world.plans[index].done = (done.body, world.now)
    case .repeated:
      for answer in answers {
        #expect(answer.status == .ok && answer.headers["idempotent-replayed"] == "true")
        #expect(answer.body == plan.done?.body)
      }
      #expect(after.text() == before.text())
    case .over:
      for answer in answers where answer.status == .ok { #expect(answer.body == plan.done?.body) }
      #expect(after.text() == before.text())
    case .refused(let type):
      for answer in answers {
        #expect(try answer.value("/type") == .string("/problems/\(type)"), "\(answer.text)")
      }
      #expect(after.text() == before.text())
      if type == "plan-changed" { try replan(plan, present, answers[0], in: &world) }
    }
  }

  /// Checks what the refusal shows, and takes the new plan.
  private func replan(
    _ plan: PlanWorld.Plan, _ present: PlanWorld.Shown, _ answer: Response,
    in world: inout PlanWorld
  ) throws {
    let shown = PlanWorld.Shown(
      changes: try answer.value("/changes")?.text(),
      question: try answer.value("/confirmation")?.text())
    #expect(shown == present)
    try world.keep(answer, of: plan.message, in: plan.session, by: plan.token, shown)
  }

  /// A dry run by a plan changes nothing, and says whether the plan holds.
  private func tryPlan(in world: inout PlanWorld) throws {
    guard let index = world.anyPlan() else { return }
    let plan = world.plans[index]
    var use = world.anyUse(of: plan)
    use.isConfirmed = true
    let present = try world.shown(plan.message, in: plan.session)
    let before = try world.document(use.session)
    let answer = try world.send(plan.text, use, more: #","dryRun":true"#)
    #expect(try world.document(use.session).text() == before.text())
    var unused = plan
    unused.done = nil
    let verdict = world.verdict(on: unused, use, present)
    let holds = verdict == .performed && plan.done == nil
    #expect((answer.status == .ok) == holds, "\(answer.text)")
    guard case .refused(let type) = verdict, plan.done == nil else { return }
    #expect(try answer.value("/type") == .string("/problems/\(type)"))
  }

  /// A plan that somebody changed is none.
  private func alter(in world: inout PlanWorld) throws {
    guard let index = world.anyPlan() else { return }
    let plan = world.plans[index]
    let use = PlanWorld.Use(asker: plan.token, session: plan.session, isConfirmed: true)
    guard world.isValid(use) else { return }
    var bytes = Array(plan.text.utf8)
    if Bool.random(using: &world.random) {
      bytes.removeLast(Int.random(in: 1..<bytes.count, using: &world.random))
    } else {
      let place = Int.random(in: bytes.indices, using: &world.random)
      bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    }
    let before = try world.document(use.session)
    let answer = try world.send(String(decoding: bytes, as: UTF8.self), use)
    let type = try answer.value("/type")
    #expect(
      type == "/problems/unknown-plan" || type == "/problems/foreign-plan", "\(answer.text)")
    #expect(try world.document(use.session).text() == before.text())
  }
}
