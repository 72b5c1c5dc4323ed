/// The path of a request.
enum RequestPath {
  /// Returns the segments of a path; empty ones are ignored.
  static func segments(of path: String) -> [Substring] { path.split(separator: "/") }
}
