import Catalog
import Engine
import Failures
import Foundation
import Language
import Platform
import Presentation
import Text
import Weather

/// Resolves typed text to a place: a saved name first, then two coordinates, then a name known to the service.
struct PlaceResolver {
  let session: Session
  let context: CommandContext
  let service: OpenWeather

  /// Returns the place.
  ///
  /// - Throws: `ParseError` for invalid text, `CommandError` for an unknown name, `WeatherError` if the service can't be
  ///   reached.
  func place(_ text: String) async throws -> Weather.Place {
    if let kept = try PlaceStore(session, context).sessionWithEdition(text) { return kept }
    switch try input(text) {
    case .coordinate(let point): return Weather.Place(point)
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

  private func found(_ name: String) async throws -> Weather.Place {
    let places = try await context.weather.places(named: name, from: service)
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

  private func say(_ others: ArraySlice<Weather.Place>, beside first: Weather.Place) {
    let list = { (language: MessageLanguage) in
      others.map { $0.title(in: language) + " (" + $0.coordinate.text + ")" }.joined(separator: "; ")
    }
    context.say(
      .note(
        "Using \(.foreign(first.title(in: .english))). Other places with that name: \(.foreign(list(.english)))",
        ko: "\(.foreign(first.title(in: .korean)))의 날씨입니다. 이름이 같은 다른 곳: \(.foreign(list(.korean)))"), session)
  }
}

/// The places saved in the session's profile.
struct PlaceStore {
  private let profile: String?
  private let store: ProfileStore

  init(_ session: Session, _ context: CommandContext) {
    profile = session.server.profile?.value
    store = ProfileStore(context.home)
  }

  /// The profile, or `nil` for a server without one, for which nothing can be saved.
  var profileName: String? { profile }

  /// Returns the default place of `weather`.
  func defaultPlace() throws -> Weather.Place? { try entry()?.place }

  func sessionWithEdition(_ name: String) throws -> Weather.Place? {
    try entry()?.places?[name.precomposedStringWithCanonicalMapping]
  }

  func all() throws -> [(name: String, place: Weather.Place)] {
    (try entry()?.places ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Saves a place as the current one, and optionally with a name.
  func keep(_ place: Weather.Place, as name: String?) throws {
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
