import NIOCore
import Synchronization

/// The open connections of a server.
///
/// It chooses one to close if there are too many.
///
/// A request that was read is always served. A connection that waits for a head is closed, or one whose body makes no
/// progress. Addresses with many connections lose them first, so that no client can exclude others.
final class ConnectionTable: Sendable {
  enum Phase: Sendable {
    /// Waiting for the first or the next head.
    case waiting
    /// Receiving the body of a request.
    case receiving
    /// A request is complete and its response is not sent yet.
    case serving
  }

  private struct Connection {
    let channel: any Channel
    let address: String
    var phase = Phase.waiting
    /// The start of the phase, or the last progress of the body.
    var stateChangedAt = NIODeadline.now()
  }

  private let limits: ServerLimits
  private struct State {
    var connections: [ObjectIdentifier: Connection] = [:]
    /// Indicates that there are too many connections and none may be closed yet.
    var isWaiting = false
  }

  private let state = Mutex(State())

  init(_ limits: ServerLimits) { self.limits = limits }

  func add(_ channel: any Channel) {
    state.withLock {
      $0.connections[ObjectIdentifier(channel)] = Connection(
        channel: channel, address: channel.remoteAddress?.ipAddress ?? "")
    }
    makeRoom(on: channel.eventLoop)
  }

  func remove(_ channel: any Channel) {
    _ = state.withLock { $0.connections.removeValue(forKey: ObjectIdentifier(channel)) }
  }

  /// Records the phase of a connection, or the progress of its body.
  func enter(_ phase: Phase, _ channel: any Channel) {
    state.withLock {
      $0.connections[ObjectIdentifier(channel)]?.phase = phase
      $0.connections[ObjectIdentifier(channel)]?.stateChangedAt = .now()
    }
  }

  /// Closes a connection of an address that exceeds its share, or one if the next could not be accepted; checks again
  /// later if that is not enough.
  private func makeRoom(on eventLoop: any EventLoop) {
    let (closed, looksAgain) = state.withLock { state in
      let closed = victim(among: state.connections).flatMap { state.connections.removeValue(forKey: $0) }
      let looksAgain = isFull(state.connections) && !state.isWaiting
      if looksAgain { state.isWaiting = true }
      return (closed?.channel, looksAgain)
    }
    closed?.close(promise: nil)
    guard looksAgain else { return }
    eventLoop.scheduleTask(in: limits.graceTime) {
      self.state.withLock { $0.isWaiting = false }
      self.makeRoom(on: eventLoop)
    }
  }

  private func isFull(_ connections: [ObjectIdentifier: Connection]) -> Bool {
    connections.count >= limits.connections
      || shares(of: connections).contains { $0.count > limits.connectionsPerAddress }
  }

  /// Returns the connections of each address, the address with the most first.
  private func shares(of connections: [ObjectIdentifier: Connection]) -> [[ObjectIdentifier]] {
    Dictionary(grouping: connections.keys) { connections[$0]?.address ?? "" }.values.sorted { $0.count > $1.count }
  }

  private func victim(among connections: [ObjectIdentifier: Connection]) -> ObjectIdentifier? {
    let shares = shares(of: connections)
    let large = shares.filter { $0.count > limits.connectionsPerAddress }
    for keys in connections.count >= limits.connections ? shares : large {
      if let key = victim(of: keys, connections) { return key }
    }
    return nil
  }

  /// Returns the connection that has waited longest for a head, or else the one whose body has made no progress for
  /// longest; `nil` if every request is being served.
  private func victim(
    of keys: [ObjectIdentifier], _ connections: [ObjectIdentifier: Connection]
  ) -> ObjectIdentifier? {
    let now = NIODeadline.now()
    let candidates = keys.compactMap { key -> (key: ObjectIdentifier, rank: Int, since: NIODeadline)? in
      guard let connection = connections[key] else { return nil }
      switch connection.phase {
      case .waiting where connection.stateChangedAt + limits.graceTime <= now:
        return (key, 0, connection.stateChangedAt)
      case .receiving where connection.stateChangedAt + limits.stalledBodyTime <= now:
        return (key, 1, connection.stateChangedAt)
      case .waiting, .receiving, .serving: return nil
      }
    }
    return candidates.min { ($0.rank, $0.since) < ($1.rank, $1.since) }?.key
  }
}
