import Journal
import Networking

/// The phases of an exchange in milliseconds as HAR 1.2 wants them: -1 for what does not apply, `ssl` inside `connect`,
/// and all others together the time of the entry.
struct HARTimings {
  private let exchange: KeptExchange

  init(_ exchange: KeptExchange) { self.exchange = exchange }

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

  /// Where the phases were not told apart, all of it was waiting.
  private var wait: Int { phase("wait") ?? exchange.duration }

  private func phase(_ name: String) -> Int? { exchange.phases[name] }

  /// Microseconds as milliseconds with up to three decimals.
  private func number(_ micros: Int?) -> JSON {
    guard let micros else { return .int(-1) }
    let fraction = String(String(1000 + micros % 1000).dropFirst())
    return JSONNumber("\(micros / 1000).\(fraction)").map { .number($0) } ?? .int(micros / 1000)
  }
}
