/// The requests of a vendor, or of an address without one.
package struct ClassReportRow: Hashable, Sendable {
  /// The number of the vendor, or `nil` for an address.
  package let vendor: Int64?
  /// The name of the vendor, or the address.
  package let name: String
  package private(set) var requests = 0
  /// The number of responses by status; 0 for requests without a response.
  package private(set) var statuses: [Int: Int] = [:]
  /// The number of refusals by status and reason, in whose text numbers are replaced by `…`.
  package private(set) var mistakes: [Mistake: Int] = [:]
  /// The time of the last request, such as `2026-11-22T08:25:27Z`.
  package private(set) var lastSeen = ""

  package struct Mistake: Hashable, Sendable {
    package let status: Int
    package let reason: String
  }

  private static let maximumMistakes = 100

  init(vendor: Int64?, name: String) {
    self.vendor = vendor
    self.name = name
  }

  mutating func add(status: Int?, reason: String?, at time: String) {
    requests += 1
    statuses[status ?? 0, default: 0] += 1
    lastSeen = time
    guard let status, (400..<500).contains(status), let reason else { return }
    let mistake = Mistake(status: status, reason: ClassReportRow.withoutNumbers(reason))
    if mistakes[mistake] != nil || mistakes.count < ClassReportRow.maximumMistakes {
      mistakes[mistake, default: 0] += 1
    }
  }

  /// Replaces numbers, so that equal mistakes with different products are one.
  private static func withoutNumbers(_ text: String) -> String {
    var result = ""
    var isNumber = false
    for character in text.prefix(200) {
      let digit = character.isASCII && character.isNumber
      if !digit { result.append(character) } else if !isNumber { result.append("…") }
      isNumber = digit
    }
    return result
  }
}
