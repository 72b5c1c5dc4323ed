import CommandLanguage
import MarketAPI
import Networking
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
        "PLACE", .rest(required: false), kind: .text,
        summary: LocalizedText("latitude and longitude, or a name", ko: "위도와 경도, 또는 이름")),
      Parameter(
        "list", .flag, kind: .none,
        summary: LocalizedText("list the forecast in three-hour steps", ko: "예보를 세 시간 간격으로 표시")),
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
    let service = try await scope.weatherService()
    let place = try await place(in: scope, isSample: service.isSample)
    let report = try await scope.context.weather.report(at: place, from: service, through: scope.context.transport)
    guard !report.isFailure else { throw CommandError(report) }
    if service.isSample {
      scope.say(
        .note(
          "This is sample data. Set OPENWEATHER_API_KEY to get real weather.",
          ko: "내장 서비스의 예시 데이터입니다. OPENWEATHER_API_KEY에 키를 설정하면 실제 날씨를 봅니다."))
    }
    var options = scope.dataOptions
    if isRedirected { options.width = nil }
    let figure = WeatherView(options).figure(report, isList: isList, now: scope.context.now())
    return CommandResult(.drawing(figure), status: report.failures.isEmpty ? .success : .refused)
  }

  private func place(in scope: CommandScope, isSample: Bool) async throws -> WeatherAPI.Place {
    let resolver = PlaceResolver(scope)
    if !text.isEmpty { return try await resolver.place(text) }
    if let stored = try resolver.saved.defaultPlace() { return stored }
    if isSample { return try await resolver.place("서울") }
    throw ParseError(
      LocalizedText("No place is saved yet.", ko: "아직 저장한 장소가 없습니다."),
      suggestion: LocalizedText(
        "Run \(.command("weather 서울")), or \(.command("place 서울")) to save it.",
        ko: "\(.command("weather 서울"), .object) 실행하세요. 저장하려면 \(.command("place 서울"), .object) 실행하세요."))
  }
}

extension CommandScope {
  /// Returns the weather service of the session: OpenWeatherMap, or the service at `OPENWEATHER_URL`, or the embedded
  /// sample service if the demo profile has no key.
  ///
  /// The environment's key applies to every profile, otherwise the profile's own is used; a session without a profile
  /// has only the environment's.
  ///
  /// - Throws: `WeatherError.keyMissing` or `.keyMalformed`; `CommandError` for an invalid URL.
  func weatherService() async throws -> OpenWeather {
    let language = session.settings.language
    let profile = session.server.profile?.value
    let custom = context.environment["OPENWEATHER_URL"].flatMap { $0.isEmpty ? nil : $0 }
    var url = OpenWeather.address
    if let custom {
      guard let address = ServerAddress(custom) else { throw SessionFactory.noAddress(custom) }
      url = address.url
    }
    let key: Secret
    do throws(WeatherError) {
      key = try await context.weather.key(of: profile ?? "") {
        [environment = context.environment, home = context.home] in
        if let key = environment[OpenWeather.keyVariable], !key.isEmpty { return key }
        return try profile.flatMap { try CredentialStore(home).weatherKey($0) }
      }
    } catch {
      guard error == .keyMissing, custom == nil, session.server.isEmbedded else { throw error }
      let embedded = try await context.embedded.address(session.server.edition?.value ?? .open)
      return OpenWeather(baseURL: embedded, key: nil, language: language)
    }
    return OpenWeather(baseURL: url, key: key, language: language)
  }
}
