/// The fault of one request, in place of the usual response.
package struct Fault: Hashable, Sendable {
  package enum Effect: Hashable, Sendable {
    /// The usual response.
    case none
    /// A response with this status, from 400 to 599; the request has no effect.
    case status(Int)
    /// The connection is closed in place of a response; the request has no effect.
    case lostRequest
    /// The request has its effect, and the connection is closed in place of a response.
    case lostResponse
    /// The request has its effect, and the connection is closed after half of the response's body.
    case cutResponse
    /// The request has its effect, and the JSON of the response ends in the middle.
    case brokenJSON
  }

  package var effect: Effect
  /// The number of seconds in the header field `Retry-After`.
  package var retryAfter: Int?
  /// The delay in milliseconds, instead of the one that the rule or the plan chooses.
  package var delay: Int?

  package init(_ effect: Effect, retryAfter: Int? = nil, delay: Int? = nil) {
    self.effect = effect
    self.retryAfter = retryAfter
    self.delay = delay
  }

  /// The words for effects, besides the numbers of statuses.
  package static let words: [(word: String, effect: Effect)] = [
    ("ok", .none), ("lost-request", .lostRequest), ("lost-response", .lostResponse), ("cut-response", .cutResponse),
    ("broken-json", .brokenJSON),
  ]

  /// Creates a fault from its text, such as `503`, `429 retry-after=2`, `ok delay=3000` or `lost-response`.
  ///
  /// A status from 200 to 299 means the usual response. The result is `nil` if the text is not a fault.
  package init?(_ text: String) {
    var words = text.split(separator: " ")
    guard !words.isEmpty else { return nil }
    let first = words.removeFirst()
    if let known = Fault.words.first(where: { $0.word == first }) {
      effect = known.effect
    } else if let status = Fault.number(first, in: 200...599), !(300..<400).contains(status) {
      effect = status < 300 ? .none : .status(status)
    } else {
      return nil
    }
    for word in words {
      let parts = word.split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      switch parts[0] {
      case "retry-after":
        guard case .status = effect, retryAfter == nil, let seconds = Fault.number(parts[1], in: 0...86_400) else {
          return nil
        }
        retryAfter = seconds
      case "delay":
        guard delay == nil, let time = Fault.number(parts[1], in: 0...DelayDistribution.maximum) else { return nil }
        delay = time
      default: return nil
      }
    }
  }

  private static func number(_ digits: Substring, in range: ClosedRange<Int>) -> Int? {
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = Int(digits), range.contains(number)
    else { return nil }
    return number
  }
}
