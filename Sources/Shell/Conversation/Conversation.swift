import Catalog
import Commands
import Engine
import Failures
import Foundation
import Language
import LineEditing
import Platform
import Presentation
import Text

/// A person at a terminal: prompt, line, answer, until they leave.
package struct Conversation {
  private let shell: Shell
  private let editor: LineEditor
  private let knowledge: CompletionContext
  private let greeting: Greeting
  private let tips: Tips

  package init(_ shell: Shell, editor: LineEditor, knowledge: CompletionContext, greeting: Greeting, tips: Tips) {
    self.shell = shell
    self.editor = editor
    self.knowledge = knowledge
    self.greeting = greeting
    self.tips = tips
  }

  /// Goes on until `quit` or Ctrl-D; a failing command is said and the conversation goes on.
  /// - Parameter session: what the shell has when nothing was said yet.
  package func run(from session: Session) async -> ExitStatus {
    var session = session
    let terminal = followTerminal()
    defer { Signals.end(terminal) }
    await tellTroubles()
    if let words = greeting.takeFirst(session) { await shell.tell(words) }
    Task.detached(priority: .utility) { [shell, editor] in
      if let text = await shell.openWrites() { editor.notify(text) }
    }
    var tips = tips
    var status: ExitStatus?
    // Before the first line nothing is opened for it; what an earlier run left is told in words.
    var open = 0
    // The line that comes back from an editor.
    var initial = ""
    while !session.isOver, shell.interruption.departure.signal == nil {
      // Listened to before there is anything to interrupt, so that no Ctrl-C falls between Enter and what it starts.
      let interrupts = Signals.stream([SIGINT])
      let prompt = Prompt(session, open: open)
      switch await editor.readLine(
        prompt: prompt.text, right: prompt.right, title: prompt.title, after: status?.rawValue, initial: initial)
      {
      case .editor(let text):
        initial = await changed(text)
        status = nil
        continue
      case .line(let line):
        initial = ""
        guard !line.trimmed.isEmpty else { continue }
        let isKept = isKept(line, session)
        if isKept {
          await editor.remember(line, at: Int64(shell.context.now().timeIntervalSince1970 * 1_000))
        }
        await tellTroubles()
        let code = await answer(line, interrupts)
        if isKept { await editor.conclude(code.rawValue) }
        status = code
        open = await shell.countOpenWrites()
        session = await follow(session)
        if shell.interruption.isAsked { continue }
        if code == .success, session.settings.tips, let tip = tips.next() { await shell.tell(tip.asTip) }
      case .interrupted: initial = ""
      case .end, .unreadable: return .success
      case .notText:
        initial = ""
        await shell.say(UnusableLine.notText.message)
      case .tooLong:
        initial = ""
        await shell.say(UnusableLine.tooLong.message)
      }
    }
    return .success
  }

  /// Whether the history gets the line: not one with a secret, not one with a blank in front, by which a person keeps it
  /// out, and not one that takes lines out of the history.
  private func isKept(_ line: String, _ session: Session) -> Bool {
    if line.hasPrefix(" ") || line.split(separator: " ").prefix(2).elementsEqual(["history", "rm"]) { return false }
    return !shell.context.holdsSecret(line, session)
  }

  /// Returns what an editor made of the line, or the line itself where that failed.
  private func changed(_ line: String) async -> String {
    do {
      return try await LineInEditor(in: shell.context).change(line)
    } catch {
      await shell.say(Failure(describing: error).message)
    }
    return line
  }

  /// Runs one line; Ctrl-C meanwhile cancels it, or ends what is being written in good order.
  private func answer(_ line: String, _ interrupts: AsyncStream<Int32>) async -> ExitStatus {
    shell.interruption.reset()
    let work = Task { await runAll(line) }
    let watch = Task {
      for await _ in interrupts { await shell.interrupt(work) }
    }
    let code = await shell.interruption.departure.waiting(for: work)
    watch.cancel()
    // A Ctrl-C that comes as the work ends is still answered, and its row is clean before the prompt stands there.
    await watch.value
    await shell.clearStatus()
    knowledge.follow(await shell.session)
    if code == .success, shell.interruption.departure.signal == nil { await shell.readAhead() }
    return code
  }

  /// Several pasted lines are several commands; the first that fails ends them.
  private func runAll(_ entry: String) async -> ExitStatus {
    var reader = LogicalLines()
    let lines = entry.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, text) in lines.enumerated() {
      guard let line = reader.add(String(text), index + 1) else { continue }
      let code = await run(line)
      guard await !shell.session.isOver else { return code }
      guard code == .success else {
        let rest = lines[(index + 1)...].count { !String($0).trimmed.isEmpty }
        if rest > 0 { await shell.say(Conversation.left(rest)) }
        return code
      }
    }
    return if let rest = reader.finish() { await run(rest) } else { .success }
  }

  private func run(_ line: LogicalLines.Completed) async -> ExitStatus {
    switch line {
    case .line(let line): return await shell.run(line.text)
    case .tooLong:
      await shell.say(UnusableLine.goesOnTooLong.message)
      return .misread
    }
  }

  private static func left(_ count: Int) -> Message {
    .note(
      "\(count) \(count == 1 ? StyledText("line") : "lines") behind it \(count == 1 ? StyledText("was") : "were") not run.",
      ko: "그 뒤의 \(count)줄은 실행하지 않았습니다.")
  }

  /// Says once what keeps the history or the key bindings from working; the conversation goes on.
  private func tellTroubles() async {
    let troubles = await editor.takeTroubles()
    for trouble in troubles.history { await shell.say(Message(.warning, trouble.wording)) }
    for trouble in troubles.editrc {
      await shell.say(
        .warning(
          "A line of .editrc is not understood: \(.foreign(trouble))",
          ko: ".editrc의 한 줄을 이해하지 못했습니다: \(.foreign(trouble))"))
    }
  }

  /// Passes on what happens to the terminal while a line is typed.
  private func followTerminal() -> Int {
    Signals.watch([SIGWINCH, SIGCONT, SIGINT]) { [shell, editor] signal in
      switch signal {
      case SIGWINCH: editor.resized()
      case SIGCONT: editor.continued()
      // At the prompt it comes from elsewhere and drops the line; between two prompts, where Ctrl-C is a signal already and
      // there is nothing left to give up, it ends nobody. What a command was given up by is no matter of the next prompt.
      default: if !shell.interruption.isAsked { editor.interrupted() }
      }
    }
  }

  /// Brings the editor in line with settings that the command may have changed.
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

extension HistoryTrouble {
  /// Why lines are not kept.
  package var wording: LocalizedText {
    switch self {
    case .symbolicLink:
      LocalizedText("The history file is a link; lines are not kept.", ko: "기록 파일이 링크라서 입력을 저장하지 않습니다.")
    case .notAFile:
      LocalizedText(
        "The history file is not a regular file; lines are not kept.", ko: "기록 파일이 일반 파일이 아니라서 입력을 저장하지 않습니다.")
    case .foreignOwner:
      LocalizedText(
        "The history file belongs to someone else; lines are not kept.", ko: "기록 파일이 다른 사용자의 것이라서 입력을 저장하지 않습니다.")
    case .failed(let code):
      LocalizedText(
        "The history file cannot be used (\(String(cString: strerror(code)))); lines are not kept.",
        ko: "기록 파일에 쓸 수 없어(\(String(cString: strerror(code)))) 입력을 저장하지 않습니다.")
    case .skippedLines(let count):
      LocalizedText(
        "The history file held lines that are not ours; \(count) were left out.",
        ko: "기록 파일에서 이 셸의 것이 아닌 \(count)줄을 건너뛰었습니다.")
    }
  }
}
