import Foundation
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Testing
import Text
import WeatherAPI
import WriteJournal

/// A server that is unreachable although the environment names a proxy.
struct UnusedProxyTests {
  private static let unreachable = TransportError(.connectionRefused, extent: .none)

  /// The environment, the URL of the server, and the variables that are named; "" for none.
  @Test(arguments: [
    (["HTTPS_PROXY": "http://user:pw@p:1"], "https://shop.test", "HTTPS_PROXY is set"),
    (["https_proxy": "http://p:1"], "https://shop.test", "https_proxy is set"),
    (["HTTP_PROXY": "http://p:1"], "http://shop.test", "HTTP_PROXY is set"),
    (["ALL_PROXY": "socks5://p:1"], "https://shop.test", "ALL_PROXY is set"),
    (["HTTPS_PROXY": "http://p:1", "all_proxy": "http://p:1"], "https://shop.test", "HTTPS_PROXY, all_proxy are set"),
    (["HTTP_PROXY": "http://p:1"], "https://shop.test", ""), (["HTTPS_PROXY": ""], "https://shop.test", ""),
    (["HTTPS_PROXY": "http://p:1"], "https://127.0.0.1:9", ""), (["HTTPS_PROXY": "http://p:1"], "http://localhost", ""),
    (["HTTPS_PROXY": "http://p:1", "NO_PROXY": "other.test,.shop.test"], "https://api.shop.test", ""),
    (["HTTPS_PROXY": "http://p:1", "no_proxy": "*"], "https://shop.test", ""),
    (["HTTPS_PROXY": "http://p:1", "no_proxy": "op.test"], "https://shop.test", "HTTPS_PROXY is set"),
  ])
  func unusedProxyVariablesAreNamed(_ variables: [String: String], _ url: String, _ words: String) throws {
    let session = Self.session(url)
    let proxy = UnusedProxy(Environment(variables))
    let explained = proxy.explained(Self.unreachable, of: "ls", session)
    let message = CommandError(describing: explained).message
    let text = (message.reasons + message.nextSteps).map(\.english.plain).joined(separator: "\n")
    #expect(CommandError(describing: explained).exitStatus == .unreachable)
    guard !words.isEmpty else { return #expect(!text.contains("profile NAME proxy=")) }
    #expect(text.contains(words) && text.contains("profile NAME proxy=") && !text.contains("pw"), "\(text)")
    // A nested line has said so.
    let twice = CommandError(describing: proxy.explained(explained, of: "source x", session)).message
    #expect(twice == message)
  }

  @Test func proxyIsExplainedOnlyForAnUnreachableServer() {
    let proxy = UnusedProxy(["HTTPS_PROXY": "http://p:1"])
    var session = Self.session("https://shop.test")
    let refused = MarketError.refused(status: 500, message: nil)
    #expect(proxy.explained(refused, of: "ls", session) is MarketError)
    session.server.proxy = ProxyAddress("http://p:1").map { Sourced($0, .profile) }
    #expect(proxy.explained(Self.unreachable, of: "ls", session) is TransportError)
  }

  private static func session(_ url: String) -> Session {
    Session(
      server: ServerConfiguration(
        profile: nil, url: URL(string: url).map { Sourced($0, .option) }, dialect: nil,
        confirm: Sourced(.always, .default), access: Sourced(.readWrite, .default)), settings: Settings())
  }
}
