/// The size of a picture: original or thumbnail.
enum PictureSize: String, Hashable, Sendable {
  case original = "origin"
  case thumb
}
