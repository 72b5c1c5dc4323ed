/// A visitor of the web page, and what it may show.
package struct LandingPageContext: Sendable {
  /// The beginning of the URLs of this server, as the visitor uses it.
  package var base: String
  /// The visitor's `Accept-Language`.
  package var languages: String?
  /// The vendors with their secrets, for the teacher only; `nil` for anyone else.
  package var vendors: [VendorLogin]?
  /// The ids of the products that belong to the demo vendor.
  package var demoProducts: [Int64]
}

/// A visitor of the report of the class.
package struct ClassReportContext: Sendable {
  package var rows: [ClassReportRow]
  /// Indicates that the visitor wants CSV and not a page.
  package var isCSV: Bool
  /// The visitor's `Accept-Language`.
  package var languages: String?
}
