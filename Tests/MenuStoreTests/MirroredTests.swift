import Foundation
import Synchronization
import Testing

@testable import MenuStore

@Suite struct MirroredTests {
  @Test func `what was changed is seen by every thread`() {
    let mirrored = Mirrored([0])
    for number in 1...20 {
      mirrored.change { $0.append(number) }
      DispatchQueue.concurrentPerform(iterations: 16) { _ in
        #expect(mirrored.reading { $0 } == Array(0...number))
      }
    }
  }

  @Test func `nobody sees what was when somebody has seen what it became`() {
    let mirrored = Mirrored(0)
    let seen = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for _ in 0..<2000 {
        if thread == 0 { mirrored.change { $0 += 1 } }
        let before = seen.load(ordering: .sequentiallyConsistent)
        let now = mirrored.reading { $0 }
        #expect(now >= before)
        _ = seen.max(now, ordering: .sequentiallyConsistent)
      }
    }
    #expect(mirrored.reading { $0 } == 2000)
  }
}
