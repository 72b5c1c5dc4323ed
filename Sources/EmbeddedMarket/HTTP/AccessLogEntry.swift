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
