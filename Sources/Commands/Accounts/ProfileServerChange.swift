import Foundation
import MarketAPI
import Platform
import Presentation
import ShellRuntime
import Text

/// The change of a profile's URL to another server.
///
/// The stored credentials are deleted. Otherwise the next write would send the vendor's secret to the new server.
struct ProfileServerChange {
  private let name: String

  /// Creates the change, or `nil` for a new profile, and if scheme, host and port are unchanged.
  init?(_ name: String, from old: Profile?, to new: Profile) {
    guard let old, old.server != new.server else { return nil }
    self.name = name
  }

  /// Deletes the stored vendor of the profile, and returns `false` if it had no credentials.
  ///
  /// The key of the weather service isn't deleted.
  func forget(in home: AppDirectories) throws(FileError) -> Bool {
    let store = CredentialStore(home)
    guard let stored = try store.load(name) else { return false }
    try store.save(nil, for: name)
    return stored.identifier != nil || stored.secret != nil
  }

  /// Returns the note about the deleted credentials.
  ///
  /// The suggested command depends on whether the session uses this profile.
  func note(isCurrent: Bool) -> Message {
    let line = isCurrent ? "login" : "profile \(name); login"
    return .note(
      "The saved credentials of profile \(.value(name)) belonged to another server and were deleted.",
      ko: "\(.value(name)) 프로필의 로그인 정보는 다른 서버의 것이라 삭제했습니다."
    )
    .next("Run \(.command(line)) to log in to the new server.", ko: "\(.command(line), .toward) 새 서버의 정보를 입력하세요.")
  }
}
