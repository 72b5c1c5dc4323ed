import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text
import WeatherAPI

/// `weather`: shows the address, the current weather and the forecast for five days of a place, requested concurrently.
package struct WeatherCommand: Command {
  package static let declaration = CommandDeclaration(
    "weather", group: .weather,
    summary: LocalizedText("show current weather and a five-day forecast", ko: "현재 날씨와 5일 예보"),
    usage: ["weather [PLACE | LAT LON] [list]"],
    details: LocalizedText(
      "Shows the address, the current weather and the forecast of a place. Without an API key, it shows sample data.",
      ko: "장소의 주소, 현재 날씨, 예보를 표시합니다. API 키가 없으면 예시 데이터를 표시합니다."), producesData: true,
    traits: [.resolvesPlaces],
    parameters: [
      Parameter(
        "PLACE", .rest(required: false), .text,
        LocalizedText("latitude and longitude, or a name", ko: "위도와 경도, 또는 이름")),
      Parameter("list", .flag, .none, LocalizedText("list the forecast in three-hour steps", ko: "예보를 세 시간 간격으로 표시")),
    ],
    examples: [
      .init("weather", "uses the place saved in the profile", ko: "프로필에 저장한 장소"),
      .init("weather 37.57 126.98", "uses coordinates", ko: "좌표"),
      .init("weather -33.87 151.21 list", "lists all three-hour steps", ko: "세 시간 간격을 모두 표시"),
      .init("weather 서울 as json", "as JSON, for programs", ko: "프로그램용"),
    ])

  private let text: String
  private let isList: Bool
  /// A Boolean value that indicates output to a file or a program, which has no width.
  private let isRedirected: Bool

  package init(_ invocation: ParsedCommand) {
    text = invocation.all("PLACE").joined(separator: " ")
    isList = invocation.has("list")
    isRedirected = invocation.clauses.isRedirected
  }

  /// - Throws: `ParseError` if no place is chosen; `WeatherError` without a key; `CommandError` if no part of the weather
  ///   was received.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let service = try await WeatherServiceFactory(session: scope.session, context: scope.context).makeService()
    try service.requireKey()
    let place = try await place(scope.session, scope.context, service)
    let report = try await scope.context.weather.service.report(at: place, from: service)
    guard !report.isFailure else { throw CommandError(report) }
    if service.isSample {
      scope.say(
        .note(
          "This is sample data. Set OPENWEATHER_API_KEY to get real weather.",
          ko: "내장 서비스의 예시 데이터입니다. OPENWEATHER_API_KEY에 키를 설정하면 실제 날씨를 봅니다."))
    }
    let view = WeatherReportView(options(scope.session, scope.context), now: scope.context.now())
    return CommandResult(
      .drawing(view.drawing(report, isList: isList)), status: report.failures.isEmpty ? .success : .refused)
  }

  private func place(_ session: Session, _ context: CommandContext, _ service: OpenWeather) async throws
    -> WeatherAPI.Place
  {
    let finder = PlaceResolver(session: session, context: context, service: service)
    if !text.isEmpty { return try await finder.place(text) }
    if let stored = try PlaceStore(session, context).defaultPlace() { return stored }
    if service.isSample { return try await finder.place("서울") }
    throw ParseError(
      LocalizedText("No place is saved yet.", ko: "아직 저장한 장소가 없습니다."),
      suggestion: LocalizedText(
        "Run \(.command("weather 서울")), or \(.command("place 서울")) to save it.",
        ko: "\(.command("weather 서울"), .object) 실행하세요. 저장하려면 \(.command("place 서울"), .object) 실행하세요."))
  }

  private func options(_ session: Session, _ context: CommandContext) -> RenderOptions {
    var options = context.dataOptions(session)
    if isRedirected || options.width == nil { options.width = 80 }
    return options
  }
}

extension WeatherView.Role {
  var ink: Figure.Style {
    switch self {
    case .plain: .plain
    case .dim: .dim
    case .strong: .bold
    case .temperature(let step):
      TemperatureRamp.colors.indices.contains(step) ? .palette(TemperatureRamp.colors[step]) : .plain
    case .rain: .accent
    case .warning: .warning
    }
  }
}
