import Foundation

/// Pages of a hundred products in the format of edition `open`, in numbered files.
struct GeneratedPages {
  let folder: String
  let count: Int
  static let rows = 100

  func write() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for number in 1...count {
      let path = folder + "/\(number).json"
      guard FileManager.default.createFile(atPath: path, contents: Data(page(number).utf8)) else {
        throw BenchmarkError.cannotStart(path)
      }
    }
  }

  private func page(_ number: Int) -> String {
    let total = count * GeneratedPages.rows
    let rows = (0..<GeneratedPages.rows).map { row(total - (number - 1) * GeneratedPages.rows - $0) }
    return """
      {"pageNo":\(number),"itemsPerPage":\(GeneratedPages.rows),"totalCount":\(total),\
      "offset":\((number - 1) * GeneratedPages.rows),"limit":\(number * GeneratedPages.rows),"lastPage":\(count),\
      "hasNext":\(number < count),"hasPrev":\(number > 1),"pages":[\(rows.joined(separator: ","))]}
      """
  }

  /// Returns a row.
  ///
  /// Every fortieth has a stock below 5.
  private func row(_ id: Int) -> String {
    let names = ["우유병 텀블러", "Ukulele, Sand", "먹색 게이밍 노트북", "Cotton T-shirt, Sage", "하늘 장우산"]
    let prices = ["3500.0", "47.9", "1665000.0", "17.9", "6.0E7"]
    let (name, price) = (names[id % names.count], prices[id % prices.count])
    return """
      {"id":\(id),"vendor_id":\(id % 40),"vendorName":"vendor\(id % 40)","name":"\(name) \(id)",\
      "description":"사계절 반찬 백 가지. 사진이 좋습니다. Sent in a box within two days.",\
      "thumbnail":"https://s3.ap-northeast-2.amazonaws.com/media.yagom-academy.kr/training-resources/\(id % 40)/20221126/\
      951468784f1a11eda200131c6925\(id)_thumb.jpg","currency":"KRW","price":\(price),"bargain_price":\(price),\
      "discounted_price":0.0,"stock":\(id % 40 == 0 ? id % 5 : 5 + id % 1000),"created_at":"2022-11-26T00:00:00",\
      "issued_at":"2022-11-26T00:00:00"}
      """
  }
}
