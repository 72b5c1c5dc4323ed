import Networking

extension Phases {
  /// By the names of HAR 1.2, in microseconds; what was not told apart is left out.
  package var microseconds: [String: Int] {
    let times: [String: Duration?] = [
      "blocked": blocked, "dns": lookup, "connect": connect, "ssl": tls, "send": send, "wait": wait,
      "receive": receive,
    ]
    return times.compactMapValues { $0.flatMap { Int(exactly: ($0 / .microseconds(1)).rounded(.down)) } }
  }
}
