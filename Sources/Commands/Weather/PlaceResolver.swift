import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text
import WeatherAPI

/// Resolves typed text to a place: a saved name first, then two coordinates, then a name known to the service.
struct PlaceResolver {
  let session: Session
  let context: CommandContext
  let service: OpenWeather

  /// Returns the place.
  ///
  /// - Throws: `ParseError` for invalid text, `CommandError` for an unknown name, `WeatherError` if the service can't be
  ///   reached.
  func place(_ text: String) async throws -> WeatherAPI.Place {
    if let stored = try PlaceStore(session, context).place(named: text) { return stored }
    switch try input(text) {
    case .coordinate(let point): return WeatherAPI.Place(point)
    case .name(let name): return try await found(name)
    }
  }

  private func input(_ text: String) throws(ParseError) -> PlaceQuery {
    do throws(PlaceError) {
      return try PlaceQuery(text)
    } catch {
      throw ParseError(error)
    }
  }

  private func found(_ name: String) async throws -> WeatherAPI.Place {
    let places = try await context.weather.service.places(named: name, from: service)
    guard let first = places.first else {
      throw CommandError(
        .refused,
        .failure("Place not found: \(.value(name)).", ko: "\(.value(name), .topic) 찾을 수 없습니다.")
          .next(
            "You can also use coordinates: \(.command("weather 37.57 126.98"))",
            ko: "좌표로도 쓸 수 있습니다: \(.command("weather 37.57 126.98"))"))
    }
    let language = service.language
    var titles: Set<String> = []
    let different = places.filter { titles.insert($0.title(in: language)).inserted }
    guard different.count > 1 else { return first }
    if context.asker != nil { return try await PlacePrompt(different, session, context).ask() }
    say(different.dropFirst(), beside: first)
    return first
  }

  private func say(_ others: ArraySlice<WeatherAPI.Place>, beside first: WeatherAPI.Place) {
    let list = { (language: MessageLanguage) in
      others.map { $0.title(in: language) + " (" + $0.coordinate.text + ")" }.joined(separator: "; ")
    }
    context.say(
      .note(
        "Using \(.foreign(first.title(in: .english))). Other places with that name: \(.foreign(list(.english)))",
        ko: "\(.foreign(first.title(in: .korean)))의 날씨입니다. 이름이 같은 다른 곳: \(.foreign(list(.korean)))"), session)
  }
}
