import CommandLanguage
import Foundation
import Text

extension CurlCommandParser {
  /// A field of `-F` or `--form-string`.
  struct Part: Hashable, Sendable {
    private(set) var name: String
    private(set) var value: String
    /// A Boolean value that indicates that the value is the path of a file, which is sent as a file (`@`) or as text
    /// (`<`).
    private(set) var isFile = false
    private(set) var isText = false
    private var type: String?
    private var fileName: String?
    private let text: String
    private let isLiteral: Bool

    /// Parses `name=value`, `name=@path;type=image/png;filename=a.png` or `name=<path`.
    ///
    /// - Parameter isLiteral: Whether the value has no options and is no path, as with `--form-string`.
    /// - Throws: `ParseError` for what curl refuses or cuts off, and for parts that can't be sent.
    init(_ text: String, isLiteral: Bool) throws(ParseError) {
      guard let (name, value) = text.halves(atScalar: "="), !name.isEmpty else {
        throw ParseError(
          LocalizedText("Write curl -F values as name=value.", ko: "curl의 -F 값은 name=value처럼 씁니다."))
      }
      (self.text, self.isLiteral) = (text, isLiteral)
      (self.name, self.value) = (String(name), String(value))
      if isLiteral { return }
      let first = value.unicodeScalars.first
      if first == "(" { throw CurlCommandParser.unknown("-F \(name)=(…") }
      isFile = first == "@"
      isText = first == "<"
      var reader = FormValueReader(
        isFile || isText ? Substring(value.unicodeScalars.dropFirst()) : value, isFile: isFile)
      try reader.read(of: self.name)
      (self.value, type, fileName) = (reader.value, reader.type, reader.fileName)
      if isFile || isText, self.value == "-" { throw CurlCommandParser.unknown("-F \(name)=\(isFile ? "@" : "<")-") }
      if isText, fileName != nil { throw CurlCommandParser.unknown("-F \(name)=<…;filename=") }
    }
  }
}

extension CurlCommandParser.Part {
  /// Returns the part whose text is expanded, as by a shell before curl reads it.
  ///
  /// - Parameter fill: Returns the text with the values of its variables.
  /// - Throws: The errors of `fill`, and `ParseError` for a value that changes the part into an invalid one.
  func filled(_ fill: (String) throws -> String) throws -> CurlCommandParser.Part {
    ShellTokenizer.holdsVariable(text) ? try CurlCommandParser.Part(fill(text), isLiteral: isLiteral) : self
  }

  /// The file name that curl sends, or `nil`.
  var sentFileName: String? { fileName ?? (isFile ? (value as NSString).lastPathComponent : nil) }

  /// The media type that curl sends, or `nil`.
  var sentType: String? {
    if let type { return type }
    let known = sentFileName.flatMap(CurlCommandParser.Part.type)
    if isFile { return known ?? CurlCommandParser.Part.type(ofFile: value) ?? "application/octet-stream" }
    guard isText else { return known }
    return CurlCommandParser.Part.type(ofFile: value).flatMap { $0 == "text/plain" ? nil : $0 }
  }

  /// Returns the media type that curl assigns to a file by its extension, or `nil`.
  static func type(ofFile name: String) -> String? {
    switch (name as NSString).pathExtension.lowercased() {
    case "gif": "image/gif"
    case "jpg", "jpeg": "image/jpeg"
    case "png": "image/png"
    case "svg": "image/svg+xml"
    case "txt": "text/plain"
    case "htm", "html": "text/html"
    case "pdf": "application/pdf"
    case "xml": "application/xml"
    default: nil
    }
  }
}

/// Reads the value of a field of `-F` and the options after it, as curl does.
private struct FormValueReader {
  private(set) var value = ""
  private(set) var type: String?
  private(set) var fileName: String?

  private var rest: Substring.UnicodeScalarView
  private let isFile: Bool

  init(_ text: Substring, isFile: Bool) {
    rest = text.unicodeScalars
    self.isFile = isFile
  }

  /// Reads to the end.
  ///
  /// - Parameter name: The name of the field.
  /// - Throws: `ParseError` for several files, unknown options and a text with a `;`, which curl cuts off there.
  mutating func read(of name: String) throws(ParseError) {
    value = try word(of: name)
    var isInType = false
    while rest.first == ";" {
      rest.removeFirst()
      let parameter = rest
      skipBlanks()
      if !isInType, skip("type=") {
        skipBlanks()
        isInType = true
        type = String(untilEnd())
        guard type?.contains(/^[^\/ ]+\/[^;, \n]/) == true else { throw FormValueReader.cut(name) }
      } else if skip("filename=") {
        isInType = false
        fileName = try word(of: name)
      } else if let option = ["headers=", "encoder="].first(where: { skip($0) }) {
        throw CurlCommandParser.unknown("-F \(name)=…;\(option)")
      } else if isInType {
        rest = parameter
        type = (type ?? "") + ";" + String(untilEnd())
      } else if !rest.isEmpty {
        throw FormValueReader.cut(name)
      }
    }
    type = type.map { FormValueReader.trimmed($0.unicodeScalars[...]) }
    if !rest.isEmpty { throw CurlCommandParser.unknown("-F \(name)=@…,…") }
  }

  private func isEnd(_ scalar: Unicode.Scalar) -> Bool { scalar == ";" || (isFile && scalar == ",") }

  private mutating func untilEnd() -> Substring.UnicodeScalarView {
    let text = rest.prefix { !isEnd($0) }
    rest = rest[text.endIndex...]
    return text
  }

  /// Reads a text in quotes or to the next `;`.
  private mutating func word(of name: String) throws(ParseError) -> String {
    skipBlanks()
    if let quoted = quoted() {
      skipBlanks()
      if let next = rest.first, !isEnd(next) { throw FormValueReader.cut(name) }
      return quoted
    }
    return FormValueReader.trimmed(untilEnd())
  }

  /// Reads a text in quotes, or returns `nil` if there is none.
  private mutating func quoted() -> String? {
    guard rest.first == "\"" else { return nil }
    var result = String.UnicodeScalarView()
    var remaining = rest.dropFirst()
    while let scalar = remaining.popFirst() {
      if scalar == "\"" {
        rest = remaining
        return ShellTokenizer.unescapedOnce(String(result))
      }
      if scalar == "\\", let next = remaining.first, next == "\\" || next == "\"" {
        remaining.removeFirst()
        result.append(next)
      } else {
        result.append(scalar)
      }
    }
    return nil
  }

  private mutating func skip(_ word: String) -> Bool {
    let beginning = rest.prefix(word.unicodeScalars.count)
    guard String(beginning).lowercased() == word else { return false }
    rest = rest[beginning.endIndex...]
    return true
  }

  private mutating func skipBlanks() { rest = rest.drop(while: FormValueReader.isBlank) }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || ("\t"..."\r").contains(scalar) }

  private static func trimmed(_ text: Substring.UnicodeScalarView) -> String {
    guard let last = text.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(text[...last])
  }

  private static func cut(_ name: String) -> ParseError {
    ParseError(
      LocalizedText(
        "curl would send only a part of the \(.field("-F")) value \(.field(name)).",
        ko: "curl은 \(.field("-F"))의 값 \(.field(name))의 일부만 보냅니다."),
      suggestion: LocalizedText(
        "Use \(.command("--form-string")) for a text with \(.value(";")) or quotes.",
        ko: "\(.value(";"))나 따옴표가 있는 텍스트는 \(.command("--form-string"), .with) 보내세요."))
  }
}
