import Foundation
import Glibc

/// Parses `multipart/form-data` (RFC 7578, RFC 2046 section 5.1) with CRLF line ends.
struct MultipartBody: Sendable {
  /// The implementation whose behaviour is copied for invalid forms.
  enum Reader: Hashable, Sendable {
    /// FileUpload of Tomcat, in the servers of 2022: passes over what it does not understand in the header of a part,
    /// and rejects a form that does not end.
    case tomcat
    /// multipart-kit 4.0 of Vapor, in the camp servers: a part counts once the delimiter after it is complete, and
    /// anything after the last one is ignored; the quotes around a parameter need not be paired.
    case vapor
  }

  struct Part: Hashable, Sendable {
    var name: String
    /// The file name; `nil` without a `filename` parameter.
    var fileName: String?
    var type: String?
    /// The content, a slice of the body: megabytes of pictures are not copied.
    var content: Data
  }

  struct Failure: Error, Hashable {
    var what: String
  }

  var parts: [Part]

  /// The maximum size of a part's header in Tomcat.
  private static let maximumHeaderBytes = 10_240
  private static let maximumParts = 64
  /// The maximum length of a boundary (RFC 2046 section 5.1.1).
  static let maximumBoundaryBytes = 70

  init(_ body: Data, boundary: String, as reader: Reader) throws(Failure) {
    let body = Data(body)
    let delimiter = Data("--\(boundary)".utf8)
    parts = []
    guard var position = MultipartBody.opening(of: body, delimiter) else {
      if reader == .vapor { return }
      throw Failure(what: "Stream ended unexpectedly: the boundary does not occur")
    }
    // Parts that are passed over count too.
    var count = 0
    while true {
      if body[position...].starts(with: Data("--".utf8)) { return }
      position = try MultipartBody.skipLineEnd(body, position)
      if reader == .vapor, !MultipartBody.hasWholePart(body, from: position, delimiter) { return }
      guard count < MultipartBody.maximumParts else { throw Failure(what: "Too many parts") }
      count += 1
      let headersEnd = try MultipartBody.headersEnd(body, from: position)
      let headers = try PartHeaders(body[position..<headersEnd], as: reader)
      let contentStart = headersEnd + 4
      // An empty part may end directly with the delimiter: its CRLF is the one after the header.
      guard let end = body.range(of: Data("\r\n".utf8) + delimiter, in: contentStart - 2..<body.endIndex) else {
        throw Failure(what: "Stream ended unexpectedly")
      }
      if let headers {
        let content = end.lowerBound < contentStart ? Data() : body[contentStart..<end.lowerBound]
        parts.append(Part(name: headers.name, fileName: headers.fileName, type: headers.type, content: content))
      }
      position = end.upperBound
    }
  }

  /// Returns the first fault of a form's frame, with its offset in bytes, or `nil` if there is none.
  ///
  /// The search reads each byte a fixed number of times, and ends at the first part beyond `maximumParts`.
  static func fault(in body: Data, boundary: String) -> String? {
    body.withUnsafeBytes { fault(in: $0, Array("--\(boundary)".utf8)) }
  }

  private static func fault(in body: UnsafeRawBufferPointer, _ delimiter: [UInt8]) -> String? {
    let (lineEnd, emptyLine) = (Array("\r\n".utf8), Array("\r\n\r\n".utf8))
    func has(_ text: [UInt8], at index: Int) -> Bool {
      index >= 0 && body.count - index >= text.count && body[index..<index + text.count].elementsEqual(text)
    }
    var position = 0
    var previous: Int?
    var count = 0
    while let start = body.firstIndex(of: delimiter, from: position) {
      let end = start + delimiter.count
      if start > 0, !has(lineEnd, at: start - 2) {
        return body[start - 1] == 0x0A
          ? "the line before the boundary at byte \(start) ends in LF, not in CRLF"
          : "the CRLF before the boundary at byte \(start) is missing"
      }
      if let previous, body.firstIndex(of: emptyLine, from: previous, to: start) == nil {
        return "the empty line after the header of the part at byte \(previous) is missing"
      }
      if has(Array("--".utf8), at: end) { return nil }
      var rest = end
      while rest < body.count, body[rest] == 0x20 || body[rest] == 0x09 { rest += 1 }
      if rest < body.count, body[rest] == 0x0A { return "the boundary at byte \(start) is followed by LF, not by CRLF" }
      if rest < body.count, !has(lineEnd, at: rest) {
        return "the boundary at byte \(start) is followed by neither CRLF nor two hyphens"
      }
      count += 1
      if count > maximumParts { return "the form has more than \(maximumParts) parts" }
      previous = rest < body.count ? rest : nil
      position = rest
    }
    guard position > 0 else { return "the boundary that Content-Type names is nowhere in the body" }
    return "the last boundary, which two hyphens follow, is missing at the end, byte \(body.count)"
  }

