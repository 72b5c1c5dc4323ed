import Foundation
import Images

@testable import EmbeddedMarket

/// Multipart bodies as the clients in the captures write them.
enum Parts {
  static let params =
    #"{"name":"우유병","description":"열 글자 이상의 설명입니다","price":3500,"currency":"KRW","discounted_price":100,"stock":2,"secret":"\#(Market.demo.secret)"}"#

  static let picture =
    (try? Bitmap(width: 32, height: 16, fill: Pixel(red: 200, green: 40, blue: 40)).jpeg(quality: 80)) ?? Data()

  static func product(_ params: String, images: Int) -> Data {
    let files = (0..<images).map { file("images", "image\($0).jpeg") }
    return close([text("params", params)] + files)
  }

  static func text(_ name: String, _ value: String) -> Data {
    Data("Content-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)".utf8)
  }

  static func file(_ name: String, _ fileName: String, _ content: Data = picture) -> Data {
    let head =
      "Content-Disposition: form-data; name=\"\(name)\"; filename=\"\(fileName)\"\r\nContent-Type: image/jpeg\r\n\r\n"
    return Data(head.utf8) + content
  }

  static func close(_ parts: [Data], boundary: String = "XYZ") -> Data {
    var body = Data()
    for part in parts { body += Data("--\(boundary)\r\n".utf8) + part + Data("\r\n".utf8) }
    return body + Data("--\(boundary)--\r\n".utf8)
  }
}
