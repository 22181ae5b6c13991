import Foundation
import Testing

@testable import CEL

/// Equal programs are compiled once, however many bring them.
@Suite struct ProgramTableTests {
  @Test func `equal programs are one in memory`() throws {
    let first = try Program("a.b == 1", variables: ["a"])
    let second = try Program("a.b == 1", variables: ["a"])
    #expect(first.isIdentical(to: second))
    #expect(second.places(in: 0) == [["b"]])
  }

  @Test func `programs with another source, other variables or other limits are not`() throws {
    let program = try Program("a == 2", variables: ["a", "b"])
    #expect(!program.isIdentical(to: try Program("a  == 2", variables: ["a", "b"])))
    #expect(!program.isIdentical(to: try Program("a == 2", variables: ["b", "a"])))
    let limits = ProgramLimits(maximumSteps: 7)
    let limited = try Program("a == 2", variables: ["a", "b"], limits: limits)
    #expect(!program.isIdentical(to: limited))
    #expect(limited.limits == limits)
  }

  @Test func `sources that are equal only when normalised are different programs`() throws {
    let composed = try Program("'\u{E9}'", variables: [])
    let decomposed = try Program("'e\u{301}'", variables: [])
    #expect(!composed.isIdentical(to: decomposed))
    #expect(decomposed.source.utf8.elementsEqual("'e\u{301}'".utf8))
  }

  @Test func `the table keeps no program in memory`() throws {
    let table = ProgramTable()
    for number in 0..<2000 {
      let source = "a > \(number)"
      let key = ProgramTable.Key(source, variables: ["a"], limits: ProgramLimits())
      _ = try table.storage(for: key) { () throws(CompilationFault) in
        try Program(source, in: Environment(variables: ["a"])).storage
      }
    }
    #expect(table.count <= 256)
  }

  @Test func `a fault is told each time`() {
    for _ in 0..<2 {
      #expect(throws: CompilationFault.self) { try Program("a +", variables: ["a"]) }
    }
  }

  @Test func `threads that compile one program at a time get the same`() throws {
    let programs = (0..<8).map { _ in Box() }
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      for number in 0..<50 {
        let program = try? Program("b == \(number)", variables: ["b"])
        programs[index].programs.append(program)
      }
    }
    let first = programs[0].programs.compactMap(\.self)
    #expect(first.count == 50)
    for other in programs {
      #expect(zip(first, other.programs).allSatisfy { $1.map($0.isIdentical(to:)) == true })
    }
  }

  /// One thread changes it, and then another one reads it.
  private final class Box: @unchecked Sendable {
    var programs: [Program?] = []
  }
}
