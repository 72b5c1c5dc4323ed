import Foundation
import Platform
import Presentation
import ShellRuntime
import Text

/// The editor in `$VISUAL` or `$EDITOR`, split into words without a shell.
package enum ExternalEditor {
  /// Returns the words of the command, or `vi` if no editor is set.
  ///
  /// - Throws: `CommandError` if it can't be split, or contains `--`, after which a file name can't be distinguished from an
  ///   option.
  package static func words(_ environment: Environment) throws -> [String] {
    let named = ["VISUAL", "EDITOR"].first { !(environment[$0] ?? "").allSatisfy(\.isWhitespace) }
    guard let named, let text = environment[named] else { return ["vi"] }
    if isProgram(text) { return [text] }
    guard let words = POSIXWords(line: text).complete, !words.isEmpty else {
      throw refused(named, text: text, reason: LocalizedText("It has an unclosed quote.", ko: "닫지 않은 따옴표가 있습니다."))
    }
    if words.contains("--") {
      throw refused(
        named, text: text,
        reason: LocalizedText("It must not contain \(.value("--")).", ko: "\(.value("--"), .topic) 쓸 수 없습니다."))
    }
    return words
  }

  /// Returns whether all of a text is the path of a program, such as one with spaces and without quotes.
  private static func isProgram(_ text: String) -> Bool {
    var status = stat()
    return text.contains("/") && stat(text, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && access(text, X_OK) == 0
  }

  /// The editors that run in the terminal, and so return only when they are left.
  private static let terminalEditors: Set = [
    "dte", "ed", "ex", "hx", "helix", "jed", "joe", "jpico", "jstar", "kak", "mcedit", "mg", "micro", "nano", "ne",
    "nvi",
    "nvim", "pico", "rnano", "rvim", "tilde", "vi", "view", "vim", "vim.basic", "vim.tiny", "vis", "zile",
  ]

  /// Returns whether the editor may have returned while its window still has the file open.
  package static func mayHaveWindow(_ words: [String]) -> Bool {
    guard let name = words.first?.split(separator: "/").last.map(String.init) else { return true }
    if name == "emacs" || name == "emacsclient" {
      return !words.contains { ["-nw", "-t", "-tty", "--tty", "--no-window-system"].contains($0) }
    }
    return !terminalEditors.contains(name)
  }

  /// Returns the note that a file stays because the editor has not changed it, with the option that makes editors wait.
  package static func untouched(_ path: String) -> Message {
    .note(
      "The editor returned and left the file as it was. It is kept: \(.value(path))",
      ko: "편집기가 파일을 그대로 두고 끝났습니다. 파일은 남겨 둡니다: \(.value(path))"
    ).next(
      "A graphical editor needs an option that makes it wait: \(.command("VISUAL='code --wait'"))",
      ko: "창을 여는 편집기는 닫힐 때까지 기다리는 옵션이 필요합니다: \(.command("VISUAL='code --wait'"))")
  }

  private static func refused(_ name: String, text: String, reason: LocalizedText) -> CommandError {
    CommandError(
      .blocked,
      .failure(
        "Cannot run \(.value("$" + name)): \(.foreign(text))",
        ko: "\(.value("$" + name), .object) 사용할 수 없습니다: \(.foreign(text))"
      ).because(reason))
  }
}

/// The text after the editor has ended, as the changes that it states.
enum EditedText<Changes> {
  case changed(Changes)
  case unchanged
  /// Unchanged, and perhaps still open in a window of the editor, so the file stays.
  case untouched
}

/// The loop that opens a text in the editor until the result can be read or the user gives up.
struct EditorLoop {
  private let file: EditorFile
  private let words: [String]
  private let environment: Environment
  private let departure: ShutdownCoordinator
  private let language: MessageLanguage
  private let now: @Sendable () -> ContinuousClock.Instant

  /// - Throws: ``CommandError`` if no editor can be started.
  init(_ file: EditorFile, in scope: CommandScope) throws {
    self.file = file
    environment = scope.context.program.environment
    departure = scope.context.program.interruption.shutdown
    language = scope.session.settings.language
    now = scope.context.clock.monotonicNow
    words = try ExternalEditor.words(environment)
  }

  /// Opens the text in the editor, and returns the changes that `read` finds.
  ///
  /// If `read` throws, the text is shown again with the mistakes at the top.
  func changes<Changes>(
    of start: String, _ read: (String) throws(EditErrors) -> Changes?
  ) async throws -> EditedText<Changes> {
    var text = start
    var refused: EditErrors?
    while true {
      try file.write(text)
      let start = now()
      try await edit()
      let typed = try file.read()
      if typed == text {
        if let refused { throw refused.failure }
        if now() - start < .milliseconds(300) { throw cameBackAtOnce }
        return ExternalEditor.mayHaveWindow(words) ? .untouched : .unchanged
      }
      do throws(EditErrors) {
        return try read(typed).map { .changed($0) } ?? .unchanged
      } catch {
        refused = error
        text = error.text(typed, language)
      }
    }
  }

  private func edit() async throws {
    let ending = await Subprocess(words + [file.path], environment: environment, departure).run(isSeen: true)
    try Task.checkCancellation()
    switch ending {
    case .exit(0): return
    // `:cq` of vi, and the way out of other editors without saving.
    case .exit(1):
      throw CommandError(
        .blocked,
        .note("Canceled in the editor. Nothing was sent.", ko: "편집기에서 취소했습니다. 아무것도 보내지 않았습니다."), code: .canceled)
    case .exit(let code):
      throw failure(LocalizedText("It exited with status \(code).", ko: "종료 코드 \(code)번으로 끝났습니다."))
    case .signal(let signal):
      throw failure(LocalizedText("It was killed by signal \(signal).", ko: "시그널 \(signal)번으로 끝났습니다."))
    case .failedToStart(let code): throw failure(CommandError.reason(code))
    }
  }

  private func failure(_ reason: LocalizedText) -> CommandError {
    CommandError(
      .blocked,
      .failure(
        "The editor \(.value(words.joined(separator: " "))) failed. Nothing was sent.",
        ko: "편집기 \(.value(words.joined(separator: " ")), .subject) 오류로 끝났습니다. 아무것도 보내지 않았습니다."
      ).because(reason)
        .next(
          "Set \(.value("$VISUAL")) or \(.value("$EDITOR")) to another editor.",
          ko: "\(.value("$VISUAL"))이나 \(.value("$EDITOR"))에 다른 편집기를 지정하세요."))
  }

  /// The error for an editor that returns immediately.
  ///
  /// It may still have the text open, so the file isn't deleted.
  private var cameBackAtOnce: CommandError {
    CommandError(
      .blocked,
      .failure(
        "The editor closed immediately without changes. Nothing was sent.",
        ko: "편집기가 바로 끝났고 바뀐 것이 없습니다. 아무것도 보내지 않았습니다."
      )
      .next(
        "A graphical editor needs an option that makes it wait: \(.command("VISUAL='code --wait'"))",
        ko: "창을 여는 편집기는 닫힐 때까지 기다리는 옵션이 필요합니다: \(.command("VISUAL='code --wait'"))"))
  }
}
