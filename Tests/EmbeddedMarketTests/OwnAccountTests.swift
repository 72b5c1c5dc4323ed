import Foundation
import Glibc
import NIOCore
import TestSupport
import Testing

@testable import EmbeddedMarket

/// The market of a shell serves its own account only.
@Suite(.timeLimit(Trial.limit)) struct OwnAccountTests {
  private static let list = """
      sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
       0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0000000000000000 100 0 0 10 0
       1: 0100007F:1F90 0100007F:A000 01 00000000:00000000 00:00000000 00000000  1000        0 12 1 0000000000000000 20 4 30 10 -1
       2: 0100007F:A000 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 13 1 0000000000000000 20 4 30 10 -1
       3: 0100007F:A001 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 14 1 0000000000000000 20 4 30 10 -1
       4: 0100007F:A002 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 15 1 0000000000000000 20 4 30 10 -1
       5: 0100007F:A003 0100007F:1F90 05 00000000:00000000 00:00000000 00000000     0        0 0 1 0000000000000000 20 4 30 10 -1
       6: 0100007F:A004 0100007F:1F91 01 00000000:00000000 00:00000000 00000000  1000        0 16 1 0000000000000000 20 4 30 10 -1
       7: 0200007F:A005 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 17 1 0000000000000000 20 4 30 10 -1
       8: 0100007F:A006
    """

  /// The client's own row counts, not the server's; a closed socket has no owner.
  @Test(
    arguments: [
      ("127.0.0.1", 0xA000, true), ("127.0.0.1", 0xA001, false), ("127.0.0.1", 0xA002, true),
      ("127.0.0.1", 0xA003, false),
      ("127.0.0.1", 0xA004, nil), ("127.0.0.2", 0xA005, true), ("127.0.0.1", 0xA005, nil), ("127.0.0.1", 0xA006, nil),
      ("127.0.0.1", 0x1F90, nil), ("::1", 0xA000, nil),
    ] as [(String, Int, Bool?)])
  func ownerOfASocketIsItsRow(_ host: String, _ port: Int, _ isOwn: Bool?) throws {
    let client = try SocketAddress(ipAddress: host, port: port)
    let server = try SocketAddress(ipAddress: "127.0.0.1", port: 0x1F90)
    #expect(OwnAccount.owns(client, connectedTo: server, in: Data(Self.list.utf8), account: 1000) == isOwn)
  }

  @Test func ownAccountIsServed() async throws {
    try await Market.with(adjust: { $0.servesOwnAccountOnly = true }) { market in
      let (list, created) = (try await market.get("/api/products"), try await market.create(Parts.params))
      #expect((list.status, created.status) == (200, 201))
    }
  }

  /// Another account of the machine neither reads nor writes.
  @Test(.enabled(if: geteuid() == 0, "only root runs a program of another account"))
  func otherAccountIsRefused() async throws {
    try await Market.with(adjust: { $0.servesOwnAccountOnly = true }) { market in
      let other = Process()
      other.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
      other.arguments = [
        "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/curl", "-s", "-w", " %{http_code}",
        market.url.absoluteString + "/api/products",
      ]
      let output = Pipe()
      other.standardOutput = output
      try other.run()
      let text = String(
        decoding: try await onThread { output.fileHandleForReading.readDataToEndOfFile() }, as: UTF8.self)
      #expect(text.contains("serves only the account that started it") && text.hasSuffix(" 403"), "\(text)")
    }
  }

  private func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws -> Value {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: work()) }
    }
  }
}