  /// Returns true if another complete delimiter follows, ended by CRLF or two hyphens.
  private static func hasWholePart(_ body: Data, from position: Int, _ delimiter: Data) -> Bool {
    let next = body.range(of: Data("\r\n".utf8) + delimiter, in: max(0, position - 2)..<body.endIndex)
    return next.map { body.endIndex - $0.upperBound >= 2 } ?? false
  }

  /// Returns the parts with a name, in order.
  subscript(name: String) -> [Part] { parts.filter { $0.name == name } }

  /// Returns the end of the first delimiter, which is at the start of the body or of a line.
  private static func opening(of body: Data, _ delimiter: Data) -> Int? {
    if body.starts(with: delimiter) { return delimiter.count }
    return body.range(of: Data("\r\n".utf8) + delimiter)?.upperBound
  }

  private static func skipLineEnd(_ body: Data, _ start: Int) throws(Failure) -> Int {
    var position = start
    // RFC 2046 allows white space between the boundary and its line end.
    while position < body.endIndex, body[position] == 0x20 || body[position] == 0x09 { position += 1 }
    guard body[position...].starts(with: Data("\r\n".utf8)) else {
      throw Failure(what: "Unexpected characters after the boundary")
    }
    return position + 2
  }

  private static func headersEnd(_ body: Data, from position: Int) throws(Failure) -> Int {
    let limit = min(body.endIndex, position + maximumHeaderBytes)
    guard let end = body.range(of: Data("\r\n\r\n".utf8), in: position..<limit) else {
      throw Failure(
        what: body.endIndex > limit
          ? "Header section has more than 10240 bytes (maybe it is not properly terminated)"
          : "Header section is not terminated")
    }
    return end.lowerBound
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the index of the first occurrence of a text that is not empty.
  ///
  /// The algorithm of Knuth, Morris and Pratt reads each byte once, whatever the text is. The comparison at every index, as in
  /// `Data.range(of:)`, takes seventy times as long for a boundary of hyphens.
  fileprivate func firstIndex(of text: [UInt8], from start: Int, to end: Int? = nil) -> Int? {
    /// For each number of bytes that agree, how many of them are also the beginning of the text.
    var borders = [0, 0]
    for index in text.indices.dropFirst() {
      var border = borders[index]
      while border > 0, text[border] != text[index] { border = borders[border] }
      borders.append(text[border] == text[index] ? border + 1 : 0)
    }
    guard let base = baseAddress else { return nil }
    let end = end ?? count
    var (index, agreed) = (start, 0)
    while index < end {
      if agreed == 0 {
        guard let found = memchr(base + index, Int32(text[0]), end - index) else { return nil }
        index = UnsafeRawPointer(found) - base
      }
      while agreed > 0, text[agreed] != self[index] { agreed = borders[agreed] }
      if text[agreed] == self[index] { agreed += 1 }
      index += 1
      if agreed == text.count { return index - agreed }
    }
    return nil
  }
}

extension String {
  /// The text without spaces and tabs at both ends.
  var trimmed: String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    var text = drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return String(text)
  }
}

/// The header fields of a part: name, file name and type (RFC 7578 sections 4.2 and 4.4).
struct PartHeaders: Hashable, Sendable {
  var name: String
  var fileName: String?
  var type: String?

  /// Reads the header fields of a part, or returns `nil` for a part that is passed over.
  ///
  /// Tomcat joins folded lines, and passes over lines without a colon and parts without a name.
  init?(_ bytes: Data, as reader: MultipartBody.Reader) throws(MultipartBody.Failure) {
    var disposition: HeaderValue?
    for line in try PartHeaders.lines(bytes, as: reader) {
      // Scalars, because a mark after the colon makes one `Character` with it.
      let scalars = line.unicodeScalars
      guard let colon = scalars.firstIndex(of: ":") else {
        if reader == .tomcat { continue }
        throw MultipartBody.Failure(what: "A part header without a colon")
      }
      let value = String(scalars[scalars.index(after: colon)...]).trimmingCharacters(in: .whitespaces)
      switch String(scalars[..<colon]).trimmingCharacters(in: .whitespaces).lowercased() {
      case "content-disposition":
        disposition =
          switch reader {
          case .tomcat: HeaderValue(value)
          case .vapor: HeaderValue(withLooseQuotes: value)
          }
      case "content-type": type = value
      default: break
      }
    }
    guard let disposition, disposition.value.lowercased() == "form-data", let name = disposition["name"] else {
      if reader == .tomcat { return nil }
      throw MultipartBody.Failure(what: "A part without Content-Disposition: form-data and a name")
    }
    if name.isEmpty, reader == .tomcat { return nil }
    self.name = name
    // Spring prefers the extended form (RFC 6266 section 4.3), which Vapor does not know.
    fileName =
      (reader == .tomcat ? disposition["filename*"].flatMap(PartHeaders.decoded) : nil) ?? disposition["filename"]
  }

