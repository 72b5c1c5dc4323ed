import Foundation
import GRDB
import Synchronization

/// The record of all requests, also of those that were refused before they were routed: a line for each with `serve --log`,
/// the counts of the class, and the last ones of apps.
final class AccessLog: Sendable {
  private let write: (@Sendable (String) -> Void)?
  private let report: ClassReport?
  private let received: ReceivedRequests?
  private let clock: @Sendable () -> MarketTime
  /// The time of the machine, which is not that of a lesson.
  private let machineClock: @Sendable () -> Date
  private let store: Store
  private let vendors = Mutex<[SentLogin: VendorRow]>([:])
  private static let maximumCachedVendors = 1000
  /// The entries that are not written yet, with the bytes of the bodies that they hold.
  private let pending = Mutex<(entries: Int, bytes: Int)>((0, 0))
  /// The number of entries beyond which a request waits for its own.
  private static let maximumPendingEntries = 1000
  /// The bytes of bodies beyond which a fault is not looked for.
  private static let maximumPendingBytes = 32 * 1024 * 1024

  /// Creates a log, whose parts are `nil` if they are not wanted.
  init(
    clock: @escaping @Sendable () -> MarketTime, machineClock: @escaping @Sendable () -> Date, store: Store,
    write: (@Sendable (String) -> Void)?, report: ClassReport? = nil, received: ReceivedRequests? = nil
  ) {
    self.write = write
    self.report = report
    self.received = received
    self.clock = clock
    self.machineClock = machineClock
    self.store = store
  }

  /// A Boolean value that indicates that the content of refused requests is stored.
  var storesContent: Bool { received != nil }

  /// Returns whether a request is recorded: the log and the report of a class have all, the list those of apps alone.
  func records(isOfApp: Bool) -> Bool { write != nil || report != nil || isOfApp }

  /// Records an entry after the ones before it, with the vendor of its login and the fault of its form.
  ///
  /// The recording happens on a thread of low priority. The request waits for it only while more than
  /// `maximumPendingEntries` entries are pending.
  func write(_ entry: AccessLogEntry) async {
    var entry = entry
    let size = entry.heldBytes
    let (entries, isWithinBounds) = pending.withLock { pending in
      pending.entries += 1
      let isWithinBounds = pending.bytes + size <= AccessLog.maximumPendingBytes
      if isWithinBounds { pending.bytes += size }
      return (pending.entries, isWithinBounds)
    }
    if !isWithinBounds { (entry.form, entry.content) = (nil, nil) }
    guard entries > AccessLog.maximumPendingEntries else { return submit(entry) }
    await withCheckedContinuation { continuation in submit(entry) { continuation.resume() } }
  }

  func write(_ notice: ConnectionNotice) {
    guard let write else { return }
    let line = AccessLogEntry(address: notice.address, reason: notice.reason).line(at: clock())
    BackgroundThreads.records.submit { write(line) }
  }

  /// Waits until the entries so far are written.
  func finish() async { _ = try? await BackgroundThreads.records.run {} }

  private func submit(_ entry: AccessLogEntry, completion: @escaping @Sendable () -> Void = {}) {
    let (now, machineNow) = (clock(), machineClock())
    BackgroundThreads.records.submit { [self] in
      var entry = entry
      if let vendor = vendor(entry.login) { entry.vendor = (vendor.id, vendor.name) }
      let size = entry.heldBytes
      entry.addFault()
      let path = entry.target?.split(separator: "?", maxSplits: 1).first
      if path != "/class", path != "/learn" {
        report?.add(entry, at: machineNow)
        received?.add(entry, at: machineNow)
      }
      write?(entry.line(at: now))
      pending.withLock { pending in
        pending.entries -= 1
        pending.bytes -= size
      }
      completion()
    }
  }

  private func vendor(_ login: SentLogin?) -> VendorRow? {
    guard let login else { return nil }
    if let known = vendors.withLock({ $0[login] }) { return known }
    guard let found = try? store.pool.read({ try login.vendor(in: $0) }) else { return nil }
    vendors.withLock {
      if $0.count < AccessLog.maximumCachedVendors { $0[login] = found }
    }
    return found
  }
}

/// A refusal: the words that the client got, and what the teacher needs to know besides.
struct LoggedRefusal: Hashable, Sendable {
  var words: String
  var detail: String?

  var text: String { detail.map { "\(words) (\($0))" } ?? words }

  mutating func add(_ more: String) { detail = detail.map { "\($0); \(more)" } ?? more }
}

/// A form that was refused.
struct RefusedForm: Sendable {
  var contentType: String
  var body: Data

  /// Stores the form of a request, or returns `nil` for a request without one.
  init?(_ call: RequestContext) {
    guard let type = call.contentType, type.prefix("multipart/".count).lowercased() == "multipart/",
      !call.body.isEmpty
    else { return nil }
    (contentType, body) = (type, call.body)
  }

