import Catalog

/// The results of earlier commands of a session, to which later ones refer.
package struct LastResults: Hashable, Sendable {
  /// The last product shown, created or changed, for `_`.
  package var product: Product?
  /// The last response to `get` or `raw`, which is `_` until a product is shown.
  package var response: ResponseValue?
  /// The last HTTP status of the market, such as 200 or 404.
  package var httpStatus: Int?
  /// The last failed command, for `explain`.
  package var failure: FailedCommand?
  /// The data printed last, for `expect`.
  package var output: LastOutput?
}
