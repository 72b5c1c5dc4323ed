import EmbeddedMarket
import Foundation
import Text

/// The lines that a served market prints for its teacher.
struct ServerGreeting {
  let edition: ServedEdition
  /// The URLs without a trailing slash, the best one first.
  let addresses: [String]
  let vendors: [VendorLogin]
  let key: TeacherKey

  private var address: String { addresses.first ?? "" }

  /// The lines: `openmarket serving …`, further addresses, one for each vendor, the login of the first, the teacher's
  /// pages, the OpenAPI document and an example.
  var lines: [String] {
    ["openmarket serving \(edition.rawValue) at \(address)"] + addresses.dropFirst().map { "also at \($0)" }
      + vendors.map(line) + loginExports + [
        "teacher \(address)/?key=\(key.text)", "class \(address)/class?key=\(key.text)",
        "openapi \(address)/openapi.json",
        RequestExamples(edition: edition, base: address).read,
      ]
  }

  private func line(_ vendor: VendorLogin) -> String {
    edition.hasVendors
      ? "vendor_id=\(vendor.vendorID) identifier=\(vendor.identifier) secret=\(vendor.secret) name=\(vendor.name)"
      : "password=\(vendor.secret)"
  }

  /// The assignments of variables from which the shell, and the `curl` lines of the page, take the first vendor.
  private var loginExports: [String] {
    guard let vendor = vendors.first else { return [] }
    let who = [("IDENTIFIER", vendor.identifier), ("VENDOR_ID", String(vendor.vendorID))]
    return ((edition.hasVendors ? who : []) + [("SECRET", vendor.secret)]).map { "export OPENMARKET_\($0)='\($1)'" }
  }
}
