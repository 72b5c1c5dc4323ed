import Foundation
import Networking
import Platform
import Presentation
import Synchronization
import Text

/// A transient status line that counts: `Reading: 12,300 of 100,000 products, 41,000/s, 3 s left`.
///
/// It changes at most ten times a second, and shows nothing if standard error is no terminal.
package final class ProgressLine: Sendable {
  /// The words for what is counted, before a total and after the number that is done.
  package enum Counted: Sendable {
    case products
    case changes
  }

  private struct State {
    var next: Date
    var isOver = false
  }

  /// The minimum interval between two changes of the line in seconds.
  private static let interval = 0.1
  /// The time in seconds before a rate is shown, because an earlier one would be inaccurate.
  private static let warmUp = 0.5

  private let task: LocalizedText?
  private let counted: Counted
  private let language: MessageLanguage
  private let context: CommandContext
  private let start: Date
  private let state: Mutex<State>

  /// Starts the clock of the rate.
  ///
  /// - Parameters:
  ///   - task: What is being done, such as `Reading`.
  ///   - counted: What is counted.
  ///   - delay: Seconds before the line appears, for work that is usually done before.
  ///   - scope: The scope of the command.
  package init(_ task: LocalizedText?, of counted: Counted = .products, after delay: Double = 0, _ scope: CommandScope)
  {
    self.task = task
    self.counted = counted
    context = scope.context
    language = scope.session.settings.language
    start = scope.context.clock.now()
    state = Mutex(State(next: start + delay))
  }

  /// Shows the numbers, unless the line has just changed or has ended.
  ///
  /// - Parameters:
  ///   - done: The number of things that are done.
  ///   - total: The number of all, or `nil` if it isn't known.
  ///   - details: More facts for the end of the line.
  package func show(_ done: Int, of total: Int?, details: [LocalizedText] = []) {
    guard context.program.console.errorIsTerminal else { return }
    let now = context.clock.now()
    let isDue = state.withLock { state in
      guard !state.isOver, now >= state.next else { return false }
      state.next = now + ProgressLine.interval
      return true
    }
    guard isDue else { return }
    var parts = [ProgressLine.numbers(done, of: total, counted)]
    parts += ProgressLine.rate(done, of: total, counted, after: now.timeIntervalSince(start)) + details
    let line = parts.map { $0[language].plain }.joined(separator: ", ")
    context.program.console.showTransientStatus(task.map { "\($0[language].plain): " + line } ?? line)
  }

  package func clear() { context.program.console.showStatus(nil) }

  /// Ends the status line, because the things themselves are being printed.
  package func stop() {
    let wasOver = state.withLock { state in
      defer { state.isOver = true }
      return state.isOver
    }
    if !wasOver { clear() }
  }

  private static func numbers(_ done: Int, of total: Int?, _ counted: Counted) -> LocalizedText {
    let read = NumberFormatting.grouped(done)
    let all = total.map { NumberFormatting.grouped($0) }
    switch counted {
    case .products:
      guard let all else { return LocalizedText("\(read) products", ko: "상품 \(read)개") }
      return LocalizedText("\(read) of \(all) products", ko: "상품 \(all)개 중 \(read)개")
    case .changes:
      guard let all else { return LocalizedText("\(read) changes", ko: "변경 \(read)건") }
      return LocalizedText("\(read) of \(all) changes", ko: "변경 \(all)건 중 \(read)건")
    }
  }

  /// Returns things a second, and the seconds left, rounded up.
  private static func rate(
    _ done: Int, of total: Int?, _ counted: Counted, after seconds: TimeInterval
  ) -> [LocalizedText] {
    guard seconds >= warmUp, done > 0 else { return [] }
    let rate = min(Double(done) / seconds, 1e12)
    let perSecond =
      rate >= 10 ? NumberFormatting.grouped(Int(exactly: rate.rounded()) ?? 0) : String((rate * 10).rounded() / 10)
    let counter = counted == .products ? "개" : "건"
    let speed = LocalizedText("\(perSecond)/s", ko: "초당 \(perSecond)\(counter)")
    guard let total, total > done, let left = Int(exactly: (Double(total - done) / rate).rounded(.up)) else {
      return [speed]
    }
    return [speed, LocalizedText("\(left) s left", ko: "\(left)초 남음")]
  }
}

/// The progress of an upload: `↑ 512 KB / 1.4 MB`, after the count of a batch.
package struct UploadProgressLine: Sendable {
  private let console: any Console
  private let mark: String

  package init(_ console: any Console, ascii: Bool) {
    self.console = console
    mark = ascii ? "^" : "↑"
  }

  /// - Parameter sent: The bytes that were sent, or `nil` at the end of the upload.
  package func show(sent: Int?, of total: Int) {
    guard let sent, sent < total else { return console.showUpload(nil) }
    let text = "\(mark) \(NumberFormatting.bytes(sent)) / \(NumberFormatting.bytes(total))"
    console.showUpload(text)
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
