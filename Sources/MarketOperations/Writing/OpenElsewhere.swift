import Foundation
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// Writes that were left open at other markets than the session's, in words.
package struct OpenElsewhere {
  private struct Place {
    var name: String
    /// The line that leads there.
    var line: String
    var count: Int
  }

  private let places: [Place]

  /// Reads the journal; nil where nothing is open elsewhere.
  ///
  /// - Throws: `JournalError` where the log cannot be read.
  package init?(_ binding: WriteScope, in context: CommandContext) throws {
    let profiles = (try? ProfileStore(context.home).load()) ?? [:]
    places = try context.journal().openElsewhere(than: binding.baseURL).map { OpenElsewhere.place($0, profiles) }
    if places.isEmpty { return nil }
  }

  /// A profile that was removed or led to another server since does not lead there.
  private static func place(_ place: OpenPlace, _ profiles: [String: Profile]) -> Place {
    if let edition = place.baseURL.wholeMatch(of: /embedded:(.*)/).map({ String($0.1) }) {
      let line = edition == "open" ? "profile \(place.profile)" : "openmarket --api \(edition)"
      return Place(
        name: edition == "open" ? place.profile : "\(place.profile), \(edition)", line: line, count: place.count)
    }
    if let url = URL(string: place.baseURL), profiles[place.profile]?.isAt(url) == true {
      return Place(name: place.profile, line: "profile \(place.profile)", count: place.count)
    }
    return Place(name: place.baseURL, line: "openmarket --url \(place.baseURL)", count: place.count)
  }

  package var message: Message {
    let count = places.reduce(0) { $0 + $1.count }
    let list = places.map { "\($0.name) (\($0.count))" }.joined(separator: ", ")
    let line = places.first?.line ?? ""
    return .warning(
      "\(count) \(count == 1 ? StyledText("change is") : "changes are") pending on other servers: \(.foreign(list))",
      ko: "다른 서버에 대기 중인 변경이 \(count)건 있습니다: \(.foreign(list))"
    ).next(
      "Run \(.command(line)), then \(.command("status")).",
      ko: "\(.command(line)) 다음에 \(.command("status"), .object) 실행하세요.")
  }
}
