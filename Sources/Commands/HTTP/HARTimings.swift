import Networking
import WriteJournal

/// The phases of an exchange in milliseconds as HAR 1.2 requires: -1 for a phase that doesn't apply, `ssl` included in
/// `connect`, and the sum of all others equal to the time of the entry.
struct HARTimings {
  private let exchange: StoredExchange

  init(_ exchange: StoredExchange) { self.exchange = exchange }

  var json: JSON {
    .object([
      ("blocked", number(phase("blocked"))), ("dns", number(phase("dns"))), ("connect", number(connect)),
      ("ssl", number(phase("ssl"))), ("send", number(phase("send") ?? 0)), ("wait", number(wait)),
      ("receive", number(phase("receive") ?? 0)),
    ])
  }

  var time: JSON {
    let parts = [phase("blocked"), phase("dns"), connect, phase("send"), wait, phase("receive")]
    return number(parts.compactMap(\.self).reduce(0, +))
  }

  private var connect: Int? { phase("connect").map { $0 + (phase("ssl") ?? 0) } }

  /// The time of waiting, which is the total duration if the phases weren't measured.
  private var wait: Int { phase("wait") ?? exchange.duration }

  private func phase(_ name: String) -> Int? { exchange.phases[name] }

  /// Returns microseconds as milliseconds with up to three decimals.
  private func number(_ micros: Int?) -> JSON {
    guard let micros else { return .int(-1) }
    let fraction = String(String(1000 + micros % 1000).dropFirst())
    return JSONNumber("\(micros / 1000).\(fraction)").map { .number($0) } ?? .int(micros / 1000)
  }
}
