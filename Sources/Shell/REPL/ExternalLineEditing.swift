import Commands
import LineEditing
import Platform
import Presentation
import ShellRuntime
import Text

/// The editing of the prompt's line in the editor of `$VISUAL` or `$EDITOR`.
///
/// The edited line returns to the prompt. It runs only after Enter.
struct ExternalLineEditing {
  private let context: CommandContext

  init(in context: CommandContext) { self.context = context }

  /// Returns the edited line without trailing line breaks.
  ///
  /// The file of a line with a secret never stays.
  ///
  /// - Throws: `CommandError` and `FileError` if there is no editor, if it fails or leaves the file as it was, or if the
  ///   text is too long.
  func change(_ line: String, holdsSecret: Bool) async throws -> String {
    let words = try ExternalEditor.words(context.program.environment)
    let file = try EditorFile(
      in: context.stores.home.editorDirectory, named: "line-\(context.stores.freshName().prefix(8)).market")
    var keepsFile = false
    defer { if !keepsFile { file.remove() } }
    try file.write(line + "\n")
    let program = Subprocess(
      words + [file.path], environment: context.program.environment, context.program.interruption.shutdown)
    switch await program.run(isSeen: true) {
    case .exit(0): break
    case .exit(let code):
      throw failure(words, LocalizedText("It exited with status \(code).", ko: "종료 코드 \(code)번으로 끝났습니다."))
    case .signal(let signal):
      throw failure(words, LocalizedText("It was killed by signal \(signal).", ko: "시그널 \(signal)번으로 끝났습니다."))
    case .failedToStart(let code): throw failure(words, CommandError.reason(code))
    }
    var text = try file.read()
    // A window of the editor may still have the file open: what is saved there later is not lost.
    if text == line + "\n", ExternalEditor.mayHaveWindow(words), !holdsSecret {
      keepsFile = true
      throw CommandError(.success, ExternalEditor.untouched(file.path))
    }
    while text.unicodeScalars.last == "\n" || text.unicodeScalars.last == "\r" { text.unicodeScalars.removeLast() }
    guard text.utf8.count <= LineLimit.bytes else { throw CommandError(.usageError, UnusableLine.tooLong.message) }
    return text.replacing("\r\n", with: "\n")
  }

  private func failure(_ words: [String], _ reason: LocalizedText) -> CommandError {
    CommandError(
      .blocked,
      .failure(
        "The editor \(.value(words.joined(separator: " "))) failed. The line was not changed.",
        ko: "편집기 \(.value(words.joined(separator: " ")), .subject) 오류로 끝났습니다. 입력한 줄을 바꾸지 않았습니다."
      ).because(reason)
        .next(
          "Set \(.value("$VISUAL")) or \(.value("$EDITOR")) to another editor.",
          ko: "\(.value("$VISUAL"))이나 \(.value("$EDITOR"))에 다른 편집기를 지정하세요."))
  }
}
