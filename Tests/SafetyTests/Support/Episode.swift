import Foundation
import Synchronization
import Testing

/// A sequence of lines, interruptions and other people's changes, with what has to be so in between.
struct Episode: Sendable, CustomTestStringConvertible {
  enum Step: Sendable {
    /// Runs a line in a program of its own. The fates are those of the requests that write, by their numbers; `reads`
    /// are those of the others.
    case line(
      String, code: Int32 = 0, [Int: Program.Fate] = [:], reads: [Int: Program.Fate] = [:], in: String = "own",
      at: String = "shop", answers: [String]? = nil, says: [String] = [], omits: [String] = [])
    /// Runs a line while the log can't grow.
    case withFullDisk(String, code: Int32 = 0, says: [String] = [], omits: [String] = [])
    /// Runs lines as several `-c` do.
    case lines(
      [String], code: Int32 = 0, [Int: Program.Fate] = [:], says: [String] = [], omits: [String] = [])
    /// Runs lines of standard input.
    case pipe([String], code: Int32 = 0, [Int: Program.Fate] = [:], says: [String] = [], omits: [String] = [])
    /// Runs a script, as `-f` does.
    case script(
      String, code: Int32 = 0, [Int: Program.Fate] = [:], in: String = "own", at: String = "shop",
      says: [String] = [], omits: [String] = [])
    case file(String, String)
    /// Copies `~/cup.png`.
    case picture(String)
    /// Replaces a text in a file that exists.
    case edit(String, String, with: String)
    /// Another client sets the stock of a product.
    case foreign(Int64, Int, at: String = "shop")
    /// Another client deletes a product and creates another one, which gets its number.
    case replaced(Int64, at: String = "shop")
    case move(String, to: String)
    /// Copies a home, with the state that it has now.
    case copyHome(String, to: String)
    case pass(hours: Double)
    /// Sets the clock of the home so many hours after the time.
    case clock(hours: Double)
    case stock(Int64, Int, at: String = "shop")
    case discount(Int64, Int)
    case count(String, Int, at: String = "shop")
    case contains(String, String, Bool = true)
  }

  var testDescription: String
  var markets = ["shop"]
  var steps: [Step]

  init(_ name: String, markets: [String] = ["shop"], _ steps: [Step]) {
    (testDescription, self.markets, self.steps) = (name, markets, steps)
  }

  /// The last line is killed at a request that writes.
  static func kill(_ number: Int, applied: Bool) -> [Int: Program.Fate] { [number: .killed(applied: applied)] }

  /// The same fate of every request.
  static func every(_ fate: Program.Fate) -> [Int: Program.Fate] {
    Dictionary(uniqueKeysWithValues: (1...30).map { ($0, fate) })
  }

  /// Performs the steps and records what isn't so, with everything that was printed.
  ///
  /// - Returns: The conversation: the lines, what was printed, and the exit statuses.
  @discardableResult func play() async throws -> String {
    let conversation = Mutex("")
    try await Shop.with(markets) { shop in
      try shop.writePicture()
      var trace = ""
      var isWrong = false
      func expect(_ condition: Bool, _ what: String) {
        guard !condition else { return }
        isWrong = true
        trace += "#### WRONG: \(what)\n"
      }
      func check(
        _ ended: Program.Ended, _ code: Int32, _ fates: some Collection<Program.Fate>, _ says: [String],
        _ omits: [String]
      ) {
        trace += ended.said + "= \(ended.code)\n"
        let isKilled = fates.contains { if case .killed = $0 { true } else { false } }
        expect(ended.code == (isKilled ? -9 : code), "exit status \(isKilled ? -9 : code) expected")
        for text in says { expect(ended.said.contains(text), "'\(text)' is missing") }
        for text in omits { expect(!ended.said.contains(text), "'\(text)' is said") }
      }
      for step in steps {
        switch step {
        case .line(let line, let code, let fates, let reads, let home, let profile, let answers, let says, let omits):
          trace += "\(home)@\(profile)> \(line)\n"
          let ended = try await shop.run(line, in: home, at: profile, answers: answers) {
            ($0.isWrite ? fates : reads)[$0.number] ?? .normal
          }
          check(ended, code, Array(fates.values) + Array(reads.values), says, omits)
        case .withFullDisk(let line, let code, let says, let omits):
          trace += "full disk> \(line)\n"
          let ended = try await shop.run(line, in: try shop.start(hasFullDisk: true))
          check(ended, code, [], says, omits)
        case .lines(let lines, let code, let fates, let says, let omits):
          trace += "own@shop> \(lines.map { "-c '\($0)'" }.joined(separator: " "))\n"
          let program = try shop.start { $0.isWrite ? fates[$0.number] ?? .normal : .normal }
          check(try await shop.run(lines: lines, in: program), code, fates.values, says, omits)
        case .pipe(let lines, let code, let fates, let says, let omits):
          trace += "own@shop> < \(lines.joined(separator: "\n"))\n"
          let program = try shop.start { $0.isWrite ? fates[$0.number] ?? .normal : .normal }
          check(try await shop.run(standardInput: lines, in: program), code, fates.values, says, omits)
        case .script(let name, let code, let fates, let home, let profile, let says, let omits):
          trace += "\(home)@\(profile)> -f \(name)\n"
          let program = try shop.start(in: home, at: profile) { $0.isWrite ? fates[$0.number] ?? .normal : .normal }
          let ended = try await shop.run(script: name, in: program)
          check(ended, code, fates.values, says, omits)
        case .file(let name, let text): try shop.write(name, text)
        case .picture(let name):
          try FileManager.default.copyItem(atPath: shop.folder + "/cup.png", toPath: shop.folder + "/" + name)
        case .edit(let name, let old, let new):
          let text = try shop.text(name)
          expect(text.contains(old), "\(name) contains \(old): \(text)")
          try shop.write(name, text.replacing(old, with: new))
        case .foreign(let id, let stock, let profile):
          trace += "# Another client sets the stock of \(id) to \(stock).\n"
          try shop.set(stock: stock, of: id, at: profile)
        case .replaced(let id, let profile): try shop.replace(id, at: profile)
        case .move(let name, let other):
          try FileManager.default.moveItem(atPath: shop.folder + "/" + name, toPath: shop.folder + "/" + other)
        case .copyHome(let name, let other):
          trace += "# The home \(name) is copied to \(other).\n"
          try shop.copyHome(name, to: other)
        case .pass(let hours): shop.clock.advance(hours * 3_600)
        case .clock(let hours): shop.clock.set(hours * 3_600, in: "own")
        case .stock(let id, let stock, let profile):
          let now = try shop.rows(at: profile)[id]?.stock
          expect(now == stock, "stock of \(id) is \(now.map(String.init) ?? "gone"), not \(stock)")
        case .discount(let id, let discount):
          let now = try shop.rows()[id]?.discount
          expect(now == discount, "discount of \(id) is \(now.map(String.init) ?? "gone"), not \(discount)")
        case .count(let name, let count, let profile):
          let now = try shop.rows(at: profile).values.count { $0.name == name }
          expect(now == count, "\(now) products \(name), not \(count)")
        case .contains(let name, let text, let isSo):
          expect(
            try shop.text(name).contains(text) == isSo,
            "\(name) \(isSo ? "lacks" : "has") \(text): \(try shop.text(name))")
        }
      }
      if isWrong { Issue.record("\(testDescription)\n\(trace)") }
      conversation.withLock { $0 = trace }
    }
    return conversation.withLock { $0 }
  }
}
