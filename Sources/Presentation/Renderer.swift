/// Turns a report into the text of one format; the same report and options give the same bytes.
package protocol Renderer: Sendable {
  /// Ends with exactly one line end, or is empty when there is nothing to show.
  func render(_ report: Report, _ options: RenderOptions) -> String
}
