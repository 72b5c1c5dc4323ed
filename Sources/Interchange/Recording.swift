import Catalog
import Failures
import Foundation
import Marketplace
import Networking
import Platform
import Presentation
import Text

/// A file of exchanges: where they were had, by whom and when, and each of them.
package struct Recording: Sendable {
  package static let version = 1

  /// Of the market, also when that was the embedded one.
  package var base: URL
  package var isEmbedded: Bool
  package var edition: Edition?
  package var vendorID: Int?
  /// When the recording began; a replay stands at that moment.
  package var began: Date
  package var exchanges: [RecordedExchange]

  /// - Throws: `Failure` that says which line is no recording; `FileError` where the file cannot be read.
  package init(_ path: String) throws {
    guard let text = try Files.text(path, limit: 256 << 20) else {
      throw FileError.cannotRead(path: path, errno: ENOENT)
    }
    let lines = text.split(separator: "\n")
    guard let head = (lines.first.flatMap { try? JSON(parsing: Data($0.utf8)) })?.object,
      (try? head.string("openmarket")) == "recording", (try? head.int("version")) == Recording.version,
      let base = (try? head.string("base")).flatMap({ URL(string: $0) })
    else { throw Recording.unreadable(path, line: 1) }
    let began = (try? head.int("began")) ?? 0
    // A replay shows this time, and its days are counted from it.
    guard Timestamp.countable.contains(Int64(began)) else { throw Recording.unreadable(path, line: 1) }
    self.base = base
    isEmbedded = (try? head.bool("embedded")) ?? false
    edition = (try? head.string("edition")).flatMap { Edition(rawValue: $0) }
    vendorID = try? head.int("vendor_id")
    self.began = Date(timeIntervalSince1970: TimeInterval(began))
    exchanges = []
    for (index, line) in lines.enumerated().dropFirst() {
      guard let json = try? JSON(parsing: Data(line.utf8)), let exchange = RecordedExchange(json) else {
        throw Recording.unreadable(path, line: index + 1)
      }
      exchanges.append(exchange)
    }
  }

  /// The first line of a recording that begins now.
  package static func head(base: URL, isEmbedded: Bool, edition: Edition?, vendorID: Int?, now: Date) -> JSON {
    var members: [(String, JSON)] = [
      ("openmarket", .string("recording")), ("version", .int(version)), ("base", .string(base.absoluteString)),
      ("embedded", .bool(isEmbedded)),
      ("began", .int(Int(exactly: now.timeIntervalSince1970.rounded(.down)) ?? 0)),
    ]
    if let edition { members.append(("edition", .string(edition.rawValue))) }
    if let vendorID { members.append(("vendor_id", .int(vendorID))) }
    return .object(members)
  }

  private static func unreadable(_ path: String, line: Int) -> Failure {
    Failure(
      .misread,
      .failure("\(.value(path)) is not a recording.", ko: "\(.value(path), .topic) 녹화 파일이 아닙니다.")
        .because("Cannot read line \(line).", ko: "\(line)번째 줄을 읽을 수 없습니다.")
        .next("Run \(.command("record FILE")) to create a recording.", ko: "\(.command("record 파일"))로 만듭니다."))
  }
}
