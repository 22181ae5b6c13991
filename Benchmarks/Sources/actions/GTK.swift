import Foundation
import Measuring

/// The same workloads with GTK's own widgets, on a display that nobody sees (peers/gtk).
struct GTK {
  let version: String
  private let program: String
  private let screen: Server
  private let display: String

  /// Starts the display for what was made ready in a folder; nil when that could not be, which is said.
  init?(in folder: String) throws {
    if let reason = try? String(contentsOfFile: "\(folder)/gtk.missing", encoding: .utf8) {
      note("without GTK: \(reason.trimmingCharacters(in: .whitespacesAndNewlines))")
      return nil
    }
    program = "\(folder)/gtk/actions"
    version = try String(contentsOfFile: "\(folder)/gtk/version", encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let output = Pipe()
    let command = ["Xvfb", "-displayfd", "1", "-noreset", "-nolisten", "tcp"]
    screen = try Server(command, output: output)
    // It writes the number of the display once somebody can connect.
    display = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard !display.isEmpty else {
      throw ServerFailure.notReady(command: command.joined(separator: " "))
    }
  }

  /// The microseconds of setting a workload up, and of one step.
  func figures(of workload: Workload, bindings: Int) throws -> (settingUp: Double, step: Double) {
    let surroundings = [
      "DISPLAY=:\(display)", "GDK_BACKEND=x11", "GTK_A11Y=none",
      // Nobody tells desktops of it.
      "DBUS_SESSION_BUS_ADDRESS=disabled:",
    ]
    let output = try Measuring.run(
      "env", surroundings + [program, workload.rawValue, "\(bindings)"])
    let figures = output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard figures.count == 2 else { throw ServerFailure.notReady(command: program) }
    return (figures[0], figures[1])
  }
}
