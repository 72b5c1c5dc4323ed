import Foundation

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
