import Foundation
import Glibc
import TestSupport
import Testing

@testable import EmbeddedMarket

/// The disk space of a market is limited.
@Suite(.serialized, .timeLimit(Trial.limit)) struct StorageQuotaTests {
  /// A vendor cannot take more than its share, in many products, pictures or one long text, and has it again after deletions.
  @Test func vendorHasAQuota() async throws {
    let full = #"{"code":507,"message":"The products of the vendor would take more than 1 MB. Delete some of them"}"#
    try await Market.with(adjust: { $0.storage.vendorBytes = 1_000_000 }) { market in
      func create(_ bytes: Int) async throws -> Conversation.Answer {
        let parts = [
          Parts.text("params", Parts.params), Parts.file("images", "a.bin", Data(repeating: 7, count: bytes)),
        ]
        return try await market.form("POST", "/api/products", Parts.close(parts))
      }
      #expect(try await create(600_000).status == 201)
      #expect(try await create(600_000).line == "507 " + full)
      #expect(try await create(300_000).status == 201)
      let long = #"{"description":"\#(String(repeating: "a", count: 200_000))","secret":"\#(Market.demo.secret)"}"#
      #expect(try await market.json("PATCH", "/api/products/1", long).line == "507 " + full)
      let short = #"{"stock":9,"secret":"\#(Market.demo.secret)"}"#
      #expect(try await market.json("PATCH", "/api/products/1", short).status == 200)
      try await delete(1, market)
      #expect(try await create(600_000).status == 201)
    }
  }

  private func delete(_ id: Int, _ market: Market) async throws {
    let token = try await market.json("POST", "/api/products/\(id)/archived", #"{"secret":"\#(Market.demo.secret)"}"#)
    #expect(token.status == 200, "\(token)")
    let answer = try await market.ask("DELETE", token.text, headers: ["identifier: \(Market.demo.identifier)"])
    #expect(answer.status == 200, "\(answer)")
  }

  @Test(
    arguments: [
      (999_999_999, 500_000_000_000, false), (1_000_000_000, 500_000_000_000, true), (49, 1000, false),
      (50, 1000, true),
    ] as [(Int64, Int64, Bool)])
  func nearlyFullDiskTakesNothing(_ free: Int64, _ size: Int64, _ isTaken: Bool) throws {
    let folder = NSTemporaryDirectory() + "room-" + UUID().uuidString
    mkdir(folder, 0o700)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var quota = StorageQuota(limits: StorageLimits(keepsDiskFree: true), folder: folder)
    quota.disk = { _ in (free, size) }
    if isTaken {
      try quota.checkDisk()
    } else {
      #expect(throws: MarketHTTPError.self) { try quota.checkDisk() }
    }
    #expect(FileManager.default.fileExists(atPath: folder + "/reserve") == isTaken)
  }

  /// Mounting requires privileges.
  private static let canMount: Bool = {
    let place = NSTemporaryDirectory() + "openmarket-mount-" + UUID().uuidString
    mkdir(place, 0o700)
    defer { rmdir(place) }
    guard mount("tmpfs", place, "tmpfs", 0, "size=256k") == 0 else { return false }
    return umount2(place, 2) == 0
  }()

  /// On a full disk nothing is created or changed, everything is read, and products are deleted.
  @Test(.enabled(if: canMount, "a file system is mounted by root only")) func fullDiskAllowsDeletions() async throws {
    let place = NSTemporaryDirectory() + "full-" + UUID().uuidString
    mkdir(place, 0o700)
    try #require(mount("tmpfs", place, "tmpfs", 0, "size=48m,mode=0700") == 0)
    defer {
      umount2(place, 2)
      rmdir(place)
    }
    try await Market.with(in: place + "/market", adjust: { $0.storage.keepsDiskFree = true }) { market in
      for _ in 0..<4 { #expect(try await market.create(Parts.params, images: 2).status == 201) }
      let file = open(place + "/filler", O_WRONLY | O_CREAT, 0o600)
      let block = [UInt8](repeating: 1, count: 65_536)
      while write(file, block, block.count) == block.count {}
      while write(file, block, 1) == 1 {}
      close(file)
      let refused = try await market.create(Parts.params)
      #expect(refused.status == 507 && refused.text.contains("nearly full"), "\(refused)")
      let change = #"{"stock":9,"secret":"\#(Market.demo.secret)"}"#
      #expect(try await market.json("PATCH", "/api/products/1", change).status == 507)
      #expect(try await market.get("/api/products/1").status == 200)
      for id in 1...4 { try await delete(id, market) }
      #expect(try await market.get("/api/products/1").status == 404)
    }
  }
}
