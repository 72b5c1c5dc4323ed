/// A picture as it was sent, or small.
enum PictureSize: String, Hashable, Sendable {
  case origin
  case thumb
}
