/// Converts a report to the text of one format.
///
/// A renderer is deterministic: equal reports and options give equal texts.
package protocol Renderer: Sendable {
  /// Returns the text, which ends with exactly one newline or is empty if there is nothing to show.
  func render(_ report: Report, _ options: RenderOptions) -> String
}
