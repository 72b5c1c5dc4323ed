import Foundation
import Images

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

/// The faults of the requests with one method and path.
package struct FaultRule: Sendable {
  /// The method and the path as the lesson writes them, such as `POST /api/products`.
  package let name: String
  /// The method, or `nil` for all; `HEAD` counts as `GET`.
  let method: String?
  /// The segments of the path; `*` matches any segment, and `**` at the end any rest.
  let steps: [Substring]
  /// The faults of the first requests, in order.
  package var sequence: [Fault] = []
  /// Indicates that the sequence begins again after its end.
  package var repeats = false
  /// The fraction of the requests after the sequence, 0 to 1, that get one of `faults`.
  package var rate = 0.0
  package var faults: [Fault] = []
  /// The delay of the responses, or `nil` for that of the plan.
  package var delay: DelayDistribution?
  /// Indicates that the requests of all clients are counted together, and not those of each client.
  package var isShared = false

  private static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "*"]

  /// Creates a rule for a name such as `POST /api/products`, or returns `nil` if that is not a method and a path.
  package init?(_ name: String) {
    let words = name.split(separator: " ")
    guard words.count == 2, FaultRule.methods.contains(String(words[0])), words[1].hasPrefix("/") else { return nil }
    steps = RequestPath.segments(of: String(words[1]))
    guard steps.dropLast().allSatisfy({ $0 != "**" }) else { return nil }
    method = words[0] == "*" ? nil : String(words[0])
    self.name = words.joined(separator: " ")
  }

  /// Returns whether the rule is for a request.
  func matches(method sent: String, _ path: [Substring]) -> Bool {
    if let method, method != (sent == "HEAD" ? "GET" : sent) { return false }
    let hasRest = steps.last == "**"
    let fixed = hasRest ? steps.dropLast() : steps[...]
    guard hasRest ? path.count >= fixed.count : path.count == fixed.count else { return false }
    return zip(fixed, path).allSatisfy { $0 == "*" || $0 == $1 }
  }

  /// The order of rules: the one with the most exact path is for a request, and of equal paths the one with a method.
  func precedes(_ other: FaultRule) -> Bool { precedence.lexicographicallyPrecedes(other.precedence) }

  private var precedence: [Int] {
    [steps.last == "**" ? 1 : 0, -steps.count, steps.count { $0 == "*" }, method == nil ? 1 : 0]
  }

  /// Returns the fault of a client's n-th request, from 0; the same for the same seed.
  func fault(at number: Int, using random: inout SeededGenerator) -> Fault {
    if number < sequence.count || repeats && !sequence.isEmpty { return sequence[number % sequence.count] }
    guard rate > 0, Double.random(in: 0..<1, using: &random) < rate else { return Fault(.none) }
    return faults.randomElement(using: &random) ?? Fault(.none)
  }
}

/// The deliberate faults and delays of a server, for testing clients.
///
/// The page at `/`, the teacher's page and the OpenAPI document are not affected.
package struct FaultPlan: Sendable {
  /// The delay of every response, unless its rule has another.
  package var delay: DelayDistribution?
  package var rules: [FaultRule]
  /// With the same seed, the n-th request of each client to a path has the same fault and delay.
  package var seed: UInt64

  package init(delay: DelayDistribution? = nil, rules: [FaultRule] = [], seed: UInt64 = 0) {
    self.delay = delay
    self.rules = rules
    self.seed = seed
  }

  /// Creates the plan of `--slow` and `--fail`.
  ///
  /// - Parameters:
  ///   - delay: The delay of every response in milliseconds.
  ///   - failureRate: The fraction of all requests, 0 to 1, that get a 503 and have no effect.
  package init(delay: Int = 0, failureRate: Double, seed: UInt64) {
    self.init(delay: delay > 0 ? .constant(Double(delay)) : nil, seed: seed)
    guard failureRate > 0, var rule = FaultRule("* /**") else { return }
    (rule.rate, rule.faults, rule.isShared) = (failureRate, [Fault(.status(503))], true)
    rules = [rule]
  }
}

/// The distribution of the delays of responses, in milliseconds.
package enum DelayDistribution: Hashable, Sendable {
  case constant(Double)
  case uniform(ClosedRange<Double>)
  case normal(mean: Double, deviation: Double)
  case exponential(mean: Double)

  /// The maximum delay in milliseconds; longer ones are shortened to it.
  package static let maximum = 30_000

  /// Returns a delay in milliseconds, from 0 to `maximum`.
  func milliseconds(using random: inout SeededGenerator) -> Double {
    let delay =
      switch self {
      case .constant(let time): time
      case .uniform(let range): Double.random(in: range, using: &random)
      // The method of Box and Muller.
      case .normal(let mean, let deviation):
        mean + deviation * (-2 * log(1 - unit(&random))).squareRoot() * cos(2 * .pi * unit(&random))
      case .exponential(let mean): -mean * log(1 - unit(&random))
      }
    return min(max(delay, 0), Double(DelayDistribution.maximum))
  }

  private func unit(_ random: inout SeededGenerator) -> Double { Double.random(in: 0..<1, using: &random) }
}

/// The path of a request.
enum RequestPath {
  /// Returns the segments of a path; empty ones are ignored.
  static func segments(of path: String) -> [Substring] { path.split(separator: "/") }
}
