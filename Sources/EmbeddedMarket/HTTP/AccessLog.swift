import Foundation
import Synchronization

/// The record of all requests, also of those that were refused before they were routed: a line for each with `serve --log`,
/// and the counts of the class.
final class AccessLog: Sendable {
  private let write: (@Sendable (String) -> Void)?
  private let report: ClassReport?
  private let clock: @Sendable () -> MarketTime
  /// The time of the machine, which is not that of a lesson.
  private let machineClock: @Sendable () -> Date
  private let store: Store
  private let vendors = Mutex<[String: VendorRow]>([:])
  private static let maximumCachedVendors = 1000

  /// Creates a log, whose parts are `nil` if they are not wanted.
  init(
    clock: @escaping @Sendable () -> MarketTime, machineClock: @escaping @Sendable () -> Date, store: Store,
    write: (@Sendable (String) -> Void)?, report: ClassReport? = nil
  ) {
    self.write = write
    self.report = report
    self.clock = clock
    self.machineClock = machineClock
    self.store = store
  }

  /// Writes an entry with the vendor of its identifier.
  func write(_ entry: AccessLogEntry) async {
    var entry = entry
    if let vendor = await vendor(entry.identifier) { entry.vendor = (vendor.id, vendor.name) }
    let path = entry.target?.split(separator: "?", maxSplits: 1).first
    if path != "/class" { report?.add(entry, at: machineClock()) }
    write?(entry.line(at: clock()))
  }

  func write(_ notice: ConnectionNotice) {
    write?(AccessLogEntry(address: notice.address, reason: notice.reason).line(at: clock()))
  }

  private func vendor(_ identifier: String?) async -> VendorRow? {
    guard let identifier else { return nil }
    if let known = vendors.withLock({ $0[identifier] }) { return known }
    guard let found = try? await store.read({ try VendorRow.find(identifier: identifier, in: $0) }) else { return nil }
    vendors.withLock {
      if $0.count < AccessLog.maximumCachedVendors { $0[identifier] = found }
    }
    return found
  }
}

/// A refusal: the words that the client got, and what the teacher needs to know besides.
struct LoggedRefusal: Hashable, Sendable {
  var words: String
  var detail: String?

  var text: String { detail.map { "\(words) (\($0))" } ?? words }
}

/// An entry of the access log: a request with its response, or the reason for which it had none.
struct AccessLogEntry: Sendable {
  var method = "-"
  /// The address as sent; its secrets are not written.
  var target: String?
  /// The status of the response, or `nil` if none was sent.
  var status: Int?
  /// The size of the response's body.
  var byteCount = 0
  var duration = Duration.zero
  /// The client's IP address; "" if it is unknown.
  var address = ""
  /// The value of the `identifier` header field, from which the vendor is looked up.
  var identifier: String?
  /// The number and name of the vendor.
  var vendor: (id: Int64, name: String)?
  /// The reason of a refusal.
  var reason: String?
  /// The refusal with `…` in place of what differs from request to request, for the report.
  var refusal: LoggedRefusal?
  /// Indicates a fault of the server's plan, which is no mistake of the client.
  var isDeliberate = false

  /// The mistake of a refused request, or `nil` for any other.
  var mistake: ClassReportRow.Mistake? {
    guard let status, (400..<500).contains(status), !isDeliberate, let refusal else { return nil }
    let shown = target.map { LoggedTarget($0) }
    func told(_ text: String) -> String {
      String((shown?.withoutSecrets(text) ?? text).prefix(AccessLogEntry.maximumLength))
    }
    return ClassReportRow.Mistake(
      status: status, method: AccessLogEntry.plain(method),
      path: shown.map { AccessLogEntry.shortened($0.pathPattern) } ?? "", words: told(refusal.words),
      detail: refusal.detail.map(told))
  }

  /// Returns the line, such as
  /// `2026-11-22T08:25:27Z PATCH /api/products/6 400 43 B 3 ms from=192.0.2.7 vendor=103 name="Kim" reason="…"`.
  ///
  /// It has no secret and no character that a terminal would not print as itself.
  func line(at now: MarketTime) -> String {
    let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
    let shown = target.map { LoggedTarget($0) }
    let status = status.map(String.init) ?? "-"
    var line =
      "\(now.dateText)T\(now.timeText)Z \(AccessLogEntry.plain(method)) \(AccessLogEntry.shortened(shown?.text ?? "-")) "
      + "\(status) "
      + "\(byteCount) B \(milliseconds) ms"
    if !address.isEmpty { line += " from=\(AccessLogEntry.plain(address))" }
    if let vendor {
      line += " vendor=\(vendor.id) name=\(AccessLogEntry.quoted(vendor.name))"
    } else if identifier != nil {
      line += " vendor=unknown"
    }
    if let reason = reason.map({ shown?.withoutSecrets($0) ?? $0 }) {
      line += " reason=\(AccessLogEntry.quoted(reason))"
    }
    return line
  }

