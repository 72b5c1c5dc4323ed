import Catalog
import Foundation
import Journal
import Marketplace

/// A batch decided now and made later: frozen changes with the values before them, bound to where they were decided.
package struct PlanFile: Hashable, Sendable {
  /// Where it may be made: nowhere else.
  package struct Place: Hashable, Sendable {
    package var profile: String
    package var baseURL: String
    package var vendor: Int?
    /// Tells one login from another without holding it.
    package var login: String?

    package init(profile: String, baseURL: String, vendor: Int? = nil, login: String? = nil) {
      self.profile = profile
      self.baseURL = baseURL
      self.vendor = vendor
      self.login = login
    }
  }

  package static let version = 1
  /// Bytes; a plan holds the pictures of the products it makes.
  package static let mostBytes = 256 << 20

  package var place: Place
  /// When it was made, in UTC.
  package var made: Timestamp
  /// The line it was made from; for people.
  package var command: String
  package var note: String?
  package var plan: Plan

  package init(place: Place, made: Timestamp, command: String, note: String? = nil, plan: Plan) {
    self.place = place
    self.made = made
    self.command = command
    self.note = note
    self.plan = plan
  }
}

extension PlanFile.Place {
  package init(_ session: Session, at url: URL) {
    let binding = session.binding(at: url)
    self.init(
      profile: binding.profile, baseURL: binding.baseURL, vendor: session.credentials.vendorID,
      login: binding.vendor.isEmpty ? nil : PlanFile.Place.digest(binding.vendor))
  }

  /// FNV-1a: enough to tell logins apart, too little to find one out.
  private static func digest(_ text: String) -> String {
    var hash: UInt32 = 2_166_136_261
    for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
