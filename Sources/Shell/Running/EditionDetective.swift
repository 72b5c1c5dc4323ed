import Foundation
import Marketplace
import Presentation

/// Finds out which edition a server speaks, says so once, and keeps it with the profile.
struct EditionDetective {
  private let context: Context

  init(_ context: Context) { self.context = context }

  func find(at url: URL, _ session: inout Session) async throws -> Sourced<Edition> {
    let found = try await EditionFinder(transport: context.transport).find(at: url)
    context.say(
      .note(
        "This server speaks edition \(.value(found.edition.rawValue)): \(found.reason[.english])",
        ko: "이 서버는 \(.value(found.edition.rawValue)) 판을 씁니다: \(found.reason[.korean])"),
      session)
    if let name = session.place.profile?.value {
      let store = ProfileStore(context.home)
      var profiles = try store.load()
      profiles[name]?.api = found.edition.rawValue
      try? store.save(profiles)
    }
    return Sourced(found.edition, .detected)
  }
}
