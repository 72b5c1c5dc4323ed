import Foundation
import Networking
import Platform
import Presentation
import Text

/// Explains that a server is unreachable although the environment names a proxy, which this program does not use.
///
/// Proxy variables are for all programs of the system. A proxy that sees writes to a market is chosen in its profile.
package struct UnusedProxy {
  private let environment: Environment

  package init(_ environment: Environment) { self.environment = environment }

  /// Returns the failure with the variables as a reason, or another error unchanged.
  ///
  /// `line` may name another server than that of the session.
  package func explained(_ error: any Error, of line: String, _ session: Session) -> any Error {
    var failure = CommandError(describing: error)
    guard failure.exitStatus == .unreachable, session.server.proxy == nil,
      let url = line.firstMatch(of: #/https?:\/\/[^\s'"]+/#).flatMap({ URL(string: String($0.0)) })
        ?? session.server.url?.value,
      let host = url.host, !Loopback.contains(host), !isExempt(host)
    else { return error }
    let variables = Self.names(for: url.scheme ?? "").filter { environment[$0]?.isEmpty == false }
    guard !variables.isEmpty else { return error }
    let names = variables.joined(separator: ", ")
    let reason = LocalizedText(
      "\(.value(names)) \(variables.count == 1 ? StyledText("is") : "are") set, but proxy variables are not used.",
      ko: "\(.value(names)) 환경 변수가 있지만, 프록시 환경 변수는 쓰지 않습니다.")
    // A nested line has said so.
    guard !failure.message.reasons.contains(reason) else { return error }
    failure.message = failure.message.because(reason).next(
      "To use a proxy, set it in a profile: \(.command("profile NAME proxy=http://HOST:PORT"))",
      ko: "프록시를 쓰려면 프로필에 지정하세요: \(.command("profile 이름 proxy=http://호스트:포트"))")
    return failure
  }

  /// The variables that other programs would use, as curl(1) lists them.
  private static func names(for scheme: String) -> [String] {
    (scheme.lowercased() == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"])
      + ["all_proxy", "ALL_PROXY"]
  }

  /// Returns whether `NO_PROXY` names the host or a domain that it belongs to.
  private func isExempt(_ host: String) -> Bool {
    let host = host.lowercased()
    let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
    return list.lowercased().split(whereSeparator: { $0 == "," || $0 == " " }).contains { entry in
      let domain = entry.drop { $0 == "." }
      return entry == "*" || host == domain || host.hasSuffix("." + domain)
    }
  }
}
