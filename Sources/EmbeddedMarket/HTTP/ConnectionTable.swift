import NIOCore
import Synchronization

/// The open connections of a server.
///
/// It chooses one to close if there are too many, so that no client can exclude others: a connection without a request
/// of an address with too many such connections; when the server is nearly full, a connection of an address that has
/// more than its share; when it is full, one of the address with the most. The connection that has been idle for longest is closed
/// first. A request that was read is always served.
///
/// A class whose router translates addresses has one address, so an address may have any number of connections while
/// the server is not nearly full.
final class ConnectionTable: Sendable {
  enum Phase: Sendable {
    /// Open, without a byte yet.
    case silent
    /// Waiting for the rest of the first head, or for the next one.
    case waiting
    /// Receiving the body of a request.
    case receiving
    /// A request is complete and its response is not sent yet.
    case serving
  }

  /// The event that informs the handler of a connection that it is closed in favor of others.
  struct Eviction: Sendable {
    var kind: ConnectionNotice.Kind
  }

  /// A connection in the table.
  struct Key: Hashable, Sendable {
    let address: String
    fileprivate let id: ObjectIdentifier

    fileprivate init(address: String, id: ObjectIdentifier) { (self.address, self.id) = (address, id) }

    /// Creates the key of an open connection.
    init(_ channel: any Channel) { self.init(address: channel.clientAddress, id: ObjectIdentifier(channel)) }
  }

  fileprivate struct Connection {
    let channel: any Channel
    let number: Int
    var phase = Phase.silent
    /// The start of the phase, or the last progress of the body.
    var stateChangedAt = NIODeadline.now()
    var bodyBytes = 0
  }

  fileprivate struct Client {
    var connections: [ObjectIdentifier: Connection] = [:]
    /// The number of connections that have not sent a byte.
    var silentCount = 0
    /// The connections that had not sent a byte when they were added, the oldest first.
    var added = CircularBuffer<ObjectIdentifier>()
  }

  fileprivate struct Report {
    var closedCount = 0
    /// The address of the connection that was closed last.
    var address = ""
    var lastAt: NIODeadline?
  }

  fileprivate struct State {
    var clients: [String: Client] = [:]
    var count = 0
    /// The number of connections that were ever added.
    var addedCount = 0
    var bodyBytes = 0
    /// Indicates that there are too many connections and none may be closed yet.
    var isWaiting = false
    var reports: [ConnectionNotice.Kind: Report] = [:]
  }

  private let limits: ServerLimits
  private let notify: @Sendable (ConnectionNotice) -> Void
  private let state = Mutex(State())

  /// Creates a table.
  ///
  /// - Parameter notify: Receives the reports, on the thread of the connections.
  init(_ limits: ServerLimits, notify: @escaping @Sendable (ConnectionNotice) -> Void = { _ in }) {
    self.limits = limits
    self.notify = notify
  }

  /// Adds a connection, and closes another one if there are too many now.
  func add(_ channel: any Channel) -> Key {
    let key = Key(channel)
    state.withLock {
      $0.addedCount += 1
      $0.clients[key.address, default: Client()].connections[key.id] = Connection(
        channel: channel, number: $0.addedCount)
      $0.clients[key.address]?.added(key.id)
      $0.count += 1
    }
    makeRoom(for: key.address, on: channel.eventLoop)
    return key
  }

  func remove(_ key: Key) { state.withLock { _ = $0.remove(key) } }

  /// Returns the number of a connection, which no other has, or `nil` if it was closed.
  func number(of key: Key) -> Int? { state.withLock { $0.clients[key.address]?.connections[key.id]?.number } }

  /// Returns whether a connection is open.
  ///
  /// A client that has only finished sending may still read the response, so its connection counts as open.
  func isOpen(_ key: Key) -> Bool { number(of: key) != nil }

  /// The number of open connections.
  var count: Int { state.withLock { $0.count } }

  /// Records the phase of a connection, or the progress of its body.
  func enter(_ phase: Phase, _ key: Key, bodyBytes: Int = 0) {
    let isTooMuch = state.withLock { state in
      state.enter(phase, key, bodyBytes: bodyBytes)
      return phase == .receiving && state.bodyBytes > limits.totalBodyBytes
    }
    if isTooMuch { closeUpload() }
  }

