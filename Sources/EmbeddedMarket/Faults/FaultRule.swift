import Images

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

  private static let methods = ["GET", "POST", "PATCH", "DELETE", "*"]

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
