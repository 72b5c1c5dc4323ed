/// Converts a report to the text of one format.
///
/// The same report and options always give the same text.
package protocol Renderer: Sendable {
  /// Returns the text, which ends with exactly one newline or is empty if there is nothing to show.
  func render(_ report: Report, _ options: RenderOptions) -> String
}
