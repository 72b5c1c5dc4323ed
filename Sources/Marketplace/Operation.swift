/// What can be asked of a market; not every edition can everything.
package enum Operation: String, Hashable, Sendable, CaseIterable {
  case list
  case search
  /// Asking for another number of rows a page than the server's own.
  case pageSize
  case show
  case create
  case edit
  case chooseThumbnail
  case replacePictures
  /// Whether a product is ours is told by trying the password.
  case askOwnership
  case fractionalPrices
  case requestDeletion
  case delete
  case checkHealth
}
