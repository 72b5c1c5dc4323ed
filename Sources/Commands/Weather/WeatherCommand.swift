import CommandLanguage
import Foundation
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
      .init("weather Seoul as json", inKorean: "weather 서울 as json", "as JSON, for programs", ko: "프로그램용"),
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
    let report = try await scope.context.network.weather.report(
      at: place, from: service, through: scope.context.network.transport)
    guard !report.isFailure else { throw CommandError(report) }
    if service.isSample {
      scope.say(
        .note(
          "This is sample data. Set OPENWEATHER_API_KEY to get real weather.",
          ko: "내장 서비스의 예시 데이터입니다. OPENWEATHER_API_KEY에 키를 설정하면 실제 날씨를 봅니다."))
    }
    var options = scope.dataOptions
    if isRedirected { options.width = nil }
    let figure = WeatherView(options).figure(report, isList: isList, now: scope.context.clock.now())
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
        "Run \(.command("weather Seoul")), or \(.command("place Seoul")) to save it.",
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
  /// The prefix `curl` needs no key, because it prints the name of the variable.
  ///
  /// - Throws: `WeatherError.keyMissing` or `.keyMalformed`; `CommandError` for an invalid URL.
  func weatherService() async throws -> OpenWeather {
    let language = session.settings.language
    let profile = session.server.profile?.value
    let custom = context.program.environment["OPENWEATHER_URL"].flatMap { $0.isEmpty ? nil : $0 }
    var url = OpenWeather.address
    if let custom {
      guard let address = ServerAddress(custom) else { throw SessionFactory.noAddress(custom) }
      url = address.url
    }
    let key: Secret?
    do throws(WeatherError) {
      key = try await context.network.weather.key(of: profile ?? "") {
        [environment = context.program.environment, home = context.stores.home] in
        if let key = environment[OpenWeather.keyVariable], !key.isEmpty { return key }
        return try profile.flatMap { try CredentialStore(home).weatherKey($0) }
      }
    } catch {
      guard error == .keyMissing else { throw error }
      if custom == nil, session.server.isEmbedded {
        let embedded = try await CommandScope(session, context).address()
        return OpenWeather(baseURL: embedded, key: nil, language: language)
      }
      guard mode == .curl else { throw error }
      key = OpenWeather.keyPlaceholder
    }
    return OpenWeather(baseURL: url, key: key, language: language)
  }
}

/// Resolves typed text to a place: a saved name first, then two coordinates, then a name known to the service.
struct PlaceResolver {
  private let scope: CommandScope
  let saved: PlaceStore

  init(_ scope: CommandScope) {
    self.scope = scope
    saved = PlaceStore(scope)
  }

  /// Names that are looked for often, to correct their spelling.
  private static let frequent = [
    "Seoul", "Busan", "Incheon", "Daegu", "Daejeon", "Gwangju", "Ulsan", "Sejong", "Suwon", "Jeju", "Tokyo", "Osaka",
    "Beijing", "Shanghai", "Hong Kong", "Taipei", "Singapore", "Sydney", "London", "Paris", "Berlin", "New York",
    "서울", "부산", "인천", "대구", "대전", "광주", "울산", "세종", "수원", "제주",
  ]

  /// Returns the place.
  ///
  /// - Throws: `ParseError` for invalid text, `CommandError` for an unknown name and if none is chosen, `WeatherError`
  ///   without a key and if the service can't be reached.
  func place(_ text: String) async throws -> WeatherAPI.Place {
    if let place = try saved.place(named: text) { return place }
    let query: PlaceQuery
    do throws(PlaceError) {
      query = try PlaceQuery(text)
    } catch {
      throw ParseError(error)
    }
    switch query {
    case .coordinate(let point): return WeatherAPI.Place(point)
    case .name(let name): return try await place(named: name)
    }
  }

