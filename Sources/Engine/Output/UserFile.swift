import Catalog
import Failures
import Foundation
import Interchange
import Networking
import Platform
import Presentation
import Text

/// A file that the person named to be written. What stands there already is only overwritten where this program wrote it
/// and nobody has changed it since, or where that is wanted.
package struct UserFile {
  package let path: String
  private let named: String
  private let context: Context

  package init(_ named: String, _ context: Context) {
    self.named = named
    self.context = context
    path = Paths.expanded(named, home: context.environment["HOME"])
  }

  /// Asked before anything else is done: a command that writes to the market must not find afterwards that its answer
  /// has nowhere to go.
  ///
  /// - Parameter replacing: the word `replace` stands on the line.
  /// - Throws: `Failure` where the file stays as it is.
  package func admit(replacing: Bool, _ session: Session) async throws {
    if replacing { return }
    let reason: LocalizedText
    switch WrittenFiles(context.home).standing(of: path) {
    case .free, .ours: return
    case .changed:
      reason = LocalizedText(
        "\(.value(named)) was changed since this shell wrote it.", ko: "\(.value(named)) 파일은 이 셸이 저장한 뒤에 바뀌었습니다.")
    case .foreign:
      reason = LocalizedText(
        "\(.value(named)) is there already, and this shell did not write it.",
        ko: "\(.value(named)) 파일이 이미 있고, 이 셸이 저장한 것이 아닙니다.")
    }
    guard let asker = context.asker else {
      throw Failure(
        .heldBack,
        Message(.failure, reason).because("Nothing was written and nothing sent.", ko: "아무것도 저장하거나 보내지 않았습니다.")
          .next(
            "\(.command("replace")) on the line overwrites it.", ko: "줄에 \(.command("replace"))를 붙이면 덮어씁니다."))
    }
    context.say(Message(.warning, reason), session)
    let question = LocalizedText("Overwrite it? [y/N] ", ko: "덮어쓸까요? [y/N] ")[session.settings.tongue].plain
    guard let answer = await asker.answer(to: question), Confirmation.isYes(answer) else {
      throw Failure(
        .heldBack,
        .note("Left as it is; nothing was written and nothing sent.", ko: "그대로 두었습니다. 아무것도 저장하거나 보내지 않았습니다."))
    }
  }

  /// Writes it whole or not at all, and remembers that it was us.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package func write(_ data: Data) throws {
    try Files.write(data, to: path)
    remember()
  }

  /// What cannot be remembered is asked about the next time, which loses nothing.
  package func remember(grows: Bool = false) { try? WrittenFiles(context.home).note(path, grows: grows) }
}
