import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text
import WeatherAPI

/// `place`: chooses the place of `weather` and saves it in the profile.
package struct PlaceCommand: Command {
  package static let declaration = CommandDeclaration(
    "place", group: .weather, summary: LocalizedText("set the place for weather", ko: "날씨를 볼 장소 설정"),
    usage: ["place [PLACE | LAT LON]", "place NAME = LAT LON", "place rm NAME"], producesData: true,
    parameters: [
      Parameter(
        "PLACE", .rest(required: false), kind: .line,
        summary: LocalizedText("PLACE, NAME = PLACE, or rm NAME", ko: "장소, 이름 = 장소, rm 이름"))
    ],
    examples: [
      .init("place", "lists saved places", ko: "저장한 장소"),
      .init("place Seoul", inKorean: "place 서울", "uses this place from now on", ko: "이제 이곳"),
      .init("place home = 37.57 126.98", "saves coordinates under a name", ko: "좌표에 이름 붙이기"),
      .init("place rm home", "removes the place home", ko: "삭제"),
    ])

  private enum Action { case list, choose(String), name(String, String), remove(String) }

  private let action: Action

  /// - Throws: `ParseError` for a name without a place, or a place without its name.
  package init(_ invocation: ParsedCommand) throws {
    let text = (invocation.text("PLACE") ?? "").trimmed
    let halves = text.split(atScalar: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
    if text.isEmpty {
      action = .list
    } else if halves.count == 2 {
      guard !halves[0].isEmpty, !halves[1].isEmpty, halves[0].count <= 40 else {
        throw ParseError(
          LocalizedText("place needs a name and coordinates.", ko: "이름과 장소가 있어야 합니다."),
          suggestion: LocalizedText(
            "For example: \(.command("place home = 37.57 126.98"))", ko: "예: \(.command("place home = 37.57 126.98"))"))
      }
      action = .name(halves[0], halves[1])
    } else if text.hasPrefix("rm ") {
      action = .remove(text.dropFirst(3).trimmed)
    } else {
      action = .choose(text)
    }
  }

  /// - Throws: `ParseError` for an unknown saved name; `CommandError` without a profile, for an unknown place, and if none
  ///   is chosen; `FileError`; `WeatherError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let places = PlaceStore(scope)
    switch action {
    case .list:
      let table = try table(places, scope.session.settings.language)
      guard table.rows.isEmpty else { return .rows(table) }
      return .group([
        .message(
          .note("No places are saved.", ko: "저장한 장소가 없습니다.")
            .next(
              "Run \(.command("place Seoul")) to choose one for \(.command("weather")).",
              ko: "\(.command("weather"))에 쓸 장소는 \(.command("place 서울"), .toward) 정합니다.")),
        .rows(table),
      ])
    case .choose(let text): return try await save(text, as: nil, in: scope)
    case .name(let name, let text): return try await save(text, as: name, in: scope)
    case .remove(let name):
      if let result = scope.resultWithoutSaving { return result }
      guard try places.remove(name) else {
        throw ParseError(
          LocalizedText("There is no saved place named \(.value(name)).", ko: "\(.value(name), .topic) 저장한 장소가 아닙니다."))
      }
      return .message(.success("Removed place \(.value(name)).", ko: "장소 \(.value(name), .object) 삭제했습니다."))
    }
  }

  private func save(_ text: String, as name: String?, in scope: CommandScope) async throws -> CommandResult {
    let resolver = PlaceResolver(scope)
    guard let profile = resolver.saved.profile else {
      throw CommandError(
        .blocked,
        .failure("Places are saved in a profile, and this session has none.", ko: "장소는 프로필에 저장하는데 현재 프로필이 없습니다.")
          .next(
            "Add a profile: \(.command("profile add NAME url=…"))",
            ko: "프로필을 추가하세요: \(.command("profile add 이름 url=…"))"))
    }
    var place = try await resolver.place(text)
    if let result = scope.resultWithoutSaving { return result }
    if let name {
      place.name = name
      place.koreanName = nil
    }
    try resolver.saved.save(place, as: name)
    return .message(
      .success(
        "Weather place set to \(.value(place.title(in: .english))), saved in profile \(.value(profile)).",
        ko: "이제 \(.value(place.title(in: .korean))) 날씨를 봅니다. \(.value(profile)) 프로필에 저장했습니다."))
  }

  private func table(_ saved: PlaceStore, _ language: MessageLanguage) throws -> Table {
    let current = try saved.defaultPlace()
    var places = try saved.all()
    if let current, !places.contains(where: { $0.place == current }) {
      places.insert((current.title(in: language), current), at: 0)
    }
    return Table(
      [
        .init("name", LocalizedText("place", ko: "장소")), .init("current", LocalizedText("current", ko: "지금")),
        .init("latitude", LocalizedText("latitude", ko: "위도")),
        .init("longitude", LocalizedText("longitude", ko: "경도")),
        .init("country", LocalizedText("country", ko: "나라")),
      ],
      rows: places.map { name, place in
        [
          .text(name), .bool(place == current), .text(place.coordinate.latitudeText),
          .text(place.coordinate.longitudeText), place.country.map { .text($0) } ?? .none,
        ]
      })
  }
}
