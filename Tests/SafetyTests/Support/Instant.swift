import Foundation
import TestSupport

/// The instant at which a program is killed.
enum Instant: CustomStringConvertible {
  case after(milliseconds: Int)
  /// The n-th request has reached the proxy, which passes it on to the server or drops it.
  case asked(Int, passes: Bool)
  /// The server has applied the n-th request, and the response isn't passed on yet.
  case applied(Int)
  /// A time after the response to the n-th request was passed on.
  case answered(Int, microseconds: Int)

  /// Creates a random instant.
  ///
  /// - Parameters:
  ///   - dice: The random generator.
  ///   - writes: The number of requests that write, of which one is chosen.
  ///   - milliseconds: The latest instant if it is chosen by time alone.
  init(_ dice: inout SplitMix64, writes: Int, within milliseconds: Int) {
    let number = Int.random(in: 1...writes, using: &dice)
    switch Int.random(in: 0..<5, using: &dice) {
    case 0: self = .after(milliseconds: Int.random(in: 5...milliseconds, using: &dice))
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

  /// Arranges that `kill` is called at this instant.
  ///
  /// Returns at once, or after the kill if only time determines it.
  func arm(in town: Town, kill: @escaping @Sendable () -> Void) async {
    switch self {
    case .after(let milliseconds):
      try? await Task.sleep(for: .milliseconds(milliseconds))
      kill()
    case .asked(let number, let passes):
      town.proxy.decide { passage in
        guard passage.number == number else { return .pass }
        kill()
        return passes ? .pass : .cutRequest(0, .reset)
      }
    case .applied(let number):
      town.proxy.decide { $0.number == number ? .answered { kill() } : .pass }
    case .answered(let number, let microseconds):
      town.proxy.decide { passage in
        guard passage.number == number else { return .pass }
        return .delivered {
          usleep(UInt32(microseconds))
          kill()
        }
      }
    }
  }
}
