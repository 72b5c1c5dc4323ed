import Foundation
import ModelContextProtocol
import Networking
import Platform
import Presentation
import Synchronization

/// A console that stores what a command prints, and reports its transient lines as progress.
final class CapturingConsole: Console {
  private struct Stored {
    var output: [UInt8] = []
    var messages = ""
    var statusLines = 0
  }

  private let stored = Mutex(Stored())
  private let call: ToolCall

  init(_ call: ToolCall) { self.call = call }

  var outputIsTerminal: Bool { false }
  /// The commands show their progress only at a terminal.
  var errorIsTerminal: Bool { true }
  var width: Int? { nil }

  func writeOutput(_ text: String) { stored.withLock { $0.output += text.utf8 } }
  func writeOutput(_ bytes: [UInt8]) { stored.withLock { $0.output += bytes } }
  func writeMessage(_ text: String) { stored.withLock { $0.messages += text } }

  func showStatus(_ text: String?) {
    guard let text, !text.isEmpty else { return }
    let count = stored.withLock { stored in
      stored.statusLines += 1
      return stored.statusLines
    }
    call.report(count, nil, text)
  }

  /// The standard output.
  var output: Data { stored.withLock { Data($0.output) } }

  /// The texts of the warnings, each with its reasons.
  var warnings: [String] { texts(of: "warning") }

  /// The texts of the notes, each with its reasons.
  var notes: [String] { texts(of: "note") }

  private func texts(of level: String) -> [String] {
    messages.compactMap { message in
      guard message["level"] == .string(level) else { return nil }
      let texts = ["text", "reason"].compactMap { key -> String? in
        if case .string(let text)? = message[key] { text } else { nil }
      }
      return texts.joined(separator: " ").replacing("\n", with: "; ")
    }
  }

  private var messages: [JSONObject] {
    stored.withLock { $0.messages }.split(separator: "\n").filter { $0.first == MessageJSON.separator }
      .compactMap { (try? JSON(parsing: Data($0.dropFirst().utf8)))?.object }
  }
}
