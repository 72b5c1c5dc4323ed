import Foundation

/// The Korean of technical phrases that are stored and exchanged in English: the evidence of an outcome in the log, what is
/// wrong with an image, what a check expected.
///
/// Data keeps the English phrase, so programs and older logs read one form. A message in Korean translates it when it is
/// shown. A phrase that no row matches is shown as it is: it is a text of the server or of the system.
package struct PhraseTable: Sendable {
  /// English and Korean templates. `{1}` is a text that is copied, `{1:phrase}` one that is translated, and `{1:names}` a
  /// list of names separated by commas, each of which is translated by a row of its own.
  private let rows: [(english: [Part], korean: [Part])]

  package init(_ rows: [(String, String)]) {
    self.rows = rows.map { (PhraseTable.parts($0.0), PhraseTable.parts($0.1)) }
  }

  /// Both languages of a phrase.
  package func words(_ phrase: String) -> LocalizedText {
    LocalizedText("\(.foreign(phrase))", ko: "\(.foreign(korean(phrase)))")
  }

  /// The Korean of a phrase, or of each of several that are separated by semicolons.
  package func korean(_ phrase: String) -> String {
    let parts = phrase.split(separator: "; ", omittingEmptySubsequences: false)
    // A placeholder at the end of a row would match the phrases after it.
    guard parts.count > 1, parts.last.map({ translated(String($0)) != nil }) == true else {
      return translated(phrase) ?? parts.map { translated(String($0)) ?? String($0) }.joined(separator: "; ")
    }
    return parts.map { translated(String($0)) ?? String($0) }.joined(separator: "; ")
  }

  private enum Part {
    case text(String)
    case value(Int, kind: Substring)
  }

  private func translated(_ phrase: String) -> String? {
    for row in rows {
      guard let values = PhraseTable.values(of: phrase, row.english) else { continue }
      return row.korean.map { part in
        switch part {
        case .text(let text): text
        case .value(let number, let kind):
          switch kind {
          case "phrase": korean(values[number] ?? "")
          case "names":
            (values[number] ?? "").split(separator: ", ").map { translated(String($0)) ?? String($0) }
              .joined(separator: ", ")
          default: values[number] ?? ""
          }
        }
      }.joined()
    }
    return nil
  }

  /// The values of a template's placeholders, or `nil` if the phrase is not of its form.
  private static func values(of phrase: String, _ template: [Part]) -> [Int: String]? {
    var rest = phrase[...]
    var values: [Int: String] = [:]
    var open: Int?
    for part in template {
      switch part {
      case .text(let text):
        if let number = open {
          guard let range = rest.firstRange(of: text), range.lowerBound > rest.startIndex else { return nil }
          values[number] = String(rest[..<range.lowerBound])
          rest = rest[range.upperBound...]
          open = nil
        } else {
          guard rest.hasPrefix(text) else { return nil }
          rest = rest.dropFirst(text.count)
        }
      case .value(let number, _): open = number
      }
    }
    if let number = open {
      guard !rest.isEmpty else { return nil }
      values[number] = String(rest)
    } else if !rest.isEmpty {
      return nil
    }
    return values
  }

  private static func parts(_ template: String) -> [Part] {
    var result: [Part] = []
    var rest = template[...]
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      let inside = rest[rest.index(after: start)..<end].split(separator: ":")
      guard let number = inside.first.flatMap({ Int($0) }) else { break }
      if start > rest.startIndex { result.append(.text(String(rest[..<start]))) }
      result.append(.value(number, kind: inside.count > 1 ? inside[1] : ""))
      rest = rest[rest.index(after: end)...]
    }
    return rest.isEmpty ? result : result + [.text(String(rest))]
  }
}

/// The description of an error that this program has no message for: one of the system or of a library.
///
/// A description that Swift or C derives from names in code (`uncleanShutdown`, `invalidURL(excerpt: "x")`,
/// `connect(descriptor:addr:size:)`) says nothing to users and is not shown.
package enum ErrorDescription {
  /// Returns the description in words, or `nil` if the error has none.
  package static func text(of error: any Error) -> String? {
    if let error = error as? POSIXError { return String(cString: strerror(error.code.rawValue)) }
    if let error = error as? any LocalizedError, let text = error.errorDescription, isProse(text) { return text }
    // Foundation's own errors have sentences, which only this property returns.
    if let error = error as? CocoaError { return error.localizedDescription }
    let text = String(describing: error)
    return isProse(text) ? text : nil
  }

  /// Returns whether a text consists of words and not of names in code.
  package static func isProse(_ text: String) -> Bool {
    guard text.contains(" "), !text.contains("Error Domain=") else { return false }
    // A name in camel case or snake case, a call or a case with arguments, labels of arguments.
    let name = #/[a-z][A-Z]|[A-Za-z]_[A-Za-z]|[A-Za-z]\(|::|[A-Za-z]:[A-Za-z)]/#
    return text.firstMatch(of: name) == nil
  }
}
