import JSONText
import MicroHTTP
import Randomness
import Testing

@testable import MenuAPI

/// Random messages, well formed and not: each is answered with a message of exactly the right kind.
///
/// `make agents` sends 100,000 of them, by `MENUD_SEEDS`: a seed is a thousand.
struct RandomAgentMessageTests {
  @Test(arguments: Seeds.first(1)) func `every message is answered as it must be`(seed: UInt64)
    throws
  {
    var messages = RandomAgentMessages(seed: seed)
    let sample = try SampleService(limits: messages.limits)
    try ExportSample.declare(in: sample)
    _ = try sample.send(
      .put, "/commands/ask:",
      #"{"title":"Ask","action":"copy:","propertyList":1,"confirmation":{"title":"Ask?"}}"#)
    for turn in 0..<1000 {
      let message = messages.next()
      let response = try sample.send(
        .post, message.path, message.body, headers: message.headers)
      let comment = Comment(rawValue: "seed \(seed), turn \(turn): \(message)")
      try message.expectation.check(response, comment)
    }
  }
}
