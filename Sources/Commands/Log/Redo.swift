import Catalog
import Engine
import Journal
import Language
import Presentation
import Text

/// `redo`: makes again what the last undo took back.
package struct Redo: Command {
  package static let declaration = Declaration(
    "redo", group: .products, summary: Wording("make an undone write again", ko: "되돌린 것을 다시 하기"), writes: true,
    prints: true, traits: [.capturesProduct], examples: [.init("redo", "after an undo", ko: "되돌린 다음에")])

  private let consent: Consent

  package init(_ invocation: Invocation) { consent = Consent(invocation) }

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    try await TakingBack(.lastUndo, consent).run(&session, &execution, in: context)
  }
}
