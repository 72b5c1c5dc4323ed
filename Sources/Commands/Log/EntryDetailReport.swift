import Catalog
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// One entry of the log with its states and its exchanges.
struct EntryDetailReport {
  let journal: Journal

  func report(_ number: Int) throws -> Report {
    guard let entry = try journal.entry(number) else { throw EntryDetailReport.missing(number) }
    let exchanges = try journal.exchanges(of: number)
    var table = LogTable.of([entry], isSingle: true)
    table.columns.append(.init("duration", LocalizedText("duration", ko: "소요 시간")))
    table.rows[0].append(exchanges.isEmpty ? .none : .text(milliseconds(exchanges.map(\.duration).reduce(0, +))))
    table.columns.append(.init("approver", LocalizedText("approved by", ko: "승인한 사람")))
    table.rows[0].append(entry.approver.map { .text($0) } ?? .none)
    return .group(
      [.rows(table), .rows(try course(number))] + exchanges.map { .drawing(StoredExchangeReport($0).drawing) })
  }

  static func missing(_ number: Int) -> CommandError {
    CommandError(.refused, .failure("There is no log entry \(number).", ko: "로그 \(number)번이 없습니다."))
  }

  private func course(_ number: Int) throws -> Table {
    let rows = try journal.events(of: number).map { event -> [Table.Cell] in
      [
        .text(event.time.description), .number(event.attempt), .text(event.state),
        event.evidence.map { .localized(PhraseTable.evidence.words($0)) } ?? .none,
      ]
    }
    return Table(
      [
        .init("time", LocalizedText("time", ko: "시각")),
        .init("attempt", LocalizedText("attempt", ko: "시도"), isNumber: true),
        .init("state", LocalizedText("state", ko: "상태")), .init("evidence", LocalizedText("evidence", ko: "근거")),
      ], rows: rows)
  }

  private func milliseconds(_ micros: Int) -> String { StoredExchangeReport.milliseconds(micros) }
}
