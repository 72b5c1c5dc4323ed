import EmbeddedMarket
import Foundation
import Pacing
import Testing

/// The real program, killed at any instant of a script of writes, loses none and doubles none.
@Suite(.timeLimit(Trial.limit)) struct KillTests {
  private static let lanes = 3

  @Test(arguments: 0..<lanes)
  func everyWriteIsAccountedForAfterSIGKILL(lane: Int) async throws {
    let kills = Trial.count(5, long: 3000 / Self.lanes, variable: "OPENMARKET_KILLS")
    // The whole journal is looked through after each kill, so every town has a number of them and no more.
    for first in stride(from: 1, through: kills, by: Self.killsOfATown) {
      let rounds = first...min(first + Self.killsOfATown - 1, kills)
      try await Town.with { town in
        var dice = SplitMix64(Trial.seed &* 1000 &+ UInt64(lane + Self.lanes * first))
        for round in rounds where try await !kill(round, lane, in: town, &dice) { return }
        Trial.say(
          "kills \(rounds) in lane \(lane), \(try await town.market.effects().count) effects, all accounted for")
      }
    }
  }

  private static let killsOfATown = 50

  /// False when something is not accounted for afterwards.
  private func kill(_ round: Int, _ lane: Int, in town: Town, _ dice: inout SplitMix64) async throws -> Bool {
    if try await town.market.effects().isEmpty {
      await #expect(try town.run((1...3).map { town.new("Standing \($0)") }).code == 0)
    }
    let standing = try await town.market.effects().prefix(3).map(\.product)
    let lines = try script(round, town, standing, &dice)
    let instant = Instant(&dice, writes: lines.count)
    let child = try town.start(lines)
    await instant.kill(child, in: town)
    town.proxy.decide { _ in .pass }
    // What has appeared without an answer is edited before anyone has asked whose it is.
    let edits = Bool.random(using: &dice) ? try await town.newest().map { ["patch \($0) stock+=1"] } : nil
    let (faults, said) = try await town.settle(after: edits ?? [])
    #expect(faults == [], "seed \(Trial.seed), lane \(lane), round \(round), \(instant): \(said)")
    return faults.isEmpty
  }

  /// Creates with pictures, patches, the same relative patch twice, batches of every kind, deletes and undos.
  private func script(_ round: Int, _ town: Town, _ standing: [Int64], _ dice: inout SplitMix64) throws -> [String] {
    let batch = standing.map { String($0) }.joined(separator: ",")
    var lines: [String] = []
    while lines.count < 14 {
      let number = lines.count
      let file = town.folder + "/\(round)-\(number)"
      switch Int.random(in: 0..<8, using: &dice) {
      case 0: lines += [town.new("Thing \(round)-\(number)", pictures: 2), "patch _ stock=\(number + 10)", "undo"]
      case 1: lines += [town.new("Short \(round)-\(number)"), "rm _", "undo", "patch _ price=\(1100 + number)"]
      case 2: lines += ["patch \(batch) stock=\(100 + round % 700 + number)", "undo"]
      case 3: lines += ["patch \(standing[1]) stock+=1", "patch \(standing[1]) stock+=1", "undo"]
      case 4:
        let rows = standing.map { "\($0),\(200 + round % 600 + number)\r\n" }.joined()
        try Data(("id,stock\r\n" + rows).utf8).write(to: URL(fileURLWithPath: file + ".csv"))
        lines += ["import \(file).csv", "patch \(standing[2]) stock+=1"]
      case 5:
        lines += ["plan patch \(batch) price=\(1000 + number) to \(file).json", "apply \(file).json", "undo", "redo"]
      case 6:
        lines += [
          "snapshot s\(round)-\(number)", "patch \(batch) stock+=1", "restore \(batch) stock from s\(round)-\(number)",
        ]
      default: lines += ["patch \(standing[0]) name=\"Name \(round)-\(number)\"", "undo", "redo"]
      }
    }
    return lines
  }
}

extension Town {
  /// The newest product that is still there.
  fileprivate func newest() async throws -> Int64? {
    let effects = try await market.effects()
    let gone = Set(effects.filter { $0.kind == .delete }.map(\.product))
    return effects.last { $0.kind == .create && !gone.contains($0.product) }?.product
  }
}

/// When a shell is killed.
private enum Instant: CustomStringConvertible {
  case after(milliseconds: Int)
  /// When its n-th request stands before the server's door, which it then passes or not.
  case asked(Int, passes: Bool)
  /// When the server has done what the n-th request wants, and the answer is on its way.
  case applied(Int)
  /// A moment after the answer to the n-th request was there.
  case answered(Int, microseconds: Int)

  init(_ dice: inout SplitMix64, writes: Int) {
    let number = Int.random(in: 1...writes, using: &dice)
    switch Int.random(in: 0..<5, using: &dice) {
    case 0: self = .after(milliseconds: Int.random(in: 5...60 * writes, using: &dice))
    case 1: self = .asked(number, passes: true)
    case 2: self = .asked(number, passes: false)
    case 3: self = .applied(number)
    default: self = .answered(number, microseconds: Int.random(in: 0...20_000, using: &dice))
    }
  }

  var description: String {
    switch self {
    case .after(let milliseconds): "after \(milliseconds) ms"
    case .asked(let number, let passes): "at request \(number), which \(passes ? "passes" : "is lost")"
    case .applied(let number): "when request \(number) was applied"
    case .answered(let number, let microseconds): "\(microseconds) us after answer \(number)"
    }
  }

  func kill(_ child: Child, in town: Town) async {
    switch self {
    case .after(let milliseconds):
      try? await Task.sleep(for: .milliseconds(milliseconds))
      child.kill()
    case .asked(let number, let passes):
      town.proxy.decide { passage in
        guard passage.number == number else { return .pass }
        child.kill()
        return passes ? .pass : .cutRequest(0, .reset)
      }
    case .applied(let number):
      town.proxy.decide { $0.number == number ? .answered { child.kill() } : .pass }
    case .answered(let number, let microseconds):
      town.proxy.decide { passage in
        guard passage.number == number else { return .pass }
        return .delivered {
          usleep(UInt32(microseconds))
          child.kill()
        }
      }
    }
    _ = await child.ended()
  }
}
