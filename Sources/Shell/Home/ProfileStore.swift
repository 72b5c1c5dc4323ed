import Foundation
import TOMLKit

/// The profiles a person keeps: read at the start, written when one is added, changed or removed.
package struct ProfileStore: Sendable {
  private struct File: Codable {
    var profiles: [String: Profile]
  }

  private let path: String

  package init(_ home: Home) { path = home.profilesFile }

  /// Every profile by name; `demo` is always among them.
  package func load() throws(FileError) -> [String: Profile] {
    var profiles: [String: Profile] = [:]
    if let text = try Files.text(path) {
      do {
        profiles = try TOMLDecoder().decode(File.self, from: text).profiles
      } catch {
        throw .malformed(path: path, reason: String(describing: error))
      }
    }
    if profiles[Place.demo] == nil { profiles[Place.demo] = ProfileStore.demo }
    // Always the market inside the program, whatever an edited file says: it is what starts where nothing is told.
    profiles[Place.demo]?.url = nil
    return profiles
  }

  /// One profile; nil where none has the name. A home that keeps no profiles has `demo` alone.
  package func profile(named name: String) throws(FileError) -> Profile? {
    guard try Files.text(path) != nil else { return name == Place.demo ? ProfileStore.demo : nil }
    return try load()[name]
  }

  private static let demo = Profile(confirm: .bulk)

  /// Sets or removes one; every other stays as it is, whichever shell changes it meanwhile.
  package func set(_ name: String, _ profile: Profile?) throws(FileError) {
    try Files.alone(at: path) { () throws(FileError) in
      var profiles = try load()
      profiles[name] = profile
      try save(profiles)
    }
  }

  /// Learns something about a profile, as long as it is still at the server that told it.
  func learn(about name: String, at address: URL?, _ alter: (inout Profile) -> Void) throws(FileError) {
    try Files.alone(at: path) { () throws(FileError) in
      var profiles = try load()
      guard var profile = profiles[name], profile.isAt(address) else { return }
      alter(&profile)
      profiles[name] = profile
      try save(profiles)
    }
  }

  package func save(_ profiles: [String: Profile]) throws(FileError) {
    try Files.makeFolder(Paths.parent(of: path))
    do {
      let text = try TOMLEncoder().encode(File(profiles: profiles))
      try Files.write(Data((text + "\n").utf8), to: path, mode: 0o600)
    } catch let error as FileError {
      throw error
    } catch {
      throw .malformed(path: path, reason: String(describing: error))
    }
  }
}
