import Foundation
import Images

/// The distribution of the delays of responses, in milliseconds.
package enum DelayDistribution: Hashable, Sendable {
  case constant(Double)
  case uniform(ClosedRange<Double>)
  case normal(mean: Double, deviation: Double)
  case exponential(mean: Double)

  /// The maximum delay in milliseconds; longer ones are shortened to it.
  package static let maximum = 30_000

  /// Returns a delay in milliseconds, from 0 to `maximum`.
  func milliseconds(using random: inout SeededGenerator) -> Double {
    let delay =
      switch self {
      case .constant(let time): time
      case .uniform(let range): Double.random(in: range, using: &random)
      // The method of Box and Muller.
      case .normal(let mean, let deviation):
        mean + deviation * (-2 * log(1 - unit(&random))).squareRoot() * cos(2 * .pi * unit(&random))
      case .exponential(let mean): -mean * log(1 - unit(&random))
      }
    return min(max(delay, 0), Double(DelayDistribution.maximum))
  }

  private func unit(_ random: inout SeededGenerator) -> Double { Double.random(in: 0..<1, using: &random) }
}
