import Foundation

/// The result of one of the three requests.
package enum FetchResult<Value: Sendable>: Sendable {
  /// A current response: received now or within the last ten minutes.
  case fresh(Value, received: Date)
  /// An older response, because a new one was not available.
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

extension FetchResult: Equatable where Value: Equatable {}

extension FetchResult: Hashable where Value: Hashable {}
