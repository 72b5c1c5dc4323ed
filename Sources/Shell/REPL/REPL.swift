import Foundation
import LineEditing
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// An interactive session at a terminal.
package struct REPL {
  private let shell: Shell
  private let editor: LineEditor
  private let knowledge: LineAssistant
  private let greeting: WelcomeMessage
  private let tips: Tips

  package init(_ shell: Shell, editor: LineEditor, knowledge: LineAssistant, greeting: WelcomeMessage, tips: Tips) {
    self.shell = shell
    self.editor = editor
    self.knowledge = knowledge
    self.greeting = greeting
    self.tips = tips
  }

  /// Reads and runs lines until `quit` or Ctrl-D.
  ///
  /// An error is reported and doesn't end the session.
  package func run(from session: Session) async -> ExitStatus {
    var session = session
    let terminal = followTerminal()
    defer { SignalDispatcher.end(terminal) }
    await reportEditorErrors()
    if let words = greeting.textOnFirstRun(session) { await shell.printText(words) }
    if let start = REPL.start(session) { await shell.say(start) }
    Task.detached(priority: .utility) { [shell, editor] in
      if let text = await shell.pendingWritesNotice() { editor.printAbovePrompt(text) }
    }
    var tips = tips
    var status: ExitStatus?
    // The journal isn't opened before the first line. Pending writes of an earlier run are reported separately.
    var open = 0
    var run: Run?
    var overdue = 0
    var overdueCheck: Int64 = 0
    // The line returned by an external editor.
    var initial = ""
    while !session.hasEnded, shell.interruption.shutdown.signal == nil {
      let interrupts = InterruptRelay(shell)
      let prompt = Prompt(session, open: open, run: run, overdue: overdue)
      switch await editor.readLine(
        prompt: prompt.text, right: prompt.right, title: prompt.title, after: status?.rawValue, initial: initial,
        willRead: { [shell] in
          shell.interruption.reset()
          interrupts.discardEarlyPresses()
        })
      {
      case .editor(let text):
        initial = await changed(text)
        status = nil
        continue
      case .line(let line):
        initial = ""
        guard !line.trimmed.isEmpty else { continue }
        let isStored = isStored(line, session)
        if isStored {
          await editor.remember(line, at: Int64(shell.context.clock.now().timeIntervalSince1970 * 1_000))
        }
        await reportEditorErrors()
        let code = await execute(line, interrupts)
        if isStored { await editor.recordExitStatus(code.rawValue) }
        status = code
        let before = run
        (open, run) = (await shell.pendingWriteCount(), await shell.interruptedRun())
        if shell.interruption.isRequested, let stopped = run, stopped != before,
          let choice = await shell.lineAfterInterruption(stopped)
        {
          status = await execute(choice, InterruptRelay(shell))
          (open, run) = (await shell.pendingWriteCount(), await shell.interruptedRun())
        }
        // Plans of many products take a while to read.
        let now = shell.context.clock.seconds
        if overdue > 0 || now - overdueCheck >= 60 {
          (overdue, overdueCheck) = (await shell.overdueSaleCount(), now)
        }
        session = await follow(session)
        if shell.interruption.isRequested { continue }
        if let notice = await shell.learningNotice() { await shell.say(notice) }
        if code == .success, session.settings.tips, let tip = tips.next() { await shell.printText(tip.asTip) }
      case .interrupted: initial = ""
      case .endOfFile, .unreadable: return .success
      case .invalidUTF8:
        initial = ""
        await shell.say(UnusableLine.notText.message)
      case .tooLong:
        initial = ""
        await shell.say(UnusableLine.tooLong.message)
      }
    }
    return .success
  }

  /// Says that the default profile was chosen; nothing where the shell starts in the embedded market as usual.
  private static func start(_ session: Session) -> Message? {
    guard let profile = session.server.profile, profile.origin == .default, profile.value != ServerConfiguration.demo
    else {
      return nil
    }
    let address = session.server.url?.value.absoluteString ?? ""
    return .note(
      "Profile \(.value(profile.value)) is the default: \(.value(address))",
      ko: "기본 프로필 \(.value(profile.value)): \(.value(address))")
  }

  /// Returns whether the line is added to the history.
  ///
  /// A line with a secret, one with a leading space and `history rm` are not, and no line of an agent: Up and the
  /// suggestions would offer it to a person.
  private func isStored(_ line: String, _ session: Session) -> Bool {
    if shell.context.program.agent != nil { return false }
    if line.hasPrefix(" ") || line.split(separator: " ").prefix(2).elementsEqual(["history", "rm"]) { return false }
    return !CommandScope(session, shell.context).holdsSecret(line)
  }

  /// Returns the line as edited in the external editor, or the same line if that failed.
  private func changed(_ line: String) async -> String {
    do {
      let holdsSecret = CommandScope(await shell.session, shell.context).holdsSecret(line)
      return try await ExternalLineEditing(in: shell.context).change(line, holdsSecret: holdsSecret)
    } catch {
      await shell.say(CommandError(describing: error))
    }
    return line
  }

  /// Runs a line, or pasted lines as separate commands, of which the first one that fails ends the others.
  ///
  /// Ctrl-C cancels them, or completes the write in flight.
  private func execute(_ entry: String, _ interrupts: InterruptRelay) async -> ExitStatus {
    shell.interruption.reset()
    let work = Task {
      let typed = entry.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      var lines = ScriptLines(typed.map { .line($0) })
      var code = ExitStatus.success
      while let line = lines.next() {
        switch line {
        case .line(let line): code = await shell.run(line.text)
        case .unusable(let reason, _):
          await shell.say(reason.message)
          code = reason.code
        }
        if await shell.session.hasEnded { break }
        guard code != .success else { continue }
        let rest = typed[lines.number...].count { !$0.trimmed.isEmpty }
        if rest > 0 { await shell.say(REPL.left(rest)) }
        break
      }
      await shell.cleanUpAfterInterruption()
      return code
    }
    let code = await interrupts.follow(work)
    // The row of a Ctrl-C at the end of the work is cleared before the prompt is drawn.
    await shell.clearStatus()
    knowledge.follow(await shell.session)
    if code == .success, shell.interruption.shutdown.signal == nil { await shell.readAhead() }
    return code
  }

  private static func left(_ count: Int) -> Message {
    .note(
      "\(count) more \(count == 1 ? StyledText("line") : "lines") \(count == 1 ? StyledText("was") : "were") not run.",
      ko: "이후의 \(count)줄은 실행하지 않았습니다.")
  }

  /// Reports problems with the history and the key bindings once.
  private func reportEditorErrors() async {
    let errors = await editor.drainErrors()
    for error in errors.history { await shell.say(Message(.warning, error.wording)) }
    for line in errors.editrc {
      await shell.say(
        .warning(
          "Cannot read a line of .editrc: \(.foreign(line))",
          ko: ".editrc에서 읽을 수 없는 줄: \(.foreign(line))"))
    }
  }

  /// Passes the terminal's signals to the editor while a line is typed.
  private func followTerminal() -> Int {
    SignalDispatcher.watch([SIGWINCH, SIGCONT, SIGINT]) { [shell, editor] signal in
      switch signal {
      case SIGWINCH: editor.handleSIGWINCH()
      case SIGCONT: editor.handleSIGCONT()
      // At the prompt, SIGINT comes from another process and drops the line. Between two prompts it has no effect:
      // there is nothing to cancel, and the Ctrl-C of a command doesn't apply to the next prompt.
      default: if !shell.interruption.isRequested { editor.handleSIGINT() }
      }
    }
  }

  /// Applies settings to the editor that the command may have changed.
  private func follow(_ before: Session) async -> Session {
    let session = await shell.session
    let after = session.settings
    guard after != before.settings else { return session }
    await editor.setKeys(after.keys == .vi ? .vi : .emacs)
    await editor.setSuggestions(after.suggestions)
    await editor.setColors(after.colors)
    return session
  }
}

