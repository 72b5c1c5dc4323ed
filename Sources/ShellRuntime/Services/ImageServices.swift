/// The pictures of products that were fetched.
package struct ImageServices: Sendable {
  package let cache: PictureCache
  /// The time to wait for a picture next to a product, which isn't essential.
  package var timeout = Duration.seconds(5)
}
