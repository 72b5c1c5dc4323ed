import Catalog
import CommandLanguage
import Foundation
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// The profiles of the session's server that ask for more before a write than the session does.
///
/// A session that names the server by its address isn't guarded by the settings of a profile with that address, perhaps by
/// mistake.
enum StricterProfile {
  /// Warns once, before the first write of a session that names its server without a profile.
  ///
  /// Profiles that can't be read give no warning: the next command that needs one says what is wrong with them.
  static func warn(in scope: CommandScope) {
    let server = scope.session.server
    guard let url = server.url, url.origin != .profile,
      let profiles = try? ProfileStore(scope.context.stores.home).load()
    else { return }
    for (name, profile) in profiles.sorted(by: { $0.key < $1.key }) where isAt(url.value, profile) {
      let guards = guards(of: profile, beyond: server)
      guard name != server.profile?.value, !guards.isEmpty else { continue }
      let words = guards.joined(separator: " ")
      guard scope.context.program.warned.isFirst("stricter \(name) \(words)") else { continue }
      scope.say(
        .warning(
          "This session writes without profile \(.value(name)), which has the same address and \(.command(words)).",
          ko: "이 세션은 주소가 같고 \(.command(words))인 \(.value(name)) 프로필 없이 씁니다."
        ).next(
          "Use \(.command("--profile \(Quoting.quote(name))")) to keep to what it asks for.",
          ko: "그 프로필의 설정을 따르려면 \(.command("--profile \(Quoting.quote(name))"), .object) 쓰세요."))
    }
  }

  /// Returns whether a profile names the server of an address, by whatever loopback address or spelling.
  private static func isAt(_ url: URL, _ profile: Profile) -> Bool {
    func origin(_ url: URL) -> String {
      let pieces = MarketIdentity.canonicalAddress(url.absoluteString).split(
        separator: "/", omittingEmptySubsequences: false)
      return pieces.prefix(3).joined(separator: "/")
    }
    return profile.url.flatMap { ServerAddress($0) }.map { origin($0.url) == origin(url) } ?? false
  }

  /// Returns the settings of a profile that the session lacks, as they are typed.
  private static func guards(of profile: Profile, beyond server: ServerConfiguration) -> [String] {
    var guards: [String] = []
    if profile.access == .readOnly, server.access.value != .readOnly { guards.append("access=ro") }
    switch (profile.apply ?? .anyone, server.apply.value) {
    case (.signed, .anyone), (.signed, .person): guards.append("apply=signed")
    case (.person, .anyone): guards.append("apply=person")
    case (.signed, .signed), (.person, .person), (.person, .signed), (.anyone, _): break
    }
    if profile.two == .on, server.two.value != .on { guards.append("two=on") }
    return guards
  }
}
