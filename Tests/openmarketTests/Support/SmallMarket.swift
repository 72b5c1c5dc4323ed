/// The responses of a market with one product, 42, of vendor 15.
enum SmallMarket {
  static let product = #"""
    {"id":42,"vendor_id":15,"name":"우유병 텀블러","description":"뚜껑이 꼭 맞습니다.","thumbnail":"http://127.0.0.1:9/t.jpg",\#
    "currency":"KRW","price":3500.0,"bargain_price":3400.0,"discounted_price":100.0,"stock":2,\#
    "created_at":"2022-10-18T00:00:00","issued_at":"2022-10-18T00:00:00","images":[{"id":35,\#
    "url":"http://127.0.0.1:9/o.jpg","thumbnail_url":"http://127.0.0.1:9/t.jpg","issued_at":"2022-10-18T00:00:00"}],\#
    "vendors":{"id":15,"name":"red123"}}
    """#
  static let row = #"""
    {"id":42,"vendor_id":15,"vendorName":"red123","name":"우유병 텀블러","description":"뚜껑이 꼭 맞습니다.",\#
    "thumbnail":"http://127.0.0.1:9/t.jpg","currency":"KRW","price":3500.0,"bargain_price":3400.0,\#
    "discounted_price":100.0,"stock":2,"created_at":"2022-10-18T00:00:00","issued_at":"2022-10-18T00:00:00"}
    """#
  static let page = #"""
    {"pageNo":1,"itemsPerPage":20,"totalCount":1,"offset":0,"limit":20,"lastPage":1,"hasNext":false,\#
    "hasPrev":false,"pages":[\#(row)]}
    """#

  /// Returns the response to a read.
  ///
  /// A write also gets a response, so that only the count of requests shows that none was sent.
  static func answer(_ request: RecordingServer.Request) -> String? {
    let path = request.line.split(separator: " ").last.map(String.init) ?? ""
    if path.hasPrefix("/api/products?") { return reply("200 OK", page) }
    if path == "/api/products/42" { return reply("200 OK", product) }
    if path == "/healthChecker" { return reply("200 OK", "OK", type: "text/plain") }
    return reply("404 Not Found", #"{"code":"NOT_FOUND","message":"nothing here"}"#)
  }

  /// The environment of its vendor.
  static let vendor = [
    "OPENMARKET_IDENTIFIER": "4c1f8d60", "OPENMARKET_SECRET": "sesame", "OPENMARKET_VENDOR_ID": "15",
  ]
}
