/// A kind of product in both languages.
struct SampleProduct: Sendable {
  var motif: String
  var korean: String
  var english: String
  var koreanText: String
  var englishText: String
  /// The price in KRW.
  var won: Int64
  /// The price in US cents.
  var cents: Int64
}
