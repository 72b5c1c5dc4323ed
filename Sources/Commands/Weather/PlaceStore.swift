import Foundation
import ShellRuntime
import WeatherAPI

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
