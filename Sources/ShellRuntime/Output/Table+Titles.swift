import Presentation
import Text

extension Table {
  /// The headings in both languages with the keys of their columns, for conditions that refer to a column by its
  /// heading.
  package var titles: [String: String] {
    var titles: [String: String] = [:]
    for column in columns {
      for title in [column.title.english.plain, column.title.korean.plain] where title != column.key {
        titles[title] = column.key
      }
    }
    return titles
  }
}
