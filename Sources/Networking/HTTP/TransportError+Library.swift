import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Text

extension TransportError.Reason {
  /// Maps an error of the library to a reason.
  ///
  /// The extent comes from the collector: the type of an error does not show whether anything was sent.
  init(_ error: any Error, host: String, limit: Int) {
    switch error {
    case is StallDetector.Stalled: self = .timedOut
    case is ResponseAccumulator.TooLarge, is ContentDecoder.TooLarge: self = .tooLarge(limit: limit)
    case let error as ContentCodingFault: self = .undecodableContent(error)
    case let error as HTTPClientError: self = Self.reason(of: error)
    case let error as NIOConnectionError: self = Self.reason(of: error, host: host)
    case let error as IOError: self = Self.reason(of: error)
    case ChannelError.connectTimeout: self = .timedOut
    case is ChannelError: self = .connectionClosed
    case HTTPParserError.invalidEOFState: self = .connectionClosed
    case HTTPParserError.headerOverflow: self = .headerFieldsTooLong
    case HTTPParserError.invalidHeaderToken: self = .invalidHTTP(.headerField)
    case HTTPParserError.invalidChunkSize: self = .invalidHTTP(.chunkSize)
    case HTTPParserError.unexpectedContentLength, HTTPParserError.invalidContentLength: self = .invalidHTTP(.length)
    case HTTPParserError.lfExpected, HTTPParserError.unknown: self = .invalidHTTP(.lineEnd)
    case let error as HTTPParserError: self = .notHTTP(ErrorDescription.text(of: error) ?? "invalid bytes")
    case is CancellationError: self = .cancelled
    // Without the message that ends TLS, it is unknown whether the response was complete.
    case NIOSSLError.uncleanShutdown: self = .connectionClosed
    // NIOSSL throws several unrelated error types; all are recognized by the module's name.
    case _ where String(reflecting: type(of: error)).hasPrefix("NIOSSL."):
      self = Self.tlsReason(String(describing: error))
    default: self = .unexpected(error)
    }
  }

  /// Returns the reason for an error without a case of its own.
  static func unexpected(_ error: any Error) -> Self {
    .other(ErrorDescription.text(of: error) ?? "the request failed unexpectedly")
  }

  /// The reason of a failed `beforeFinalChunk`, which prevented the last bytes or the complete request from being sent.
  init(withheld error: any Error) {
    self = error is CancellationError ? .cancelled : .unexpected(error)
  }

  /// Returns the error name in `… OPENSSL_internal:CERTIFICATE_VERIFY_FAILED at …`, in lower case.
  private static func tlsReason(_ text: String) -> Self {
    guard let word = text.firstMatch(of: #/OPENSSL_internal:([A-Z_]+)/#)?.1 else {
      return .tls(text.contains("Hostname") ? "the certificate is not for this host" : "the TLS handshake failed")
    }
    if ["WRONG_VERSION_NUMBER", "HTTP_REQUEST"].contains(word) { return .serverDoesNotSpeakTLS }
    return .tls(word.lowercased().replacing("_", with: " "))
  }

  private static func reason(of error: HTTPClientError) -> Self {
    switch error {
    case .cancelled: .cancelled
    case .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .tlsHandshakeTimeout,
      .getConnectionFromPoolTimeout:
      .timedOut
    case .remoteConnectionClosed, .uncleanShutdown: .connectionClosed
    case .proxyAuthenticationRequired: .proxyLoginRequired
    default: .other(error.shortDescription.prefix(1).lowercased() + error.shortDescription.dropFirst())
    }
  }

  private static func reason(of error: NIOConnectionError, host: String) -> Self {
    guard let first = error.connectionErrors.first?.error else { return .nameNotFound(host: host) }
    let reasons = error.connectionErrors.map { Self($0.error, host: host, limit: 0) }
    return reasons.contains(.connectionRefused) ? .connectionRefused : Self(first, host: host, limit: 0)
  }

  private static func reason(of error: IOError) -> Self {
    switch error.errnoCode {
    case ECONNREFUSED: .connectionRefused
    case ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN: .connectionClosed
    case ETIMEDOUT: .timedOut
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN: .networkUnreachable
    // The description of the library names its function.
    default: .other(String(cString: strerror(error.errnoCode)))
    }
  }
}
