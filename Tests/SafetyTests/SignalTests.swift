import EmbeddedMarket
import Foundation
import TerminalTesting
import TestSupport
import Testing

/// Any signal at any moment of a line that creates, changes and deletes a product: the program exits with the right
/// code or continues, the terminal is restored, and every write is accounted for.
@Suite(.timeLimit(Trial.limit), .startsPrograms) struct SignalTests {
  enum Blow: CaseIterable, Sendable {
    case interrupt, terminate, hangUp, closeWindow, stopAndContinue, resize, quit

    /// The exit code of the program, or `nil` if it continues.
    var code: Int32? {
      switch self {
      case .interrupt, .stopAndContinue, .resize: nil
      case .terminate: 143
      case .hangUp, .closeWindow: 129
      case .quit: 128 + SIGQUIT
      }
    }

    func strike(_ person: Person) async throws {
      switch self {
      case .interrupt: try await person.sends(SIGINT)
      case .terminate: try await person.sends(SIGTERM)
      case .hangUp: try await person.sends(SIGHUP)
      case .closeWindow: try await person.hangsUp()
      case .stopAndContinue:
        try await person.sends(SIGSTOP)
        try await person.sends(SIGCONT)
      case .resize: for _ in 1...20 { try await person.sends(SIGWINCH) }
      case .quit: try await person.sends(SIGQUIT)
      }
    }
  }

  @Test(arguments: Blow.allCases) func everySignalLeavesTerminalAndWritesIntact(_ blow: Blow) async throws {
    try await Town.with { town in
      var dice = SplitMix64(Trial.seed &* 5000)
      for _ in 0..<Trial.count(2, long: 200) {
        let moment = Int.random(in: 0...4, using: &dice)
        let isAnswered = Bool.random(using: &dice)
        let isBefore = Bool.random(using: &dice)
        let trace: Comment = "seed \(Trial.seed): moment \(moment), \(isAnswered), \(isBefore)"
        let person = try await Person(in: town)
        // One request creates, one changes, two delete; at moment 0 nothing is sent.
        let turnstile = town.proxy.hold(moment, isAnswered: isAnswered)
        if moment > 0 {
          try await person.types(town.new("Struck") + " yes; patch _ stock=9 yes; rm _ yes\r")
          await turnstile.isReached()
        }
        if isBefore { try await blow.strike(person) }
        turnstile.open()
        if !isBefore { try await blow.strike(person) }
        if let code = blow.code {
          #expect(try await person.ends() == code, trace)
        } else {
          try await person.seesPrompt()
          #expect(try await person.leaves() == 0, trace)
        }
        // A process that is killed by SIGQUIT, or lost its terminal, can't restore it.
        if blow != .quit, blow != .closeWindow { #expect(try await person.hasItsTerminalBack(), trace) }
        town.proxy.decide { _ in .pass }
        let rest = try await town.run(["resume yes", "status"])
        #expect(rest.errors.hasSuffix("note: No pending changes.\n"), "\(trace) \(rest.errors)")
        await #expect(try town.faults() == [], trace)
      }
    }
  }
}
