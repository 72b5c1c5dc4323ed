/// A visitor of the web page, and the vendors to show.
package struct LandingPageContext: Sendable {
  /// The scheme and authority that the visitor used.
  package var base: String
  /// The visitor's `Accept-Language`.
  package var languages: String?
  package var vendors: [VendorLogin]
}
