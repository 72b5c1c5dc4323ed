import Catalog
import Text

/// Headings with their values beside them, long values wrapped under their column; under the heading where it is narrow.
enum LabelledLines {
  /// A heading and its harmless values, each beginning a line of its own.
  struct Entry {
    var title: String
    var values: [String]
    init(_ title: String, _ values: [String]) {
      self.title = title
      self.values = values
    }
  }

  /// A value column narrower than this reads worse than lines of the whole width.
  private static let leastRoom = 8

  /// Cells that a value beside or below these titles has; nil where lines are as long as they are.
  static func room(beside titles: [String], _ options: RenderOptions) -> Int? {
    guard let width = options.isTerminal ? options.lineWidth : nil else { return nil }
    let column = column(titles, options)
    return width - column >= leastRoom ? width - column : width
  }

  private static func column(_ titles: [String], _ options: RenderOptions) -> Int {
    (titles.map { options.cells.of($0) }.max() ?? 0) + 2
  }

  static func lines(_ entries: [Entry], _ options: RenderOptions) -> [String] {
    let column = column(entries.map(\.title), options)
    guard let width = options.isTerminal ? options.lineWidth : nil else { return beside(entries, column, nil, options) }
    guard width - column >= leastRoom else { return below(entries, width, options) }
    return beside(entries, column, width - column, options)
  }

  private static func beside(
    _ entries: [Entry], _ column: Int, _ room: Int?, _ options: RenderOptions
  ) -> [String] {
    entries.flatMap { entry in
      let title = Styling.paint(options.cells.padded(entry.title, to: column), .dim, options)
      let filling = String(repeating: " ", count: column)
      return wrapped(entry.values, room, options).enumerated().map { ($0 == 0 ? title : filling) + $1 }
    }
  }

  private static func below(_ entries: [Entry], _ width: Int, _ options: RenderOptions) -> [String] {
    entries.flatMap { entry in
      let title = options.cells.fit(entry.title, to: width, ellipsis: options.ellipsis)
      return [Styling.paint(title, .dim, options)] + wrapped(entry.values, width, options)
    }
  }

  private static func wrapped(_ values: [String], _ room: Int?, _ options: RenderOptions) -> [String] {
    values.flatMap { Styling.lines(StyledText($0), width: room, options) }
  }
}