  /// Closes connections while there are too many; looks again later if that is not enough.
  private func makeRoom(for address: String, on eventLoop: any EventLoop) {
    let now = NIODeadline.now()
    let (closed, notices, looksAgain) = state.withLock { state in
      var closed: [(channel: any Channel, kind: ConnectionNotice.Kind)] = []
      var notices: [ConnectionNotice?] = []
      while let (kind, victim) = choice(for: address, in: &state, at: now), let victim,
        let connection = state.remove(victim)
      {
        closed.append((connection.channel, kind))
        notices.append(state.notice(kind, address: victim.address, closes: true, limits, at: now))
      }
      // While nothing can be closed, new connections wait.
      let isStuck = state.count >= limits.connections
      if isStuck { notices.append(state.notice(.busy, address: address, closes: false, limits, at: now)) }
      let looksAgain = isStuck && !state.isWaiting
      if looksAgain { state.isWaiting = true }
      return (closed, notices, looksAgain)
    }
    for (channel, kind) in closed { channel.pipeline.fireUserInboundEventTriggered(Eviction(kind: kind)) }
    for notice in notices { notice.map { report($0, on: eventLoop) } }
    guard looksAgain else { return }
    eventLoop.scheduleTask(in: limits.graceTime) {
      self.state.withLock { $0.isWaiting = false }
      self.makeRoom(for: address, on: eventLoop)
    }
  }

  /// Returns the reason to close a connection and the one to close, or `nil` if there are not too many.
  ///
  /// The victim is `nil` if none may be closed yet.
  private func choice(for address: String, in state: inout State, at now: NIODeadline) -> (
    kind: ConnectionNotice.Kind, victim: Key?
  )? {
    if state.clients[address]?.silentCount ?? 0 > limits.silentConnectionsPerAddress,
      let (id, connection) = state.clients[address]?.oldestSilent(),
      connection.stateChangedAt + limits.graceTime <= now
    {
      return (.silent, Key(address: address, id: id))
    }
    let client = state.clients[address] ?? Client()
    if state.count >= limits.nearlyFull, client.connections.count > limits.connections / (state.clients.count + 1),
      let id = victim(in: client, at: now)
    {
      return (.share, Key(address: address, id: id))
    }
    guard state.count >= limits.connections else { return nil }
    for (address, client) in state.clients.sorted(by: { $0.value.connections.count > $1.value.connections.count }) {
      if let id = victim(in: client, at: now) { return (.full, Key(address: address, id: id)) }
    }
    return (.full, nil)
  }

  /// Returns the connection that has waited longest for a head, or else the one whose body has made no progress for
  /// longest; `nil` if every request is being served.
  private func victim(in client: Client, at now: NIODeadline) -> ObjectIdentifier? {
    var longest: (id: ObjectIdentifier, rank: Int, since: NIODeadline)?
    for (id, connection) in client.connections {
      let since = connection.stateChangedAt
      let rank: Int
      switch connection.phase {
      case .silent where since + limits.graceTime <= now: rank = 0
      case .waiting where since + limits.graceTime <= now: rank = 1
      case .receiving where since + limits.stalledBodyTime <= now: rank = 2
      case .silent, .waiting, .receiving, .serving: continue
      }
      if longest.map({ (rank, since) < ($0.rank, $0.since) }) ?? true { longest = (id, rank, since) }
    }
    return longest?.id
  }

  /// Closes the upload that has made no progress for longest, of the address whose uploads take most memory.
  private func closeUpload() {
    let (closed, notice) = state.withLock { state in
      let client = state.clients.max { $0.value.receivedBytes < $1.value.receivedBytes }
      let stalled = client?.value.connections.filter { $0.value.phase == .receiving && $0.value.bodyBytes > 0 }
        .min { $0.value.stateChangedAt < $1.value.stateChangedAt }
      guard let client, let stalled else { return (nil as (any Channel)?, nil as ConnectionNotice?) }
      let closed = state.remove(Key(address: client.key, id: stalled.key))
      let notice = state.notice(.uploads, address: client.key, closes: true, limits, at: .now())
      return (closed?.channel, notice)
    }
    closed?.pipeline.fireUserInboundEventTriggered(Eviction(kind: .uploads))
    if let closed, let notice { report(notice, on: closed.eventLoop) }
  }