extension LocalizedText {
  fileprivate var asTip: LocalizedText {
    LocalizedText("\(.dim("tip: "))" + english, ko: "\(.dim("팁: "))" + korean)
  }
}

extension HistoryError {
  /// The reason why lines aren't saved.
  package var wording: LocalizedText {
    switch self {
    case .symbolicLink:
      LocalizedText("History is not saved: the history file is a symbolic link.", ko: "입력 기록 파일이 링크라서 입력을 저장하지 않습니다.")
    case .notAFile:
      LocalizedText(
        "History is not saved: the history file is not a regular file.", ko: "입력을 저장하지 않습니다. 입력 기록 파일이 일반 파일이 아닙니다.")
    case .foreignOwner:
      LocalizedText(
        "History is not saved: the history file belongs to another user.", ko: "입력을 저장하지 않습니다. 입력 기록 파일이 다른 사용자의 것입니다.")
    case .failed(let code):
      LocalizedText(
        "History is not saved: cannot use the history file (\(String(cString: strerror(code)))).",
        ko: "입력을 저장하지 않습니다. 입력 기록 파일에 쓸 수 없습니다(\(String(cString: strerror(code)))).")
    case .skippedLines(let count):
      LocalizedText(
        "Ignored \(count) \(count == 1 ? StyledText("line") : "lines") of the history file that openmarket did not write.",
        ko: "입력 기록 파일에서 openmarket이 쓰지 않은 \(count)줄을 건너뛰었습니다.")
    }
  }
}
