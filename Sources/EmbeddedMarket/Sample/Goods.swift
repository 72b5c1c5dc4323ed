/// One kind of thing that is sold, in both languages.
struct Goods: Sendable {
  var motif: String
  var korean: String
  var english: String
  var koreanText: String
  var englishText: String
  /// KRW.
  var won: Int64
  /// US cents.
  var cents: Int64
}
