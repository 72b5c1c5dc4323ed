import Engine
import Foundation
import Weather

/// The places kept with the session's profile.
struct PlaceBook {
  private let profile: String?
  private let store: ProfileStore

  init(_ session: Session, _ context: Context) {
    profile = session.place.profile?.value
    store = ProfileStore(context.home)
  }

  /// Nil where nothing can be kept: a server without a profile.
  var owner: String? { profile }

  /// Where `weather` looks when no place is named.
  func current() throws -> Weather.Place? { try entry()?.place }

  func named(_ name: String) throws -> Weather.Place? {
    try entry()?.places?[name.precomposedStringWithCanonicalMapping]
  }

  func all() throws -> [(name: String, place: Weather.Place)] {
    (try entry()?.places ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Keeps a place as the current one, and by a name where one is given.
  func keep(_ place: Weather.Place, as name: String?) throws {
    try change { entry in
      entry.place = place
      if let name {
        entry.places = (entry.places ?? [:]).merging([name.precomposedStringWithCanonicalMapping: place]) { $1 }
      }
    }
  }

  /// False when there is no such name.
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
