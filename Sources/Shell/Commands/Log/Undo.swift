import Catalog
import Journal
import Language
import Presentation
import Text

/// `undo`: takes back the last write, write N, or a batch; shown, asked and logged like any write.
struct Undo: Command {
  static let declaration = Declaration(
    "undo", group: .products, summary: Wording("take back a write", ko: "쓴 것을 되돌리기"), writes: true, prints: true,
    traits: [.capturesProduct],
    parameters: [
      Parameter(
        "N", .positional(required: false), .number(1...Int.max),
        Wording("entry N of the log; the last without it", ko: "기록 N번; 없으면 마지막 것")),
      Parameter("batch", .option, .number(1...Int.max), Wording("a whole batch", ko: "묶음 전체")),
      .showingAll,
    ],
    examples: [
      .init("undo", "the last write", ko: "마지막으로 쓴 것"), .init("undo 12", "entry 12 of the log", ko: "기록 12번"),
      .init("undo batch 3", "all of batch 3", ko: "3번 묶음 전체"),
    ])

  private let target: UndoTarget
  private let consent: Consent

  init(_ invocation: Invocation) {
    consent = Consent(invocation)
    if let batch = invocation.number("batch") {
      target = .batch(batch)
    } else if let entry = invocation.number("N") {
      target = .entry(entry)
    } else {
      target = .last
    }
  }

  func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    try await TakingBack(target, consent).run(&session, &execution, in: context)
  }
}
