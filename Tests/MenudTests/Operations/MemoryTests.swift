import Testing

/// All routes asked again and again, and streams that nobody reads, within bounds of memory (`make memory`).
@Suite(Program.isBuilt) struct MemoryTests {
  @Test(.enabled(if: Program.givesMemoryBack, "The address sanitizer keeps what is freed."))
  func `every route and every stream keep within the bounds of memory`() throws {
    let (status, text) = try CheckScript(name: "memory.py").run([
      "--rounds", "1", "--times", "3", "--streams", "60", "--state", "1000000",
    ])
    #expect(status == 0, "\(text)")
    #expect(text.contains("health was not answered 0 times; exit code of menud: 0"), "\(text)")
  }
}
