import Foundation
import NIOSSL

/// A type that sends HTTP requests.
///
/// Tests replace the real one with a recorder, a fault injector or an in-process server.
package protocol Transport: Sendable {
  /// Sends the request and returns the complete response with any status.
  ///
  /// - Throws: `TransportError`, which says why no response arrived and how much of the request the server can have
  ///   seen.
  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response

  /// Called after a response was decoded, with the time that decoding took.
  ///
  /// The default implementation does nothing. `TimedTransport` records it; a transport that may be outside it passes it
  /// on.
  func decoded(in time: Duration)
}

extension Transport {
  package func decoded(in time: Duration) {}
}

/// The options for sending one request.
package struct SendOptions: Sendable {
  package var limits: Timeouts
  /// The connection settings: proxy and trust roots.
  package var route: ConnectionSettings
  /// The time limit for the exchange, from name lookup to the last byte of the response, for requests that the user
  /// would rather do without than wait for.
  ///
  /// If `nil`, a request that makes progress may take any time.
  package var deadline: Duration?
  /// A hook that is awaited before the last bytes of the body are sent.
  ///
  /// Until it returns, the server has fewer bytes than `Content-Length` announces and cannot process the request. If it
  /// throws, the connection is closed and the error's `extent` is `.partial`. For a request without a body it is
  /// awaited before anything is sent, and if it throws, the extent is `.none`.
  package var beforeFinalChunk: (@Sendable () async throws -> Void)?
  /// Allows a read to be sent again after a transient failure.
  package var retriesReads = true
  /// Called with every attempt that is followed by another one, before the pause.
  ///
  /// A transport that observes adds itself here, so that it sees each attempt wherever the retries happen.
  package var onRetry: (@Sendable (Retry) -> Void)?
  /// Allows plain `http` to another machine.
  ///
  /// `PlainHTTPGuard` sets it for a request whose address it has checked.
  package var allowsPlainHTTP = false

  package init(
    limits: Timeouts = Timeouts(), route: ConnectionSettings = ConnectionSettings(), deadline: Duration? = nil,
    beforeFinalChunk: (@Sendable () async throws -> Void)? = nil
  ) {
    self.limits = limits
    self.route = route
    self.deadline = deadline
    self.beforeFinalChunk = beforeFinalChunk
  }
}

/// Connection settings that differ from the default: a proxy, and trust roots in addition to the system's.
///
/// Proxy variables of the environment are ignored.
package struct ConnectionSettings: Hashable, Sendable {
  package var proxy: ProxyAddress?
  package var authorities: TrustRoots?

  package init(proxy: ProxyAddress? = nil, authorities: TrustRoots? = nil) {
    self.proxy = proxy
    self.authorities = authorities
  }
}

/// The time limits for a request without progress.
///
/// The total time is not limited: the upload of a picture over a slow connection takes as long as it needs.
package struct Timeouts: Hashable, Sendable {
  /// The limit for establishing the connection, including TLS.
  package var connect: Duration
  /// The limit during the upload without a byte that the peer acknowledged or the system accepted.
  package var upload: Duration
  /// The limit for the first byte of the response to a write, after the last byte of the request was handed over.
  ///
  /// `minimumBytesPerSecond` is added.
  package var firstByte: Duration
  /// The lowest throughput to expect, in bytes per second.
  ///
  /// A device on the path may accept the body at once and deliver it at this rate, so the wait is extended by the time
  /// that the body takes then.
  package var minimumBytesPerSecond: Int
  /// The limit for a read without a byte of its response.
  ///
  /// It also applies to the rest of a response to a write.
  package var idle: Duration
  /// The profile's `timeout`: the limit for reads, and the minimum for the response to a write.
  package var timeout: Duration?

  package init(
    connect: Duration = .seconds(10), upload: Duration = .seconds(60), firstByte: Duration = .seconds(60),
    minimumBytesPerSecond: Int = 8_000, idle: Duration = .seconds(30), timeout: Duration? = nil
  ) {
    self.connect = connect
    self.upload = upload
    self.firstByte = firstByte
    self.minimumBytesPerSecond = minimumBytesPerSecond
    self.idle = idle
    self.timeout = timeout
  }

  /// Returns the time limit for the first byte of a response to a request whose body has `size` bytes.
  package func wait(forResponseTo method: RequestMethod, ofSize size: Int) -> Duration {
    if method.isSafe { return silenceOfReads }
    let usual = firstByte + .seconds(1) * size / max(1, minimumBytesPerSecond)
    return max(usual, timeout ?? .zero)
  }

  /// Returns the time limit for the next byte of a response that has begun.
  package func wait(forMoreOf method: RequestMethod) -> Duration {
    method.isSafe ? silenceOfReads : max(idle, timeout ?? .zero)
  }

  private var silenceOfReads: Duration { timeout ?? idle }
}

/// Trust roots in addition to the system's.
package struct TrustRoots: Hashable, Sendable {
  package let pem: Data

  /// Creates trust roots from certificates in PEM form.
  ///
  /// - Throws: `InvalidPEMError` if there is none, or if one cannot be read.
  package init(pem: Data) throws(InvalidPEMError) {
    guard let found = try? NIOSSLCertificate.fromPEMBytes(Array(pem)), !found.isEmpty else { throw InvalidPEMError() }
    self.pem = pem
  }

  /// The error for a file without a readable certificate.
  package struct InvalidPEMError: Error, Hashable, Sendable {}
}

