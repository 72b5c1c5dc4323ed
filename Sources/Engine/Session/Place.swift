import Foundation
import Journal
import Marketplace
import Networking

/// Where the session points: which profile, which server, which edition of the API, and what may be done there.
package struct Place: Hashable, Sendable {
  package static let demo = "demo"

  /// Nil when `--url` is used without a profile.
  package var profile: Sourced<String>?
  /// Nil for the embedded market, whose address is known once it listens.
  package var url: Sourced<URL>?
  /// Nil until the server's answers told.
  package var edition: Sourced<Edition>?
  package var confirm: Sourced<Confirm>
  package var access: Sourced<Access>
  /// `settle` of the profile.
  package var settleSeconds: Int?
  /// Seconds that an answer is waited for; nil is the usual patience.
  package var timeout: Sourced<Int>?
  package var proxy: Sourced<ProxyAddress>?
  /// The file of certificates that are trusted besides the system's.
  package var ca: Sourced<String>?
  /// When a write that was answered is read back.
  package var verify = Sourced(Verification.batchEnd, .standard)

  package init(
    profile: Sourced<String>?, url: Sourced<URL>?, edition: Sourced<Edition>?, confirm: Sourced<Confirm>,
    access: Sourced<Access>
  ) {
    self.profile = profile
    self.url = url
    self.edition = edition
    self.confirm = confirm
    self.access = access
  }

  package var isEmbedded: Bool { url == nil }

  /// The word for it in the prompt and in a diff: the profile's name, or the host.
  package var name: String { profile?.value ?? url?.value.host ?? Place.demo }
}