  /// Reports closed connections, and later those that are closed in the meantime.
  private func report(_ notice: ConnectionNotice, on eventLoop: any EventLoop) {
    notify(notice)
    eventLoop.scheduleTask(in: limits.noticeInterval) {
      let rest = self.state.withLock { $0.rest(after: notice, at: .now()) }
      if let rest { self.report(rest, on: eventLoop) }
    }
  }
}

extension ConnectionTable.Client {
  fileprivate mutating func added(_ id: ObjectIdentifier) {
    // Those that have sent a byte leave the queue here, so that it does not grow.
    _ = oldestSilent()
    silentCount += 1
    added.append(id)
  }

  /// Returns the silent connection that was added first, in constant time: a flood of thousands a second would
  /// otherwise delay the requests of others.
  fileprivate mutating func oldestSilent() -> (ObjectIdentifier, ConnectionTable.Connection)? {
    while let id = added.first {
      if let connection = connections[id], connection.phase == .silent { return (id, connection) }
      added.removeFirst()
    }
    return nil
  }

  fileprivate var receivedBytes: Int {
    connections.values.reduce(0) { $0 + ($1.phase == .receiving ? $1.bodyBytes : 0) }
  }
}

extension ConnectionTable.State {
  fileprivate mutating func remove(_ key: ConnectionTable.Key) -> ConnectionTable.Connection? {
    guard let connection = clients[key.address]?.connections.removeValue(forKey: key.id) else { return nil }
    count -= 1
    bodyBytes -= connection.bodyBytes
    if connection.phase == .silent { clients[key.address]?.silentCount -= 1 }
    if clients[key.address]?.connections.isEmpty == true { clients[key.address] = nil }
    return connection
  }

  fileprivate mutating func enter(_ phase: ConnectionTable.Phase, _ key: ConnectionTable.Key, bodyBytes newBytes: Int) {
    guard var connection = clients[key.address]?.connections[key.id] else { return }
    if connection.phase == .silent, phase != .silent { clients[key.address]?.silentCount -= 1 }
    bodyBytes += newBytes - connection.bodyBytes
    (connection.phase, connection.stateChangedAt, connection.bodyBytes) = (phase, .now(), newBytes)
    clients[key.address]?.connections[key.id] = connection
  }

  /// Returns the report of the connections that were closed since an earlier one, or `nil` if there were none.
  fileprivate mutating func rest(after notice: ConnectionNotice, at now: NIODeadline) -> ConnectionNotice? {
    guard let report = reports[notice.kind], report.closedCount > 0 else { return nil }
    reports[notice.kind] = ConnectionTable.Report(lastAt: now)
    var rest = notice
    (rest.address, rest.closedCount) = (report.address, report.closedCount)
    return rest
  }

  /// Returns the report of a kind, or `nil` if it was reported a short time ago.
  fileprivate mutating func notice(
    _ kind: ConnectionNotice.Kind, address: String, closes: Bool, _ limits: ServerLimits, at now: NIODeadline
  ) -> ConnectionNotice? {
    var report = reports[kind] ?? ConnectionTable.Report()
    if closes { (report.closedCount, report.address) = (report.closedCount + 1, address) }
    defer { reports[kind] = report }
    if let last = report.lastAt, now - last < limits.noticeInterval { return nil }
    let limit =
      switch kind {
      case .full, .busy: limits.connections
      case .share: limits.connections / (clients.count + 1)
      case .silent: limits.silentConnectionsPerAddress
      case .uploads: limits.totalBodyBytes
      }
    defer { report = ConnectionTable.Report(lastAt: now) }
    return ConnectionNotice(kind: kind, address: address, closedCount: report.closedCount, limit: limit)
  }
}
