import Text

/// One thing about a plan that is probably a slip of the finger.
struct Outlier: Hashable, Sendable {
  var wording: Wording
  /// Which change it is about; nil when it is about all of them together.
  var change: Int?
}
