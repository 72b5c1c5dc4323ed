import CommandLanguage
import Foundation
import Networking

/// The format of curl's `-w`: a text with `%{variable}`, written after the body.
struct CurlWriteOut: Hashable, Sendable {
  private enum Piece: Hashable, Sendable {
    case text(String)
    case variable(WriteOutVariable)
  }

  private enum WriteOutVariable: String, CaseIterable {
    case httpCode = "http_code"
    case responseCode = "response_code"
    case contentType = "content_type"
    case method
    case redirectURL = "redirect_url"
    case redirectCount = "num_redirects"
    case scheme
    case downloadSize = "size_download"
    case totalTime = "time_total"
    case url
    case effectiveURL = "url_effective"
    case exitCode = "exitcode"
    case newline = "\\n"
  }

  private var pieces: [Piece] = []

  /// Parses a format.
  ///
  /// - Throws: `ParseError` for an unknown variable, and for a format in a file.
  init(_ format: String) throws(ParseError) {
    guard !format.hasPrefix("@") else { throw CurlCommandParser.unknown("-w " + format) }
    var rest = Substring(format)
    var text = ""
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        switch rest.popFirst() {
        case "n": text += "\n"
        case "r": text += "\r"
        case "t": text += "\t"
        case let other?: text += "\\" + String(other)
        case nil: text += "\\"
        }
      case "%" where rest.first == "%":
        rest.removeFirst()
        text += "%"
      case "%" where rest.first == "{":
        guard let end = rest.firstIndex(of: "}") else {
          text += "%"
          continue
        }
        let name = String(rest[rest.index(after: rest.startIndex)..<end])
        rest = rest[rest.index(after: end)...]
        guard let variable = WriteOutVariable(rawValue: name) else { throw CurlCommandParser.unknown("-w %{\(name)}") }
        pieces += [.text(text), .variable(variable)]
        text = ""
      default: text.append(character)
      }
    }
    pieces.append(.text(text))
  }

  /// Returns the text for a response.
  ///
  /// - Parameters:
  ///   - address: The URL of the request after redirections.
  ///   - redirects: The number of redirections.
  ///   - took: The duration.
  /// - Returns: The text.
  func text(for response: Response, to request: Request, at address: String, redirects: Int, took: Duration) -> String {
    pieces.map { piece -> String in
      switch piece {
      case .text(let text): text
      case .variable(let variable):
        switch variable {
        case .httpCode, .responseCode: String(response.status)
        case .contentType: response.header("Content-Type") ?? ""
        case .method: request.method.rawValue
        case .redirectURL: response.statusClass == .redirection ? response.header("Location") ?? "" : ""
        case .redirectCount: String(redirects)
        case .scheme: address.hasPrefix("https") ? "https" : "http"
        case .downloadSize: String(response.body.count)
        case .totalTime: CurlWriteOut.seconds(took)
        case .url, .effectiveURL: address
        case .exitCode: "0"
        case .newline: "\n"
        }
      }
    }.joined()
  }

  /// Returns the seconds as curl prints them: `0.004321`.
  private static func seconds(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let micros = String(1_000_000 + attoseconds / 1_000_000_000_000).dropFirst()
    return "\(seconds).\(micros)"
  }
}