  /// The first fault of the form's frame, or `nil` if there is none.
  ///
  /// A form parser treats a delimiter that it does not recognize as content, so its own message names a later fault.
  var fault: String? {
    guard let boundary = HeaderValue(contentType)["boundary"], !boundary.isEmpty,
      boundary.utf8.count <= MultipartBody.maximumBoundaryBytes
    else { return nil }
    return MultipartBody.fault(in: body, boundary: boundary)
  }
}

/// The login that a request has, which is not checked.
enum SentLogin: Hashable, Sendable {
  case identifier(String)
  /// A secret alone, for an API whose requests have no identifier.
  case secret(String)

  /// The client that the sequences of faults count.
  var client: String {
    switch self {
    case .identifier(let identifier): identifier.lowercased()
    case .secret(let secret): "secret " + secret
    }
  }

  /// Returns the vendor who has the login, or `nil` if no vendor has it.
  func vendor(in database: Database) throws -> VendorRow? {
    switch self {
    case .identifier(let identifier): try VendorRow.find(identifier: identifier, in: database)
    case .secret(let secret): try VendorRow.find(secret: secret, in: database)
    }
  }
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
  /// The login of the request, from which the vendor is looked up.
  var login: SentLogin?
  /// The number and name of the vendor.
  var vendor: (id: Int64, name: String)?
  /// The reason why no response was sent, or why the response was changed.
  var reason: String?
  /// The refusal that the client got.
  var sentRefusal: LoggedRefusal?
  /// The refusal with `…` in place of what differs from request to request, for the report.
  var refusal: LoggedRefusal?
  /// The form that was refused, whose fault is looked for.
  var form: RefusedForm?
  /// The content of a refused request, which is stored for the developer of the app.
  var content: SentContent?
  /// Indicates a request that openmarket itself did not send.
  var isOfApp = true
  /// The `User-Agent` of the request.
  var agent: String?
  /// Indicates a response that is a picture.
  var isPicture = false
  /// Indicates a fault of the server's plan, which is no mistake of the client.
  var isDeliberate = false
  /// The parameters of the query whose values are shown.
  var shownParameters = LoggedTarget.shownParameters

  /// The bytes of the request's body that the entry holds.
  var heldBytes: Int { max(form?.body.count ?? 0, content?.byteCount ?? 0) }

  /// Adds the first fault of the form to the refusal, and drops the form.
  mutating func addFault() {
    if let fault = form?.fault {
      sentRefusal?.add(fault)
      refusal?.add(fault)
    }
    form = nil
  }

  /// The mistake of a refused request, or `nil` for any other.
  ///
  /// The work for it grows with the length of the request and not faster.
  var mistake: ClassReportRow.Mistake? {
    guard let status, (400..<500).contains(status), !isDeliberate, let refusal else { return nil }
    let shown = shownTarget
    return ClassReportRow.Mistake(
      status: status, method: AccessLogEntry.plain(method),
      path: shown.map { AccessLogEntry.shortened($0.pathPattern) } ?? "",
      words: AccessLogEntry.excerpt(of: refusal.words, without: shown),
      detail: refusal.detail.map { AccessLogEntry.excerpt(of: $0, without: shown) })
  }

  /// The address without its secrets, or `nil` if it is unknown.
  var shownTarget: LoggedTarget? { target.map { LoggedTarget($0, showing: shownParameters) } }

  /// Returns the beginning of a message, without the secrets of an address.
  static func excerpt(of message: String, without target: LoggedTarget?, length: Int = maximumLength) -> String {
    let beginning = String(message.unicodeScalars.prefix(length))
    return target?.withoutSecrets(beginning, isCut: beginning.utf8.count < message.utf8.count) ?? beginning
  }