  /// Returns the text of an extended value: `UTF-8''%ec%bb%b5.png` (RFC 8187), or `nil` in other encodings.
  private static func decoded(_ value: String) -> String? {
    let pieces = value.unicodeScalars.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
      .map { String($0) }
    guard pieces.count == 3, pieces[0].lowercased() == "utf-8" else { return nil }
    return pieces[2].removingPercentEncoding
  }

  private static func lines(_ bytes: Data, as reader: MultipartBody.Reader) throws(MultipartBody.Failure) -> [String] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw MultipartBody.Failure(what: "Part headers are not UTF-8")
    }
    return text.components(separatedBy: "\r\n").reduce(into: []) { lines, line in
      let isFolded = reader == .tomcat && (line.hasPrefix(" ") || line.hasPrefix("\t"))
      if isFolded, !lines.isEmpty {
        lines[lines.count - 1] += " " + line.trimmed
      } else {
        lines.append(line)
      }
    }
  }
}

/// A header value with parameters: `form-data; name="images"; filename="a.jpg"` (RFC 9110 section 5.6.6).
struct HeaderValue: Hashable, Sendable {
  var value: String
  private var parameters: [Parameter] = []

  private struct Parameter: Hashable, Sendable {
    var name: String
    var value: String
  }

  /// Parses a value as Tomcat's `ParameterParser` does: a quote opens or closes a quoted part wherever it is, and only
  /// a pair around the complete value is removed.
  ///
  /// Names of files hold quotes that clients do not escape, and some quotes are not closed.
  init(_ text: String) {
    var rest = Substring(text).unicodeScalars
    value = String(rest.prefix { $0 != ";" }).trimmed
    rest = rest.drop { $0 != ";" }
    while rest.first == ";" {
      rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
      let name = rest.prefix { $0 != "=" && $0 != ";" }
      rest = rest[name.endIndex...]
      guard rest.first == "=" else { continue }
      rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
      let content = HeaderValue.content(&rest)
      parameters.append(Parameter(name: String(name).trimmed.lowercased(), value: content))
    }
  }

  /// Parses a value whose parameters end at the next semicolon regardless of quotes; a quote at either end is removed.
  init(withLooseQuotes text: String) {
    let pieces = text.unicodeScalars.split(separator: ";", omittingEmptySubsequences: false).map { String($0).trimmed }
    value = pieces[0]
    parameters = pieces.dropFirst().compactMap { piece in
      let halves = piece.unicodeScalars.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { String($0) }
      guard halves.count == 2 else { return nil }
      var content = Substring(halves[1].trimmed).unicodeScalars
      if content.first == "\"" { content.removeFirst() }
      if content.last == "\"" { content.removeLast() }
      return Parameter(name: halves[0].trimmed.lowercased(), value: String(content))
    }
  }

  subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// Returns the text up to the next semicolon that is not in quotes.
  private static func content(_ rest: inout Substring.UnicodeScalarView) -> String {
    var content = String.UnicodeScalarView()
    var (isQuoted, isEscaped) = (false, false)
    while let scalar = rest.first, isQuoted || scalar != ";" {
      rest.removeFirst()
      if scalar == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = scalar == "\\" && !isEscaped
      content.append(scalar)
    }
    let text = String(content).trimmed
    // Browsers write `"` as %22 and do not escape backslashes, so only an escaped quote is unescaped.
    let scalars = text.unicodeScalars
    guard scalars.count >= 2, scalars.first == "\"", scalars.last == "\"" else { return text }
    return String(
      String.UnicodeScalarView(scalars.dropFirst().dropLast()).replacing(
        "\\\"".unicodeScalars, with: "\"".unicodeScalars))
  }
}
