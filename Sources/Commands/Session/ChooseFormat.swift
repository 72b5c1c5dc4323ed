import Engine
import Language
import Presentation
import Text

/// `format`: how data is written from here on.
package struct ChooseFormat: Command {
  package static let declaration = Declaration(
    "format", group: .session, summary: Wording("choose the format of data", ko: "데이터 형식 고르기"), prints: true,
    parameters: [
      Parameter(
        "FORMAT", .positional(required: false), .choice(OutputFormat.allCases.map(\.rawValue)),
        Wording("without it: which one is set", ko: "없으면 지금 형식"))
    ],
    examples: [.init("format json", "JSON from here on", ko: "이제부터 JSON")])

  private let format: OutputFormat?

  package init(_ invocation: Invocation) { format = invocation.text("FORMAT").flatMap { OutputFormat(rawValue: $0) } }

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    guard let format else { return .text(Wording(same: StyledText(session.settings.format.rawValue))) }
    session.settings.format = format
    return .nothing
  }
}
