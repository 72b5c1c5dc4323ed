import Catalog
import Text

/// A value formatted for users, sanitized and on one line; `-` if the edition does not provide it.
enum CellText {
  static func text(_ product: Product, _ field: ProductField, _ options: RenderOptions) -> String {
    switch product[field] {
    case nil: "-"
    case .text(let text): words(text)
    case .number(let count): field == .stock ? stock(count, options) : String(count)
    case .amount(let amount): NumberFormatting.money(amount, product.currency, ascii: options.usesASCII)
    case .timestamp(let moment): time(moment)
    case .pictures(let pictures): String(pictures.count)
    case .references(let references): String(references.count)
    }
  }

  static func text(_ cell: Table.Cell, _ options: RenderOptions) -> String {
    switch cell {
    case .none: "-"
    case .text(let text): words(text)
    // Separators would make an id or a port harder to read. Counts are formatted by the caller.
    case .number(let number): String(number)
    case .decimal(let amount): amount.description
    case .amount(let amount): NumberFormatting.grouped(amount.description)
    case .bool(let flag): options.language == .english ? (flag ? "yes" : "no") : (flag ? "예" : "아니요")
    case .localized(let wording): words(wording[options.language].plain)
    case .timestamp(let moment): local(moment)
    case .record(let entries):
      entries.map { title($0.key, options) + " " + text($0.cell, options) }.joined(separator: ", ")
    case .list(let cells): cells.map { text($0, options) }.joined(separator: ", ")
    }
  }

  /// Returns the title of a field; any other name is returned as is.
  private static func title(_ key: String, _ options: RenderOptions) -> String {
    ProductField(rawValue: key).map { $0.title[options.language].plain } ?? words(key)
  }

  static func words(_ text: String?) -> String { text.map { Sanitizer.sanitized($0, limit: 2_000) } ?? "-" }

  static func time(_ moment: Timestamp?) -> String { moment?.displayDescription ?? "-" }

  /// Returns a time.
  ///
  /// A UTC time is shown in the local time zone with its name; a time of a server without a time zone is shown as
  /// received.
  static func local(_ moment: Timestamp) -> String {
    guard moment.isUTC, let zone = LocalTimeZone(at: moment.seconds), zone.secondsFromGMT != 0 else {
      return time(moment)
    }
    return time(Timestamp(seconds: moment.seconds + zone.secondsFromGMT, isUTC: false)) + " " + zone.name
  }

  /// Returns the date only, because the time of a market that stores dates says nothing.
  static func day(_ moment: Timestamp?) -> String {
    moment.map { String($0.description.prefix { $0 != "T" }) } ?? "-"
  }

  private static func stock(_ count: Int, _ options: RenderOptions) -> String {
    guard count == 0 else { return NumberFormatting.grouped(count) }
    return options.language == .english ? "sold out" : "품절"
  }
}
