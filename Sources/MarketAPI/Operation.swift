/// The operations of the API.
///
/// Not every edition supports all of them.
package enum Operation: String, Hashable, Sendable, CaseIterable {
  case list
  case search
  /// Requesting another number of rows per page than the server's default.
  case pageSize
  case show
  case create
  case edit
  case chooseThumbnail
  case replacePictures
  /// Trying the password, which shows whether a product is ours.
  case verifyPassword = "askOwnership"
  case fractionalPrices
  case requestDeletion
  case delete
  case checkHealth
}
