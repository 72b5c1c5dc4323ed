/// A value stored as a JSON object.
///
/// A `Decodable` type reads it.
protocol JSONObjectEncodable {
  /// Adds the members, in alphabetical order.
  func encode(to object: inout JSONObjectWriter)
}

extension JSONObjectEncodable {
  /// The JSON on one line.
  var json: String { JSONObjectWriter(self).text }
}
