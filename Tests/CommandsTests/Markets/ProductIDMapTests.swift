import Catalog
import Commands
import Foundation
import Platform
import TestSupport
import Testing

/// The map of copies says of which generation of both markets they are, also to a home that doesn't know of a reset.
@Suite struct ProductIDMapTests {
  private static func side(_ name: String, _ generation: String?) -> ProductIDMap.Side {
    ProductIDMap.Side(
      name, MarketIdentity(address: "http://\(name)", generation: generation.flatMap { MarketGeneration($0) }))
  }

  private static func withHome(_ body: (AppDirectories) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "openmarket-copies-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(AppDirectories(folder: folder))
  }

  /// The generations when a copy was made and when it is looked up, and whether it is one of before: of the source.
  @Test(
    arguments: [
      ("x.100-1", "y.100-1", "x.100-1", "y.100-1", nil), (nil, nil, "x.100-1", "y.100-1", nil),
      ("x.100-1", "y.100-1", nil, nil, nil), ("x.100-1", "y.100-1", "x.100-1", "y.200-2", false),
      ("x.100-1", "y.100-1", "x.200-2", "y.100-1", true), ("x.100-1", "y.100-1", "x.200-2", "y.200-2", false),
      ("x.100-1", "y.100-1", "x.100-1", "z.100-1", false), (nil, "y.100-1", "x.100-1", "y.200-2", false),
    ] as [(String?, String?, String?, String?, Bool?)])
  func copyIsOfItsGenerations(
    _ source: String?, _ target: String?, _ sourceNow: String?, _ targetNow: String?, _ isOfSource: Bool?
  ) throws {
    try Self.withHome { home in
      let made = try ProductIDMap(from: Self.side("a", source), to: Self.side("b", target), in: home)
      try made.append(Product(id: 1, name: "Cup"), Product(id: 7, name: "Cup"))
      var map = try ProductIDMap(from: Self.side("a", sourceNow), to: Self.side("b", targetNow), in: home)
      #expect(map[1] == (isOfSource == nil ? 7 : nil))
      #expect(map.formerCopy(of: 1)?.isOfSource == isOfSource)
      #expect(map.formerCopy(of: 2) == nil)
      // A new copy is one, and stays one when the market of before is there again.
      try map.append(Product(id: 1, name: "Cup"), Product(id: 9, name: "Cup"))
      map = try ProductIDMap(from: Self.side("a", sourceNow), to: Self.side("b", targetNow), in: home)
      #expect(map[1] == 9 && map.formerCopy(of: 1) == nil)
      map = try ProductIDMap(from: Self.side("a", source), to: Self.side("b", target), in: home)
      #expect(map[1] == (isOfSource == nil ? 9 : 7))
    }
  }

  /// A copy that is recorded under the name that a market had before its reset.
  @Test func copyUnderAFormerNameIsFormer() throws {
    try Self.withHome { home in
      let (source, before) = (Self.side("a", "x.100-1"), Self.side("b", "y.100-1"))
      try ProductIDMap(from: source, to: before, in: home).append(Product(id: 1), Product(id: 7))
      var now = Self.side("b", "y.200-2")
      now.name = "b#y.200-2"
      #expect(try ProductIDMap(from: source, to: now, in: home).formerCopy(of: 1) == nil)
      let map = try ProductIDMap(from: source, to: now, others: ([], [before]), in: home)
      #expect(map[1] == nil && map.formerCopy(of: 1)?.record == before.market)
    }
  }
}
