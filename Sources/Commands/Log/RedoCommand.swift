import CommandLanguage
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `redo`: applies again the writes that the last undo reverted.
package struct RedoCommand: Command {
  package static let declaration = CommandDeclaration(
    "redo", group: .change, summary: LocalizedText("redo what was undone", ko: "되돌린 변경 다시 적용"),
    details: LocalizedText(
      "Applies again what the last undo restored.",
      ko: "마지막 undo가 되돌린 변경을 다시 적용합니다."), writesToMarket: true,
    producesData: true, traits: [.capturesProduct, .takesNoKey],
    examples: [.init("redo", "redoes the last undo", ko: "마지막 undo를 다시 적용")])

  private let consent: WriteOptions

  package init(_ invocation: ParsedCommand) { consent = WriteOptions(invocation) }

  /// - Throws: The errors of `undo`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    try await UndoRunner(.lastUndo, consent).run(in: &scope)
  }
}
