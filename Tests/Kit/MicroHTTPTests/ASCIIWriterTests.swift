import Testing

@testable import MicroHTTP

struct ASCIIWriterTests {
  @Test(arguments: [0, 9, 10, 12_345, -1, .max, .min])
  func `a number is written as it is described`(number: Int) {
    #expect(String(size: ASCIIWriter.numberSize) { $0.append(number) } == "\(number)")
  }

  @Test func `the largest number takes the room that a number may take`() {
    let text = String(size: ASCIIWriter.numberSize) { $0.append(UInt64.max) }
    #expect(text == "\(UInt64.max)")
    #expect(text.utf8.count == ASCIIWriter.numberSize)
  }

  @Test func `words, characters and numbers follow each other`() {
    let text = String(size: 16) { writer in
      writer.append("run")
      writer.append("." as Unicode.Scalar)
      writer.append(7)
    }
    #expect(text == "run.7")
  }

  @Test func `what has no room is left out`() {
    #expect(String(size: 3) { $0.append("four") } == "fou")
    #expect(String(size: 0) { $0.append(1) }.isEmpty)
  }
}
