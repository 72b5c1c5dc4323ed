import Foundation

/// Pages of a hundred products each, as edition `open` spells them, in files named by their number.
struct RecordedPages {
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
    let total = count * RecordedPages.rows
    let rows = (0..<RecordedPages.rows).map { row(total - (number - 1) * RecordedPages.rows - $0) }
    return """
      {"pageNo":\(number),"itemsPerPage":\(RecordedPages.rows),"totalCount":\(total),\
      "offset":\((number - 1) * RecordedPages.rows),"limit":\(number * RecordedPages.rows),"lastPage":\(count),\
      "hasNext":\(number < count),"hasPrev":\(number > 1),"pages":[\(rows.joined(separator: ","))]}
      """
  }

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

/// nginx in front of recorded pages: the fastest market there is.
final class PageServer {
  let url: String
  private let process = Process()

  /// - Parameter folder: holds `pages`, and takes what nginx writes.
  init(folder: String, port: Int) throws {
    url = "http://127.0.0.1:\(port)"
    let configuration = """
      daemon off; worker_processes 1; pid \(folder)/nginx.pid; error_log \(folder)/error.log crit;
      events { worker_connections 256; }
      http {
        access_log off; sendfile on; keepalive_requests 1000000;
        client_body_temp_path \(folder)/t1; proxy_temp_path \(folder)/t2; fastcgi_temp_path \(folder)/t3;
        uwsgi_temp_path \(folder)/t4; scgi_temp_path \(folder)/t5;
        server {
          listen 127.0.0.1:\(port);
          location = /api/products {
            default_type application/json;
            root \(folder);
            try_files /pages/$arg_page_no.json =404;
          }
        }
      }
      """
    try configuration.write(toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
    process.executableURL = URL(fileURLWithPath: "/usr/sbin/nginx")
    process.arguments = ["-p", folder, "-c", folder + "/nginx.conf"]
    try process.run()
    for _ in 0..<100 {
      if (try? TimedRun(["curl", "-sf", "-o", "/dev/null", url + "/api/products?page_no=1"])) != nil { return }
      usleep(50_000)
    }
    stop()
    throw BenchmarkError.didNotAnswer("nginx")
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}
