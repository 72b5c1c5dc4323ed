/// All goods of the sample market.
///
/// Their number must not be divisible by 5, the step in which the market takes them.
enum SampleCatalog {
  static let list = DeviceGoods.list + HomeGoods.list + OutdoorGoods.list
}