/// A transport that sends every request with changed options: a profile's connection settings and timeout, no retries.
///
/// It is a transport and no parameter of each call, because pictures, raw requests and the detection of an edition are
/// sent with the same options as the calls of a client.
package struct ConfiguredTransport: Transport {
  private let transport: any Transport
  private let configure: @Sendable (inout SendOptions) -> Void

  package init(_ transport: any Transport, configure: @escaping @Sendable (inout SendOptions) -> Void) {
    self.transport = transport
    self.configure = configure
  }

  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    var options = options
    configure(&options)
    return try await transport.send(request, to: base, with: options)
  }

  package func decoded(in time: Duration) { transport.decoded(in: time) }
}

/// A transport that sends nothing but `GET` and `HEAD`, so that no mistake in the code above it can change a market.
package struct ReadOnlyTransport: Transport {
  private let transport: any Transport

  package init(_ transport: any Transport) { self.transport = transport }

  /// Sends a request that reads.
  ///
  /// - Throws: `TransportError` with `.methodNotAllowed` for any other method; nothing is sent then.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    guard request.method == .get || request.method == .head else {
      throw TransportError(.methodNotAllowed(request.method), extent: .none)
    }
    return try await transport.send(request, to: base, with: options)
  }
}

/// The address of a proxy that tunnels with `CONNECT`: `http://HOST:PORT`.
package struct ProxyAddress: Hashable, Sendable {
  package let host: String
  package let port: Int

  /// Parses an address, or returns `nil` if it is not of this form.
  ///
  /// An address with a password is rejected because it would be stored in plain text.
  package init?(_ text: String) {
    guard let parts = URLComponents(string: text), parts.scheme?.lowercased() == "http", let host = parts.host,
      !host.isEmpty, let port = parts.port, (1...65_535).contains(port), parts.user == nil, parts.password == nil,
      parts.query == nil, parts.fragment == nil, parts.path.isEmpty || parts.path == "/"
    else { return nil }
    self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    self.port = port
  }

  package var text: String { "http://" + (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}

/// The error for an exchange without a complete response: the reason, and how much of the request the server can have
/// seen.
package struct TransportError: Error, Hashable, Sendable {
  /// A fault in the form of a response (RFC 9112), which lenient clients such as curl may read.
  package enum HTTPFault: Hashable, Sendable, CaseIterable {
    /// A header field is folded, or has a space before its colon or another character that isn't allowed there.
    case headerField
    /// The size of a chunk is followed by a space or is no hexadecimal number.
    case chunkSize
    /// The length is given twice, isn't one number, or is given besides the chunks.
    case length
    /// A line doesn't end with CR LF, or the transfer coding is unknown.
    case lineEnd
  }

  /// The cause of a failure.
  ///
  /// For the cases marked "never sent" no connection is opened.
  package enum Reason: Hashable, Sendable {
    case nameNotFound(host: String)
    case connectionRefused
    /// This machine has no network, or no route to the host.
    case networkUnreachable
    case tls(String)
    /// No response, or not the rest of one, within the time limits.
    case timedOut
    /// The connection ended before the response did.
    case connectionClosed
    /// The response is not HTTP; the message of the parser.
    case notHTTP(String)
    /// The response is HTTP with a fault after its first line.
    case invalidHTTP(HTTPFault)
    /// The header fields of the response are longer than the library accepts.
    case headerFieldsTooLong
    /// The response is complete, and its compressed content cannot be decoded.
    case undecodableContent(ContentCodingFault)
    /// The proxy asks for a login (407), which isn't sent.
    case proxyLoginRequired
    /// The URL has `https`, but the server speaks plain `http`.
    case serverDoesNotSpeakTLS
    case tooLarge(limit: Int)
    case cancelled
    /// Plain `http` to another machine, which was not allowed; never sent.
    case insecureHost(host: String)
    /// The transport only reads, and this is another method; never sent.
    case methodNotAllowed(RequestMethod)
    /// The URL is not an `http` or `https` URL, or contains a user name; never sent.
    case invalidURL(String)
    /// The header field of this name contains a line break or another control character, or the name is not a token;
    /// never sent.
    case invalidHeader(String)
    /// The boundary of the multipart form occurs in one of its parts; never sent.
    case invalidMultipart
    /// The recording that is replayed does not contain this request; never sent.
    case notRecorded(String)
    /// Another error, as a text for users.
    case other(String)
  }

  package var reason: Reason
  package var extent: RequestProgress
  /// The status of the response whose head arrived, or `nil` if none did.
  package var status: Int?

  package init(_ reason: Reason, extent: RequestProgress, status: Int? = nil) {
    self.reason = reason
    self.extent = extent
    self.status = status
  }

  /// Indicates whether the server responded, with whatever.
  ///
  /// Otherwise it counts as unreachable.
  package var isAnswered: Bool {
    if status != nil { return true }
    switch reason {
    case .notHTTP, .invalidHTTP, .headerFieldsTooLong, .undecodableContent, .tooLarge: return true
    case .nameNotFound, .connectionRefused, .networkUnreachable, .tls, .timedOut, .connectionClosed,
      .proxyLoginRequired,
      .serverDoesNotSpeakTLS, .cancelled,
      .insecureHost, .methodNotAllowed, .invalidURL, .invalidHeader, .invalidMultipart, .notRecorded, .other:
      return false
    }
  }

  /// False only if it is certain that no byte of the request was written.
  package var mayHaveBeenSent: Bool { extent != .none }
}
