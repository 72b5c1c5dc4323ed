import Catalog
import Engine
import Journal
import Language
import Presentation
import Text

/// `undo`: takes back the last write or batch, write N, or batch N; shown, asked and logged like any write.
package struct Undo: Command {
  package static let declaration = Declaration(
    "undo", group: .products, summary: Wording("take back a write", ko: "쓴 것을 되돌리기"), writes: true, prints: true,
    traits: [.capturesProduct],
    parameters: [
      Parameter(
        "N", .positional(required: false), .write,
        Wording(
          "entry N of the log alone; without it the last write, or all of the last batch",
          ko: "기록 N번만; 없으면 마지막 변경이나 마지막 일괄 작업 전체")),
      Parameter("batch", .option, .batch, Wording("a whole batch", ko: "일괄 작업 전체")),
      .showingAll,
    ],
    examples: [
      .init("undo", "the last write, of a batch all of it", ko: "마지막 변경, 일괄 작업이면 전체"),
      .init("undo 12", "entry 12 of the log alone", ko: "기록 12번만"),
      .init("undo batch 3", "all of batch 3", ko: "3번 일괄 작업 전체"),
    ])

  private let target: UndoTarget
  private let consent: Consent

  package init(_ invocation: Invocation) {
    consent = Consent(invocation)
    if let batch = invocation.number("batch") {
      target = .batch(batch)
    } else if let entry = invocation.number("N") {
      target = .entry(entry)
    } else {
      target = .last
    }
  }

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    try await TakingBack(target, consent).run(&session, &execution, in: context)
  }
}
