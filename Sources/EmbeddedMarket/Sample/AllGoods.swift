/// Everything the sample market sells; their number shares no factor with 5, which the market counts by.
enum AllGoods {
  static let list = DeviceGoods.list + HomeGoods.list + OutdoorGoods.list
}