  /// Returns the line, such as
  /// `2026-11-22T08:25:27Z PATCH /api/products/6 400 43 B 3 ms from=192.0.2.7 vendor=103 name="Kim" reason="…"`.
  ///
  /// It has no secret and no character that a terminal would not print as itself.
  func line(at now: MarketTime) -> String {
    let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
    let shown = shownTarget
    let status = status.map(String.init) ?? "-"
    var line =
      "\(now.dateText)T\(now.timeText)Z \(AccessLogEntry.plain(method)) \(AccessLogEntry.shortened(shown?.text ?? "-")) "
      + "\(status) \(byteCount) B \(milliseconds) ms"
    line += " from=\(address.isEmpty ? "-" : AccessLogEntry.plain(address))"
    if let vendor {
      line += " vendor=\(vendor.id) name=\(AccessLogEntry.quoted(vendor.name))"
    } else if login != nil {
      line += " vendor=unknown"
    }
    if let reason = reason ?? sentRefusal?.text {
      // One more than is shown, so that `quoted` marks the cut.
      let beginning = AccessLogEntry.excerpt(of: reason, without: shown, length: AccessLogEntry.maximumLength + 1)
      line += " reason=\(AccessLogEntry.quoted(beginning))"
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
  static func shortened(_ text: String) -> String {
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
  /// The texts that were left out, as sent and decoded, longest first.
  private let secrets: [[UInt8]]
  /// Indicates that more texts were left out than are looked for in a message.
  private let hasTooManySecrets: Bool

  private static let placeholder = "…"
  /// The number of different texts that are looked for in a message.
  ///
  /// The address of an honest request has one or two; the work for a message grows with their number.
  private static let maximumSecrets = 16
  /// More bytes than an entry shows of an address.
  private static let maximumShownBytes = 1200
  /// The parameters of the editions and of the weather whose values are shown.
  static let shownParameters: Set<String> = [
    "page_no", "items_per_page", "search_value", "page-no", "items-per-page", "q", "lat", "lon", "units", "lang", "cnt",
  ]
  /// The words that may follow a product's number.
  private static let actions: Set<Substring> = ["secret", "archived"]

  init(_ target: String, showing shown: Set<String> = LoggedTarget.shownParameters) {
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var secrets: Set<String> = []
    let path = LoggedTarget.path(halves[0], hiding: &secrets)
    let query = halves.count == 2 ? "?" + LoggedTarget.query(halves[1], showing: shown, hiding: &secrets) : ""
    text = LoggedTarget.plain(path + query)
    pathPattern = LoggedTarget.plain(
      path.split(separator: "/", omittingEmptySubsequences: false).map { step in
        let isNumber = !step.isEmpty && step.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
        return isNumber || step.utf8.count >= 32 ? LoggedTarget.placeholder : String(step)
      }.joined(separator: "/"))
    hasTooManySecrets = secrets.count > LoggedTarget.maximumSecrets
    self.secrets =
      hasTooManySecrets
      ? []
      : Set(secrets.map { Array($0.utf8) } + secrets.compactMap(\.removingPercentEncoding).map { Array($0.utf8) })
        .filter { !$0.isEmpty }.sorted { $0.count > $1.count }
  }

  private static func plain(_ text: String) -> String {
    text.split(separator: Character(placeholder), omittingEmptySubsequences: false)
      .map { AccessLogEntry.plain(String($0)) }.joined(separator: placeholder)
  }

  /// Returns a message without the texts that were left out of the address.
  ///
  /// A message about an address with too many of them is left out completely.
  ///
  /// - Parameters:
  ///   - message: The message, which should be short: each of its bytes is compared with each text.
  ///   - isCut: Indicates that the message goes on, so that a text at its end may be incomplete.
  func withoutSecrets(_ message: String, isCut: Bool = false) -> String {
    if hasTooManySecrets { return LoggedTarget.placeholder }
    guard !secrets.isEmpty else { return message }
    let bytes = Array(message.utf8)
    var shown: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let rest = bytes[index...]
      let secret = secrets.first { secret in
        secret.count <= rest.count ? rest.starts(with: secret) : isCut && secret.starts(with: rest)
      }
      guard let secret else {
        shown.append(bytes[index])
        index += 1
        continue
      }
      shown += Array(LoggedTarget.placeholder.utf8)
      index += secret.count
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Adds a text that is left out, unless there are too many already.
  private static func hide(_ text: Substring, _ secrets: inout Set<String>) {
    if !text.isEmpty, secrets.count <= maximumSecrets { secrets.insert(String(text)) }
  }

  private static func path(_ path: Substring, hiding secrets: inout Set<String>) -> String {
    let steps = path.split(separator: "/")
    guard steps.count > 2, steps[0] == "api", steps[1] == "products" else { return String(path) }
    var shown = ["", "api", "products"]
    for (index, step) in steps.enumerated().dropFirst(2) {
      let isNumber = step.utf8.count <= 20 && step.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
      let isShown = isNumber || index == 3 && actions.contains(step)
      if !isShown { LoggedTarget.hide(step, &secrets) }
      shown.append(isShown ? String(step) : placeholder)
    }
    return shown.joined(separator: "/") + (path.hasSuffix("/") ? "/" : "")
  }

  private static func query(
    _ query: Substring, showing shownParameters: Set<String>, hiding secrets: inout Set<String>
  ) -> String {
    var shown = ""
    for (index, pair) in query.split(separator: "&", omittingEmptySubsequences: false).enumerated() {
      // No more is shown of an address, and no more texts are looked for.
      if secrets.count > maximumSecrets, shown.utf8.count > maximumShownBytes { break }
      if index > 0 { shown += "&" }
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard !pair.isEmpty, halves.last != "", !shownParameters.contains(String(halves[0])) else {
        shown += pair
        continue
      }
      LoggedTarget.hide(halves[halves.count - 1], &secrets)
      shown += halves.count == 2 ? "\(halves[0])=\(placeholder)" : placeholder
    }
    return shown
  }
}
