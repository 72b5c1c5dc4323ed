import Foundation

/// How one of the three requests ended.
package enum WeatherPart<Value: Sendable>: Sendable {
  /// Received then: now, or within the last ten minutes.
  case fresh(Value, received: Date)
  /// An older answer, because a new one could not be had.
  case stale(Value, received: Date, WeatherError)
  case failed(WeatherError)

  package var value: Value? {
    switch self {
    case .fresh(let value, _), .stale(let value, _, _): value
    case .failed: nil
    }
  }

  package var error: WeatherError? {
    switch self {
    case .fresh: nil
    case .stale(_, _, let error), .failed(let error): error
    }
  }

  package var isStale: Bool {
    switch self {
    case .stale: true
    case .fresh, .failed: false
    }
  }
}

extension WeatherPart: Equatable where Value: Equatable {}
extension WeatherPart: Hashable where Value: Hashable {}
