import Foundation
import Networking
import Platform
import Presentation
import Synchronization
import Text

/// A transient status line for work that sends nothing: `Planning: 12 of 40`.
///
/// It appears after half a second.
package final class WorkProgress: Sendable {
  /// Seconds before the line appears.
  private static let delay = 0.5
  /// Seconds between two changes of the line.
  private static let interval = 0.1

  private let what: LocalizedText
  private let language: MessageLanguage
  private let context: CommandContext
  private let next: Mutex<Date>

  package init(_ what: LocalizedText, _ scope: CommandScope) {
    self.what = what
    self.context = scope.context
    language = scope.session.settings.language
    next = Mutex(scope.context.now() + WorkProgress.delay)
  }

  package func show(_ done: Int, of total: Int) {
    guard context.console.errorIsTerminal else { return }
    let now = context.now()
    let isDue = next.withLock { next in
      guard now >= next else { return false }
      next = now + WorkProgress.interval
      return true
    }
    guard isDue else { return }
    let numbers = (NumberFormatting.grouped(done), NumberFormatting.grouped(total))
    let text = LocalizedText(
      "\(what.english): \(numbers.0) of \(numbers.1)", ko: "\(what.korean): \(numbers.1)개 중 \(numbers.0)개")
    context.console.showTransientStatus(text[language].plain)
  }

  package func clear() { context.console.showStatus(nil) }
}

/// A status line that shows the progress of an upload: `↑ 512 KB / 1.4 MB`.
package struct UploadProgressLine: Sendable {
  private let console: any Console
  private let mark: String

  package init(_ console: any Console, ascii: Bool) {
    self.console = console
    mark = ascii ? "^" : "↑"
  }

  /// - Parameter sent: in bytes; nil when there is no more to tell.
  package func show(sent: Int?, of total: Int) {
    guard let sent, sent < total else { return console.showStatus(nil) }
    let text = "\(mark) \(NumberFormatting.bytes(sent)) / \(NumberFormatting.bytes(total))"
    console.showStatus(text)
  }
}

/// A transport in front of a person: while a request is under way, the spinner knows.
struct SpinnerTransport: Transport {
  let base: any Transport
  let spinner: Spinner

  func send(_ request: Request, to address: URL, with options: SendOptions) async throws -> Response {
    try await spinner.whileWaiting { try await base.send(request, to: address, with: options) }
  }
}
