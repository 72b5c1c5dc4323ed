import Catalog
import Engine
import Foundation
import Journal
import Platform
import Presentation
import Text

/// One entry of the log in full: the row, its course, and what went over the wire.
struct LogEntry {
  let journal: Journal

  func report(_ number: Int) throws -> Report {
    guard let entry = try journal.entry(number) else { throw LogEntry.missing(number) }
    let exchanges = try journal.exchanges(of: number)
    var table = LogTable.of([entry], isSingle: true)
    table.columns.append(.init("duration", Wording("duration", ko: "걸린 시간")))
    table.rows[0].append(exchanges.isEmpty ? .none : .text(milliseconds(exchanges.map(\.duration).reduce(0, +))))
    return .several(
      [.rows(table), .rows(try course(number))] + exchanges.map { .drawing(LogExchange($0).drawing) })
  }

  static func missing(_ number: Int) -> Failure {
    Failure(.refused, .failure("The log has no entry \(number).", ko: "기록에 \(number)번이 없습니다."))
  }

  private func course(_ number: Int) throws -> Table {
    let rows = try journal.events(of: number).map { event -> [Table.Cell] in
      [
        .text(event.time.description), .number(event.attempt), .text(event.state),
        event.evidence.map { .text($0) } ?? .none,
      ]
    }
    return Table(
      [
        .init("time", Wording("time", ko: "시각")), .init("attempt", Wording("attempt", ko: "시도"), isNumber: true),
        .init("state", Wording("state", ko: "상태")), .init("evidence", Wording("evidence", ko: "근거")),
      ], rows: rows)
  }

  private func milliseconds(_ micros: Int) -> String { LogExchange.milliseconds(micros) }
}
