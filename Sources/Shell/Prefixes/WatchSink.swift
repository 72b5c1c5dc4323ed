import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text

/// The output of changes at the destination of the line: text lines, or one JSON object or one row for each change.
struct WatchSink {
  private let prepared: PreparedCommand
  private let scope: CommandScope

  init(_ prepared: PreparedCommand, _ scope: CommandScope) {
    self.prepared = prepared
    self.scope = scope
  }

  /// Writes the changes.
  ///
  /// `withHead` means that CSV and TSV begin with the column names.
  func deliver(_ changes: [RowChange], withHead: Bool) throws {
    let format = prepared.invocation.clauses.format ?? scope.session.settings.format
    let options = scope.context.dataOptions(scope.session)
    let rows = Report.rows(RowChange.table(changes))
    let text =
      switch format {
      case .json, .jsonl: JSONLinesRenderer().render(rows, options)
      case .csv, .tsv: WatchSink.rows(format.renderer.render(rows, options), withHead: withHead)
      default: TerminalRenderer().render(.text(LocalizedText(same: WatchSink.lines(changes))), options)
      }
    try scope.writeOutput(text)
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
