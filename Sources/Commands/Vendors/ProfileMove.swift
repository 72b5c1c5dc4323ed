import Catalog
import Engine
import Foundation
import Marketplace
import Networking
import Platform
import Presentation
import Text

/// A profile that is led to another server: what was kept for the old one is forgotten, or the next write would hand
/// the vendor's secret to the new one.
struct ProfileMove {
  private let name: String

  /// Nil for a new profile, and where scheme, host and port stay as they are; a path may change.
  init?(_ name: String, from old: Profile?, to new: Profile) {
    guard let old, old.server != new.server else { return nil }
    self.name = name
  }

  /// Forgets the vendor of the profile; false when none was kept. The key of the weather service stays.
  func forget(in home: Home) throws(FileError) -> Bool {
    let store = CredentialStore(home)
    guard let kept = try store.load(name) else { return false }
    try store.save(nil, for: name)
    return kept.identifier != nil || kept.secret != nil
  }

  /// - Parameter isCurrent: whether the session is at this profile.
  func note(isCurrent: Bool) -> Message {
    let line = isCurrent ? "login" : "profile \(name); login"
    return .note(
      "The credentials of profile \(.value(name)) were forgotten; they were another server's.",
      ko: "\(.value(name)) 프로필의 판매자 정보는 다른 서버의 것이라 잊었습니다."
    )
    .next("\(.command(line)) sets those of the new one.", ko: "\(.command(line))으로 새 서버의 것을 넣으세요.")
  }
}
