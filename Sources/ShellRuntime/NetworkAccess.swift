import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import WeatherAPI
import WriteJournal

/// The access to markets and other servers: the transports of requests, the embedded market, and what is known of servers.
package struct NetworkAccess: Sendable {
  /// The transport for all requests.
  ///
  /// It shows the spinner while a request is pending.
  package var transport: any Transport
  /// The transport without the spinner, for background requests.
  package var bareTransport: any Transport
  package var embedded: EmbeddedMarketAccess
  package let pagePrefetch: NextPageCache
  package var images: ImageServices
  package var weather: WeatherClient
  /// The decisions about plain `http` to other machines.
  package let plainHTTP = PlainHTTPPolicy()
  /// The generations of markets, as their responses say them.
  package let markets: MarketRegistry
  /// The maximum age of a read product before a write to it is sent.
  package var freshness = PlanRunner.defaultFreshness

  /// Creates the access to servers through a transport.
  ///
  /// - Parameters:
  ///   - transport: The transport, which sends what it is given.
  ///   - embedded: The embedded market.
  ///   - spinner: The spinner that is shown while a request is pending.
  ///   - stores: The stores that record every exchange.
  package init(
    through transport: any Transport, embedded: EmbeddedMarketAccess, showing spinner: Spinner,
    recordingTo stores: Stores, clock: ProgramClock
  ) {
    let markets = MarketRegistry {
      Journal.exists(in: stores.home.journalFolder) ? try stores.journal() : nil
    }
    self.markets = markets
    let (calls, log) = (stores.recording.exchanges, stores.recording.log)
    let guarded = PlainHTTPGuard(transport, policy: plainHTTP)
    func recorded(_ transport: any Transport) -> ObservedTransport {
      ObservedTransport(transport, willSend: { calls?.openFile() }) { exchange in
        guard !exchange.wasBlocked else { return }
        markets.note(exchange)
        calls?.record(exchange)
        log.note(exchange)
      }
    }
    bareTransport = recorded(guarded)
    self.transport = recorded(SpinnerTransport(base: guarded, spinner: spinner))
    self.embedded = embedded
    pagePrefetch = NextPageCache(now: clock.now)
    images = ImageServices(cache: PictureCache(folder: stores.home.cache + "/pictures"))
    weather = WeatherClient(now: clock.now)
  }

  /// Forgets the weather in memory, so that it is requested again.
  package mutating func forgetWeather(now: @escaping @Sendable () -> Date) {
    weather = WeatherClient(isSequential: true, now: now)
  }
}

/// The services for pictures of products.
package struct ImageServices: Sendable {
  package let cache: PictureCache
  /// The time to wait for a picture next to a product, which isn't essential.
  package var timeout = Duration.seconds(5)
}

/// The embedded market, as commands see it.
package struct EmbeddedMarketAccess: Sendable {
  /// Returns its base URL once it is listening.
  package var address: @Sendable (Edition) async throws -> URL
  /// Returns its vendors with their credentials; throws what starting it throws.
  package var vendors: @Sendable () async throws -> [EmbeddedVendor]
  /// Returns the notice about a new address, once.
  package var takeNotice: @Sendable () -> Message?
  /// Returns the last requests of apps whose number is above `number`, oldest first, or `nil` where they aren't known.
  package var received: @Sendable (_ number: Int, Edition) async -> [ReceivedCall]?
  /// Its initial login.
  package var login: DemoLogin?

  package init(
    address: @escaping @Sendable (Edition) async throws -> URL,
    vendors: @escaping @Sendable () async throws -> [EmbeddedVendor] = { [] },
    takeNotice: @escaping @Sendable () -> Message? = { nil },
    received: @escaping @Sendable (_ number: Int, Edition) async -> [ReceivedCall]? = { _, _ in nil },
    login: DemoLogin? = nil
  ) {
    self.address = address
    self.vendors = vendors
    self.takeNotice = takeNotice
    self.received = received
    self.login = login
  }
}