  /// Percent-encodes everything but visible ASCII, because the line may be printed on a terminal.
  static func plain(_ address: String) -> String {
    var text = ""
    for byte in address.utf8 {
      if (0x21...0x7E).contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let hex = String(byte, radix: 16, uppercase: true)
        text += "%" + (hex.count == 1 ? "0" + hex : hex)
      }
    }
    return text
  }

  private static let maximumLength = 300

  /// Returns the beginning of a long address.
  private static func shortened(_ text: String) -> String {
    text.count > maximumLength ? text.prefix(maximumLength) + "…" : text
  }

  /// Returns a text in quotes, in which `"`, `\` and characters that are not printed are escaped as in Swift.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars.prefix(maximumLength) {
      switch scalar.properties.generalCategory {
      case _ where scalar == "\"" || scalar == "\\": quoted += "\\\(scalar)"
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
        quoted += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + (text.unicodeScalars.count > maximumLength ? "…\"" : "\"")
  }
}

/// The address of a request as the log shows it: percent-encoded, and with `…` in place of secrets.
///
/// A secret may be in the path (the key of a product in `training`, the token of a deletion in `open`, or a vendor's
/// own secret that a client put there by mistake) or in the query (the key of the teacher, the key of a weather
/// service, or a mistake again).
struct LoggedTarget: Sendable {
  let text: String
  /// The path alone, with `…` also in place of numbers and of names of files, so that equal requests are counted together.
  let pathPattern: String
  /// The texts that were left out, longest first.
  private let secrets: [String]

  private static let placeholder = "…"
  /// The parameters whose values are shown.
  private static let shownParameters: Set<String> = [
    "page_no", "items_per_page", "search_value", "page-no", "items-per-page", "q", "lat", "lon", "units", "lang", "cnt",
  ]
  /// The words that may follow a product's number.
  private static let actions: Set<Substring> = ["secret", "archived"]

  init(_ target: String) {
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var secrets: [String] = []
    let path = LoggedTarget.path(halves[0], hiding: &secrets)
    let query = halves.count == 2 ? "?" + LoggedTarget.query(halves[1], hiding: &secrets) : ""
    text = LoggedTarget.plain(path + query)
    pathPattern = LoggedTarget.plain(
      path.split(separator: "/", omittingEmptySubsequences: false).map { step in
        let isNumber = !step.isEmpty && step.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
        return isNumber || step.utf8.count >= 32 ? LoggedTarget.placeholder : String(step)
      }.joined(separator: "/"))
    self.secrets = (secrets + secrets.compactMap(\.removingPercentEncoding)).filter { !$0.isEmpty }
      .sorted { $0.utf8.count > $1.utf8.count }
  }

  private static func plain(_ text: String) -> String {
    text.split(separator: Character(placeholder), omittingEmptySubsequences: false)
      .map { AccessLogEntry.plain(String($0)) }.joined(separator: placeholder)
  }

  /// Returns a message without the texts that were left out of the address.
  func withoutSecrets(_ message: String) -> String {
    secrets.reduce(message) { $0.replacing($1, with: LoggedTarget.placeholder) }
  }

  private static func path(_ path: Substring, hiding secrets: inout [String]) -> String {
    let steps = path.split(separator: "/")
    guard steps.count > 2, steps[0] == "api", steps[1] == "products" else { return String(path) }
    var shown = ["", "api", "products"]
    for (index, step) in steps.enumerated().dropFirst(2) {
      let isNumber = step.utf8.count <= 20 && step.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
      let isShown = isNumber || index == 3 && actions.contains(step)
      if !isShown { secrets.append(String(step)) }
      shown.append(isShown ? String(step) : placeholder)
    }
    return shown.joined(separator: "/") + (path.hasSuffix("/") ? "/" : "")
  }

  private static func query(_ query: Substring, hiding secrets: inout [String]) -> String {
    query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard !pair.isEmpty, halves.last != "", !shownParameters.contains(String(halves[0])) else { return String(pair) }
      secrets.append(String(halves[halves.count - 1]))
      return halves.count == 2 ? "\(halves[0])=\(placeholder)" : placeholder
    }.joined(separator: "&")
  }
}
