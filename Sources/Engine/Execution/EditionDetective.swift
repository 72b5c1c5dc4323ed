import Catalog
import Foundation
import Marketplace
import Presentation
import Text

/// Finds out which edition a server speaks, says so once, and keeps it with the profile.
struct EditionDetective {
  private let context: Context

  init(_ context: Context) { self.context = context }

  func find(at url: URL, _ session: inout Session) async throws -> Sourced<Edition> {
    let found = try await EditionFinder(through: context.door(session)).edition(at: url)
    context.say(
      .note(
        "This server speaks edition \(.value(found.rawValue)): \(found.evidence[.english])",
        ko: "이 서버는 \(.value(found.rawValue)) 판을 씁니다: \(found.evidence[.korean])"), session)
    if let name = session.place.profile?.value {
      try? ProfileStore(context.home).learn(about: name, at: url) { $0.api = found.rawValue }
    }
    return Sourced(found, .detected)
  }
}

extension Edition {
  /// What in its answers told.
  fileprivate var evidence: Wording {
    switch self {
    case .open: Wording("its pages count in camelCase.", ko: "쪽수를 camelCase로 씁니다.")
    case .training: Wording("its pages count in snake_case.", ko: "쪽수를 snake_case로 씁니다.")
    case .camp1, .camp2:
      Wording(
        "it answers at /items. So does camp1, which deletes otherwise: \(.command("--api camp1")) if a deletion is refused.",
        ko: "/items에서 답합니다. camp1도 그렇지만 지우는 방법이 다르니, 지우기가 거절되면 \(.command("--api camp1"))로 시작하세요.")
    }
  }
}
