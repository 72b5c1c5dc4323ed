import Catalog
import Engine
import Language
import Platform
import Presentation
import Text

/// Changes of watched rows where the line wants them: lines for people, one JSON object or one row each for programs.
struct WatchDelivery {
  private let turn: Turn
  private let session: Session

  init(_ turn: Turn, _ session: Session) {
    self.turn = turn
    self.session = session
  }

  /// - Parameter withHead: rows without nesting begin with the names of their columns.
  func deliver(_ changes: [RowChange], withHead: Bool) throws {
    let format = turn.invocation.clauses.format ?? session.settings.format
    let options = turn.context.dataOptions(session)
    let rows = Report.rows(RowChange.table(changes))
    let text =
      switch format {
      case .table, .markdown: TerminalRenderer().render(.text(Wording(same: WatchDelivery.lines(changes))), options)
      case .json, .jsonl: JSONLinesRenderer().render(rows, options)
      case .csv, .tsv: WatchDelivery.rows(format.renderer.render(rows, options), withHead: withHead)
      }
    try turn.context.console.data(text)
  }

  private static func lines(_ changes: [RowChange]) -> StyledText {
    changes.enumerated().reduce("") { $0 + ($1.offset == 0 ? "" : "\n") + $1.element.line }
  }

  private static func rows(_ text: String, withHead: Bool) -> String {
    if withHead { return text }
    let end = text.utf8.firstIndex(of: UInt8(ascii: "\n")).map { text.utf8.index(after: $0) }
    return end.map { String(text[$0...]) } ?? text
  }
}
