import CommandLanguage
import Foundation
import LineEditing
import MarketAPI
import MarketOperations
import Platform
import Presentation
import ShellRuntime
import Synchronization
import Text
import WriteJournal

/// The prompt, which always shows the market, the vendor and whether writing is allowed.
struct Prompt {
  private let session: Session

  private let open: Int
  /// The interrupted run that was begun last, or `nil`.
  private let run: Run?
  /// The number of sales whose start or end is overdue.
  private let overdue: Int

  /// Creates the prompt with the number of pending writes, `open`.
  init(_ session: Session, open: Int, run: Run? = nil, overdue: Int = 0) {
    (self.session, self.open, self.run, self.overdue) = (session, open, run, overdue)
  }

  /// The text at the right edge: access, edition, pending writes and overdue sales.
  ///
  /// It is empty without colors, because it couldn't be distinguished from the input.
  var right: String {
    guard session.settings.colors else { return "" }
    var parts = [session.server.access.value == .readOnly ? "ro" : "rw"]
    if let dialect = session.server.dialect { parts.append(dialect.value.name) }
    if open > 0 {
      let words = LocalizedText("\(open) pending", ko: "대기 \(open)")
      parts.append(words[session.settings.language].plain)
    }
    if overdue > 0 {
      let words = LocalizedText(
        "\(overdue) \(overdue == 1 ? StyledText("sale") : "sales") overdue", ko: "늦은 할인 \(overdue)")
      parts.append(words[session.settings.language].plain)
    }
    return parts.joined(separator: session.settings.ascii || session.settings.treatsAmbiguousAsWide ? " - " : " · ")
  }

  /// The title of the window, which names the market that is written to.
  var title: String { "openmarket: " + Sanitizer.sanitized(session.server.name) }

  var text: String {
    let isVendor = session.hasSecret && session.server.hasVendorAccounts
    let vendor = !isVendor ? "" : "@" + (session.credentials.vendorID.map { String($0) } ?? "?")
    let lock = session.server.access.value == .readOnly ? " ro" : ""
    let name = Sanitizer.sanitized(session.server.name + vendor + interruption)
    guard session.settings.colors else { return "\(name)\(lock)> " }
    return "\u{1B}[1;36m\(name)\u{1B}[0m\u{1B}[33m\(lock)\u{1B}[0m> "
  }

  /// The interrupted run with the number of its changes that are left.
  private var interruption: String {
    guard let run else { return "" }
    let left = run.counts.left + run.counts.unknown
    guard left > 0 else { return " " + run.name }
    return " " + run.name + LocalizedText(": \(left) left", ko: ": \(left)건 남음")[session.settings.language].plain
  }
}

extension Shell {
  /// Returns the interrupted run at this market that was begun last, or `nil` if there is none.
  func interruptedRun() -> Run? {
    guard Journal.exists(in: context.stores.home.journalFolder),
      let runs = try? context.stores.journal().unsettledRuns(current: session.script.run, session.marketLogin)
    else { return nil }
    return runs.last { $0.life.state == .interrupted }
  }

  /// Asks what becomes of a batch that was stopped by Ctrl-C, and returns the line that does it.
  ///
  /// - Returns: `nil` if the run stays interrupted, and if all of it was sent.
  package func lineAfterInterruption(_ run: Run) async -> String? {
    guard run.counts.left > 0, interruption.shutdown.signal == nil else { return nil }
    interruption.reset()
    switch await scope.answer(to: RunMessages.afterInterruption(run))?.lowercased() {
    case "d": return "forget \(run.name) yes"
    case "u" where run.counts.done > 0: return "undo \(run.name)"
    default: return nil
    }
  }

  /// Returns the number of pending writes at this market, or 0 if there is no journal.
  func pendingWriteCount() -> Int {
    guard Journal.exists(in: context.stores.home.journalFolder),
      let open = try? context.stores.journal().abandonedCounts(session.marketLogin)
    else { return 0 }
    return open.unknown + open.unfinished
  }

  /// Returns the number of sales whose start or end is overdue.
  func overdueSaleCount() -> Int { overdueSales.count }

  private var overdueSales: OverdueSales {
    OverdueSales(of: context.stores.home, session.limits, at: context.clock.timestamp)
  }

  /// Returns a description of the writes that an earlier run left pending, of overdue sales and of the last run of the timer,
  /// or `nil` if there are none.
  ///
  /// Sends no request.
  func pendingWritesNotice() -> String? {
    if Journal.isLost(in: context.stores.home.journalFolder) {
      let message = Message.warning(
        "The log is missing or empty, but its images or sessions still exist.",
        ko: "변경 로그가 없거나 비어 있는데, 사진이나 세션 파일은 남아 있습니다."
      ).because(
        "Earlier changes cannot be undone or resumed.", ko: "이전 변경은 되돌리거나 재개할 수 없습니다."
      ).next(
        "Before your next change, look for journal.sqlite from \(.value(context.stores.home.journalFolder)) in a backup.",
        ko: "다음 변경 전에 백업에서 \(.value(context.stores.home.journalFolder))의 journal.sqlite를 찾아보세요.")
      return MessageRenderer().render(message, scope.messageOptions).trimmed
    }
    let timer = TimerNotice(of: context.stores.home, session.limits, at: context.clock.timestamp)
    let messages = pendingMessages() + [overdueSales.message, timer.message].compactMap(\.self)
    guard !messages.isEmpty else { return nil }
    return messages.map { MessageRenderer().render($0, scope.messageOptions) }.joined().trimmed
  }

