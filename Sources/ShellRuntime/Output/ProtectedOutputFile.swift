import Foundation
import Platform
import Presentation
import Text

/// An output file named by the user.
///
/// An existing file is overwritten without confirmation only if this program wrote it and it hasn't changed since.
package struct ProtectedOutputFile {
  package let path: String
  private let named: String
  private let context: CommandContext

  package init(_ named: String, _ context: CommandContext) {
    self.named = named
    self.context = context
    path = Paths.expanded(named, home: context.environment["HOME"])
  }

  /// Asks before overwriting.
  ///
  /// It is called before any request is sent, so that a write never succeeds without a place for its result.
  /// `replacing` indicates the clause `replace`.
  ///
  /// - Throws: `CommandError` if the file must not be overwritten.
  package func confirmOverwrite(replacing: Bool, _ session: Session) async throws {
    try checkName()
    if replacing { return }
    let reason: LocalizedText
    switch WrittenFiles(context.home).standing(of: path) {
    case .nothingToLose, .unmodified: return
    case .modified:
      reason = LocalizedText(
        "\(.value(named)) was changed outside openmarket since openmarket wrote it.",
        ko: "\(.value(named)) 파일은 openmarket이 저장한 뒤에 바뀌었습니다.")
    case .unknownOrigin:
      reason = LocalizedText(
        "\(.value(named)) already exists and was not written by openmarket.",
        ko: "\(.value(named)) 파일이 이미 있으며, openmarket이 저장한 파일이 아닙니다.")
    }
    try await context.confirm(
      LocalizedText("Overwrite? [y/N] ", ko: "덮어쓸까요? [y/N] "), after: Message(.warning, reason),
      unattended: Message(.failure, reason).coded(.fileExists).because(
        "Nothing was saved or sent.", ko: "아무것도 저장하거나 보내지 않았습니다."
      )
      .next(
        "Add \(.command("replace")) to the command to overwrite it.", ko: "명령에 \(.command("replace"))를 붙이면 덮어씁니다."),
      declined: .note("Canceled. Nothing was saved or sent.", ko: "그대로 두었습니다. 아무것도 저장하거나 보내지 않았습니다."), session)
  }

  /// Refuses a name that contains a secret, because everyone who can list the folder would see it.
  ///
  /// - Throws: `CommandError` for such a name.
  package func checkName() throws {
    guard context.holdsSecret(name: named) else { return }
    throw CommandError(
      .usageError,
      .failure("A file name must not contain a secret.", ko: "파일 이름에는 시크릿을 쓸 수 없습니다.")
        .because("Nothing was saved. Nothing was sent.", ko: "저장하지 않았습니다. 아무것도 보내지 않았습니다."))
  }

  /// Writes the file atomically and records that this program wrote it.
  ///
  /// An HTTP archive is readable only by the user, because it contains complete requests and responses.
  ///
  /// - Throws: `FileError.cannotWrite`; `CommandError` for a name that contains a secret.
  package func write(_ data: Data) throws {
    try checkName()
    try Files.write(data, to: path, mode: path.lowercased().hasSuffix(".har") ? 0o600 : nil)
    remember()
  }

  var written: Message { .success("Saved to \(.value(path)).", ko: "\(.value(path))에 저장했습니다.") }

  /// Records the file as written by openmarket, so that it may be overwritten without a question.
  ///
  /// An error is ignored: the next write then asks.
  package func remember(_ digest: FileDigest? = nil) {
    try? WrittenFiles(context.home).record(path, digest)
  }
}
