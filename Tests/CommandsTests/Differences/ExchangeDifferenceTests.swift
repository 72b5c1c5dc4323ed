import Testing
import WriteJournal

@testable import Commands

struct ExchangeDifferenceTests {
  private static func exchange(_ target: String, _ headers: [String], _ body: String) -> StoredExchange {
    func pairs(_ texts: [some StringProtocol], _ sign: Character) -> [StoredExchange.NameValue] {
      texts.map { text in
        let halves = text.split(separator: sign, maxSplits: 1)
        return StoredExchange.NameValue(String(halves[0]), String(halves[1]))
      }
    }
    let halves = target.split(separator: "?")
    let request = StoredExchange.Request(
      method: "GET", path: halves[0].split(separator: "/").map(String.init),
      query: pairs(halves.dropFirst().flatMap { $0.split(separator: "&") }, "="), headers: [], body: .none)
    return StoredExchange(
      started: 0, duration: 0, base: "http://market", request: request,
      response: StoredExchange.Response(
        status: 200, headers: pairs(headers, ":"), body: .text(body, type: nil, size: body.utf8.count)),
      failure: nil)
  }

  /// Two calls, each as target, header fields and body, and their differences.
  @Test(
    arguments: [
      (("/x?path=a", [], ""), ("/x?path=a", [], ""), []),
      (("/x?path=a", [], ""), ("/y?path=a", [], ""), ["path /x /y"]),
      (("/x?path=a", [], ""), ("/x", [], ""), ["path a -"]), (("/x", [], ""), ("/x?method=a", [], ""), ["method - a"]),
      (("/x?t=1&t=2", [], ""), ("/x?t=3&t=2", [], ""), ["t 1 3"]),
      (("/x?t=1&t=2", [], ""), ("/x?t=1", [], ""), ["t 2 -"]),
      (("/x?t=1&u=2", [], ""), ("/x?u=2&t=1", [], ""), []),
      (
        ("/x", ["Set-Cookie:a", "set-cookie:b"], ""), ("/x", ["Set-Cookie:c", "Set-Cookie:b"], ""), ["set-cookie a c"]
      ),
      (("/x", ["Date:a"], ""), ("/x", ["Date:b"], ""), []),
      (("/x", [], #"{"a.b":1,"a":{"b":2}}"#), ("/x", [], #"{"a.b":3,"a":{"b":2}}"#), ["a.b 1 3"]),
    ] as [((String, [String], String), (String, [String], String), [String])])
  func differencesAreByNameAndOccurrence(
    _ first: (String, [String], String), _ second: (String, [String], String), _ differences: [String]
  ) {
    let (old, new) = (Self.exchange(first.0, first.1, first.2), Self.exchange(second.0, second.1, second.2))
    #expect(
      ExchangeDifference.of(old, new).map { "\($0.name) \($0.before ?? "-") \($0.after ?? "-")" } == differences)
  }
}
