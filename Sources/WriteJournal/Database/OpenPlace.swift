/// A market where writes are left open, by the name of the profile or address they were written from.
package struct OpenPlace: Hashable, Sendable {
  package let profile: String
  package let baseURL: String
  package var count: Int
}
