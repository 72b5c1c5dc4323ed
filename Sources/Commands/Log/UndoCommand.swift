import CommandLanguage
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `undo`: undoes the last write or batch, write N, or batch N.
///
/// It is previewed, approved and logged like any write.
package struct UndoCommand: Command {
  package static let declaration = CommandDeclaration(
    "undo", group: .change, summary: LocalizedText("undo a change", ko: "변경 되돌리기"),
    usage: ["undo [N] [changed] [all]", "undo batch N [all]"],
    details: LocalizedText(
      "Restores the values before the last change, before the whole last batch, or before one log entry. It shows the values and asks like any change. A value that someone else has changed since is not overwritten.",
      ko: "마지막 변경이나 마지막 일괄 작업 전체, 또는 한 로그의 이전 값을 복원합니다. 다른 변경처럼 값을 보여 주고 묻습니다. 그 뒤에 다른 사람이 바꾼 값은 덮어쓰지 않습니다."),
    writesToMarket: true, producesData: true,
    traits: [.capturesProduct],
    parameters: [
      Parameter(
        "N", .positional(required: false), .writeNumber,
        LocalizedText(
          "log entry N only (default: the last change, or the whole last batch)",
          ko: "로그 N번만(기본: 마지막 변경 또는 마지막 일괄 작업 전체)")),
      Parameter("batch", .option, .batchNumber, LocalizedText("undo batch N", ko: "일괄 작업 전체")),
      Parameter(
        "changed", .flag, .none,
        LocalizedText("delete a created product even if others changed it since", ko: "등록한 상품을 다른 사람이 바꿨더라도 삭제")),
      .showingAll,
    ],
    examples: [
      .init("undo", "undoes the last change or batch", ko: "마지막 변경, 일괄 작업이면 전체"),
      .init("undo 12", "log entry 12 only", ko: "로그 12번만"),
      .init("undo batch 3", "the whole of batch 3", ko: "3번 일괄 작업 전체"),
      .init("undo 12 changed", "deletes the new product even if others changed it", ko: "다른 사람이 바꾼 새 상품도 삭제"),
    ])

  private let target: UndoTarget
  private let admitsChanged: Bool
  private let consent: WriteOptions

  package init(_ invocation: ParsedCommand) {
    admitsChanged = invocation.has("changed")
    consent = WriteOptions(invocation)
    if let batch = invocation.number("batch") {
      target = .batch(batch)
    } else if let entry = invocation.number("N") {
      target = .entry(entry)
    } else {
      target = .last
    }
  }

  /// - Throws: `UndoError` if nothing can be undone; `JournalError`; `CommandError` if it isn't approved.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    try await UndoRunner(target, admitsChanged: admitsChanged, consent).run(in: &scope)
  }
}