  private func place(named name: String) async throws -> WeatherAPI.Place {
    let service = try await scope.weatherService()
    guard service.key != OpenWeather.keyPlaceholder else {
      var missing = CommandError(WeatherError.keyMissing)
      missing.message = missing.message.because(
        "The coordinates of \(.value(name)) have to be requested first.",
        ko: "먼저 \(.value(name))의 좌표를 요청해야 합니다."
      ).next(
        "Without a key, use coordinates: \(.command("curl weather 37.57 126.98"))",
        ko: "키가 없으면 좌표를 쓰세요: \(.command("curl weather 37.57 126.98"))")
      throw missing
    }
    let places = try await scope.context.network.weather.places(
      named: name, from: service, through: scope.context.network.transport)
    guard let first = places.first else {
      let failure = Message.failure("Place not found: \(.value(name)).", ko: "\(.value(name), .topic) 찾을 수 없습니다.")
      if let near = SpellingSuggester.closest(name, in: PlaceResolver.frequent + (try saved.all().map(\.name))) {
        let line = "weather " + Quoting.quote(near)
        throw CommandError(
          .refused, failure.next("Did you mean \(.command(line))?", ko: "\(.command(line), .object) 뜻하셨나요?"))
      }
      throw CommandError(
        .refused,
        failure
          .next(
            "You can also use coordinates: \(.command("weather 37.57 126.98"))",
            ko: "좌표로도 쓸 수 있습니다: \(.command("weather 37.57 126.98"))"))
    }
    var titles: Set<String> = []
    let different = places.filter { titles.insert($0.title(in: service.language)).inserted }
    guard different.count > 1 else { return first }
    if scope.context.program.asker != nil { return try await chosen(from: different) }
    let others = { (language: MessageLanguage) in
      different.dropFirst().map { $0.title(in: language) + " (" + $0.coordinate.text + ")" }.joined(separator: "; ")
    }
    scope.say(
      .note(
        "Using \(.foreign(first.title(in: .english))). Other places with that name: \(.foreign(others(.english)))",
        ko: "\(.foreign(first.title(in: .korean)))의 날씨입니다. 이름이 같은 다른 곳: \(.foreign(others(.korean)))"))
    return first
  }

  /// Asks the user for one of several places of the same name.
  ///
  /// An empty answer chooses the first, which the service considers most likely.
  private func chosen(from places: [WeatherAPI.Place]) async throws -> WeatherAPI.Place {
    for (index, place) in places.enumerated() {
      let title = Sanitizer.sanitized(place.title(in: scope.session.settings.language))
      scope.context.program.console.writeMessage("  \(index + 1)  \(title)  (\(place.coordinate.text))\n")
    }
    let question = LocalizedText("Which one? [1] ", ko: "어느 곳인가요? [1] ")
    while let reply = await scope.answer(to: question), !ConfirmationPrompt.isNo(reply) {
      if reply.isEmpty { return places[0] }
      if let number = Int(reply), places.indices.contains(number - 1) { return places[number - 1] }
      scope.say(.note("Enter a number from 1 to \(places.count).", ko: "1부터 \(places.count)까지의 숫자입니다."))
    }
    throw CommandError(.blocked, .note("No place was selected.", ko: "장소를 고르지 않았습니다."))
  }
}

/// The places saved in the session's profile.
struct PlaceStore {
  /// The profile, or `nil` for a server without one, for which nothing can be saved.
  let profile: String?
  private let store: ProfileStore

  init(_ scope: CommandScope) {
    profile = scope.session.server.profile?.value
    store = ProfileStore(scope.context.stores.home)
  }

  /// Returns the default place of `weather`.
  func defaultPlace() throws -> WeatherAPI.Place? { try entry()?.place }

  /// Returns the place saved under a name.
  func place(named name: String) throws -> WeatherAPI.Place? {
    try entry()?.places?[name.precomposedStringWithCanonicalMapping]
  }

  func all() throws -> [(name: String, place: WeatherAPI.Place)] {
    (try entry()?.places ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Saves a place as the current one, and optionally with a name.
  func save(_ place: WeatherAPI.Place, as name: String?) throws {
    try change { entry in
      entry.place = place
      if let name {
        entry.places = (entry.places ?? [:]).merging([name.precomposedStringWithCanonicalMapping: place]) { $1 }
      }
    }
  }

  /// Removes a named place, or returns false if there is none.
  func remove(_ name: String) throws -> Bool {
    let name = name.precomposedStringWithCanonicalMapping
    guard let gone = try entry()?.places?[name] else { return false }
    try change { entry in
      entry.places?[name] = nil
      if entry.places?.isEmpty == true { entry.places = nil }
      if entry.place == gone { entry.place = nil }
    }
    return true
  }

  private func entry() throws -> Profile? { try profile.flatMap { try store.load()[$0] } }

  private func change(_ alter: (inout Profile) -> Void) throws {
    guard let profile else { return }
    var entry = try entry() ?? Profile()
    alter(&entry)
    try store.set(profile, entry)
  }
}
