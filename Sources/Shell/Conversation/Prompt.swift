import Engine
import Marketplace
import Presentation
import Text

/// The prompt: where one is, who one is, and whether anything can be written, always in sight.
struct Prompt {
  private let session: Session

  init(_ session: Session) { self.session = session }

  var text: String {
    let isVendor = session.credentials.secret != nil && session.place.knowsVendors
    let vendor = !isVendor ? "" : "@" + (session.credentials.vendorID.map { String($0) } ?? "?")
    let lock = session.place.access.value == .readOnly ? " ro" : ""
    let name = Sanitizer.clean(session.place.name + vendor)
    guard session.settings.colors else { return "\(name)\(lock)> " }
    return "\u{1B}[1;36m\(name)\u{1B}[0m\u{1B}[33m\(lock)\u{1B}[0m> "
  }
}
