import Foundation
import Networking

extension TransportError {
  /// A short description for the journal and for users.
  package var evidence: String {
    switch reason {
    case .nameNotFound(let host): "host \(host) not found"
    case .connectionRefused: "connection refused"
    case .tls(let text): "TLS: \(text)"
    case .timedOut: status == nil ? "no response in time" : "the rest of the response did not arrive in time"
    case .connectionClosed: "the connection was lost"
    case .notHTTP: "the response was not HTTP"
    case .headerFieldsTooLong: "the header fields of the response were too long"
    case .undecodableContent: "the compressed response could not be read"
    case .serverDoesNotSpeakTLS: "the server does not support TLS"
    case .tooLarge: "the response was too large"
    case .cancelled: "interrupted"
    case .insecureHost(let host): "http to \(host)"
    case .methodNotAllowed(let method): "\(method.rawValue) where only reads are allowed"
    case .invalidURL(let text): "invalid URL: \(text)"
    case .invalidHeader(let name): "header \(name)"
    case .invalidMultipart: "could not create the form"
    case .notRecorded: "not in the recording"
    case .other(let text): text
    }
  }
}
