import Catalog
import Engine
import Language
import Platform
import Presentation
import Text
import Weather

/// `weather`: address, weather now and five days of a place, asked side by side and shown together.
package struct ShowWeather: Command {
  package static let declaration = Declaration(
    "weather", group: .weather,
    summary: Wording("the weather now and for five days", ko: "현재 날씨와 5일 예보"), prints: true,
    traits: [.findsPlaces],
    parameters: [
      Parameter(
        "PLACE", .rest(required: false), .text,
        Wording("a latitude and a longitude, or a name", ko: "위도와 경도, 또는 이름")),
      Parameter("list", .flag, .none, Wording("one row for three hours", ko: "세 시간에 한 줄씩")),
    ],
    examples: [
      .init("weather", "at the place kept with the profile", ko: "프로필에 둔 장소"),
      .init("weather 37.57 126.98", "at a point", ko: "좌표"),
      .init("weather -33.87 151.21 list", "all slots as rows", ko: "시간대를 줄로"),
      .init("weather 서울 as json", "for programs", ko: "프로그램용"),
    ])

  private let text: String
  private let isList: Bool
  /// Goes to a file or a program, where nobody told a width.
  private let isAway: Bool

  package init(_ invocation: Invocation) throws {
    text = invocation.all("PLACE").joined(separator: " ")
    isList = invocation.has("list")
    isAway = invocation.clauses.file != nil || invocation.clauses.pipe != nil
  }

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    let service = try await WeatherSource(session: session, context: context).service()
    try service.requireKey()
    let place = try await place(session, context, service)
    let report = try await context.weather.report(at: place, from: service)
    guard !report.isFailure else { throw Failure(report) }
    if !report.failures.isEmpty { execution.ending = .refused }
    if service.isSample {
      context.say(
        .note(
          "This is sample data of the embedded service; a key in OPENWEATHER_API_KEY brings the real weather.",
          ko: "내장 서비스의 표본 자료입니다. OPENWEATHER_API_KEY에 키를 두면 실제 날씨를 봅니다."), session)
    }
    return .drawing(WeatherDrawing(options(session, context), now: context.now()).drawing(report, isList: isList))
  }

  private func place(_ session: Session, _ context: Context, _ service: OpenWeather) async throws -> Weather.Place {
    let finder = PlaceFinder(session: session, context: context, service: service)
    if !text.isEmpty { return try await finder.place(text) }
    if let kept = try PlaceBook(session, context).current() { return kept }
    if service.isSample { return try await finder.place("서울") }
    throw ParseError(
      Wording("No place is kept yet.", ko: "아직 둔 장소가 없습니다."),
      next: Wording(
        "\(.command("weather 서울")), or \(.command("place 서울")) to keep one",
        ko: "\(.command("weather 서울")), 늘 보려면 \(.command("place 서울"))"))
  }

  private func options(_ session: Session, _ context: Context) -> RenderOptions {
    var options = context.dataOptions(session)
    if isAway || options.width == nil { options.width = 80 }
    return options
  }
}
