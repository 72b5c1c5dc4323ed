import Foundation

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
