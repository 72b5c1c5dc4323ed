import CommandLanguage
import Foundation
import Platform
import Presentation
import ShellRuntime
import Text
import WeatherAPI

/// Resolves typed text to a place: a saved name first, then two coordinates, then a name known to the service.
struct PlaceResolver {
  private let scope: CommandScope
  let saved: PlaceStore

  init(_ scope: CommandScope) {
    self.scope = scope
    saved = PlaceStore(scope)
  }

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
    let places = try await scope.context.weather.places(named: name, from: service, through: scope.context.transport)
    guard let first = places.first else {
      throw CommandError(
        .refused,
        .failure("Place not found: \(.value(name)).", ko: "\(.value(name), .topic) 찾을 수 없습니다.")
          .next(
            "You can also use coordinates: \(.command("weather 37.57 126.98"))",
            ko: "좌표로도 쓸 수 있습니다: \(.command("weather 37.57 126.98"))"))
    }
    var titles: Set<String> = []
    let different = places.filter { titles.insert($0.title(in: service.language)).inserted }
    guard different.count > 1 else { return first }
    if scope.context.asker != nil { return try await chosen(from: different) }
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
  /// An empty reply chooses the first, which the service considers most likely.
  private func chosen(from places: [WeatherAPI.Place]) async throws -> WeatherAPI.Place {
    for (index, place) in places.enumerated() {
      let title = Sanitizer.sanitized(place.title(in: scope.session.settings.language))
      scope.context.console.writeMessage("  \(index + 1)  \(title)  (\(place.coordinate.text))\n")
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
    store = ProfileStore(scope.context.home)
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