  private func pendingMessages() -> [Message] {
    // Without a write there is no journal to open.
    guard Journal.exists(in: context.stores.home.journalFolder) else { return [] }
    let binding = session.marketLogin
    let elsewhere = (try? PendingElsewhere(binding, in: context.stores)).flatMap { $0 }
    return [openHere(binding), elsewhere?.message].compactMap(\.self)
  }

  private func openHere(_ binding: MarketLogin) -> Message? {
    guard let open = try? context.stores.journal().abandonedCounts(binding), open.unknown + open.unfinished > 0 else {
      return nil
    }
    let all = open.unknown + open.unfinished
    var message = Message.warning(
      "An earlier session left \(all) pending \(all == 1 ? StyledText("change") : "changes").",
      ko: "이전 실행에서 변경 \(all)건이 남았습니다.")
    if open.unknown > 0 {
      message = message.because(
        "The outcome of \(open.unknown) is unknown.", ko: "\(open.unknown)건은 적용되었는지 아직 모릅니다.")
    }
    // Reading a large batch would delay the start.
    if all <= 3, let journal = try? context.stores.journal(),
      let entries = try? journal.undecidedEntries(binding) + journal.resumableEntries(binding)
    {
      for entry in entries {
        let (number, subject) = (entry.id, entry.subject(scope.messageOptions))
        message = message.because(
          "log entry \(number): \(subject.english)", ko: "로그 \(number)번: \(subject.korean)")
      }
    }
    return message.next(
      "Run \(.command("status")) to see them, or \(.command("resume")) to check and finish them.",
      ko: "\(.command("status"))로 볼 수 있고, \(.command("resume"))으로 확인하고 마저 처리할 수 있습니다.")
  }
}

/// Prompts through the line editor.
package struct EditorPrompt: UserPrompt {
  private let editor: LineEditor

  package init(_ editor: LineEditor) { self.editor = editor }

  package func answer(to question: String) async -> String? {
    switch await editor.readField(FormField(prompt: question, discardsTypeahead: true)) {
    case .text(let text): text
    case .up, .down, .cancelled, .notText, .tooLong: nil
    }
  }

  package func secret(_ prompt: String) async -> String? {
    switch await editor.readSecret(prompt: prompt) {
    case .line(let line): line
    case .interrupted, .endOfFile, .invalidUTF8, .tooLong, .unreadable, .editor: nil
    }
  }

  package func field(_ field: FormQuestion) async -> FormAnswer {
    let answer = await editor.readField(
      FormField(
        prompt: field.prompt, initial: field.initial, isInForm: field.isInForm,
        discardsTypeahead: field.discardsTypeahead, surroundingRows: field.rows, placeholder: field.rule,
        validationError: field.problem,
        counter: { field.counter($0) ?? "" },
        completer: { Self.choices(field, line: $0, cursor: $1) }))
    return switch answer {
    case .text(let text): .text(text)
    case .up(let text): .up(text)
    case .down(let text): .down(text)
    case .cancelled, .notText, .tooLong: .left
    }
  }

  package func endForm() async { await editor.eraseForm() }

  /// Returns the completions for the text after the last comma.
  private static func choices(_ field: FormQuestion, line: String, cursor: Int) -> LineEditing.CompletionResult {
    let typed = String(String.UnicodeScalarView(line.unicodeScalars.prefix(cursor)))
    let scalars = Array(typed.unicodeScalars)
    var start = scalars.lastIndex(of: ",").map { $0 + 1 } ?? 0
    while start < cursor, scalars[start] == " " { start += 1 }
    return LineEditing.CompletionResult(
      range: start..<cursor, candidates: field.candidates(typed).map { CompletionCandidate($0.text, endsWord: false) })
  }
}

/// The transient status line at the bottom of the terminal, cleared before any other output.
///
/// A status text (a count, a countdown) takes precedence over the spinner.
package final class StatusLine: Sendable {
  private struct State {
    var status: String?
    /// The progress of an upload, after the status, and the number of columns for both.
    var upload: String?
    var width = 80
    var spinnerFrame: String?
    var drawn: String?
  }

  private let descriptor: Int32
  private let state = Mutex(State())

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  package func show(_ text: String?) { change { $0.status = text } }

  package func showUpload(_ text: String?, width: Int?) {
    change {
      $0.upload = text
      $0.width = width ?? 80
    }
  }

  package func showSpinner(_ frame: String?) { change { $0.spinnerFrame = frame } }

  /// Clears the line and calls the closure, which writes other output. Nothing is drawn until the closure returns.
  ///
  /// A frame of the spinner that is drawn between the two would stay in front of that output.
  package func withClearedLine(_ body: () throws -> Void) rethrows {
    try state.withLock { state in
      (state.status, state.upload, state.spinnerFrame) = (nil, nil, nil)
      draw(&state)
      try body()
    }
  }

  private func change(_ alter: (inout State) -> Void) {
    state.withLock { state in
      alter(&state)
      draw(&state)
    }
  }

  private func draw(_ state: inout State) {
    var text = state.status ?? state.upload ?? state.spinnerFrame
    if let status = state.status, let upload = state.upload {
      text = WidthMeasurer().truncated("\(status), \(upload)", to: max(1, state.width - 1))
    }
    guard text != state.drawn else { return }
    // A status line that can't be drawn isn't an error of the command.
    do { try Descriptor.write("\r\u{1B}[K" + (text ?? ""), to: descriptor) } catch {
      TerminalHangup.raiseIfNeeded(descriptor)
    }
    state.drawn = text
  }
}
