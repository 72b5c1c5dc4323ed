import Catalog
import Platform
import Presentation
import Text

/// A difference between a folder and its market since the folder was pulled or pushed: a product, or one field of it.
///
/// It has three values in place of the two of a `ProductDifference`, and a file, which may have no product.
struct FolderDifference: Hashable, Sendable {
  /// The side that changed since the folder was pulled or pushed.
  enum Side: String, Hashable, Sendable {
    case local
    case market
    case both
  }

  var file: FileName
  var id: Product.ID?
  var side: Side
  var kind: ProductDifference.Kind
  var base: FieldValue?
  var local: FieldValue?
  var market: FieldValue?

  /// Returns the table of differences, one row for each changed field.
  static func table(_ differences: [FolderDifference]) -> Table {
    Table(
      [
        .init("file", LocalizedText("file", ko: "파일")),
        .init("id", LocalizedText("id", ko: "번호"), isNumber: true),
        .init("side", LocalizedText("side", ko: "쪽")), .init("change", LocalizedText("change", ko: "변경")),
        .init("field", LocalizedText("field", ko: "필드")), .init("base", LocalizedText("base", ko: "기준"), dropOrder: 1),
        .init("local", LocalizedText("local", ko: "파일 값")), .init("market", LocalizedText("market", ko: "서버 값")),
      ],
      rows: differences.map { one in
        [
          .text("products/\(one.file)"), one.id.map { .number($0) } ?? .none, .localized(one.side.words),
          .localized(one.word), one.kind.field.map { .text($0.rawValue) } ?? .none, cell(one.base), cell(one.local),
          cell(one.market),
        ]
      })
  }

  /// The word for the kind, which data formats have in English.
  var word: LocalizedText {
    switch kind {
    case .added: LocalizedText("new", ko: "새 상품")
    case .changed: LocalizedText("changed", ko: "변경")
    case .removed: LocalizedText("deleted", ko: "삭제")
    }
  }

  private static func cell(_ value: FieldValue?) -> Table.Cell { Table.Cell(value?.withShortDigests) }

  /// The value as text for a message.
  static func text(_ value: FieldValue?) -> String { value?.withShortDigests.description ?? "-" }
}

extension FieldValue {
  /// The value with the first digits of the digests of pictures, which are enough to distinguish them.
  var withShortDigests: FieldValue {
    if case .references(let digests) = self { .references(digests.map { String($0.prefix(12)) }) } else { self }
  }
}

extension FolderDifference.Side {
  fileprivate var words: LocalizedText {
    switch self {
    case .local: LocalizedText("local", ko: "파일")
    case .market: LocalizedText("market", ko: "서버")
    case .both: LocalizedText("both", ko: "양쪽")
    }
  }
}

extension [FolderDifference] {
  /// Returns the message that lists the conflicts, or `nil` if there are none.
  ///
  /// - Parameter command: The command that can decide them: `pull shop`.
  func conflictMessage(_ command: String) -> Message? {
    let conflicts = filter { $0.side == .both }
    guard !conflicts.isEmpty else { return nil }
    let count = conflicts.count
    let message = Message.warning(
      "\(count) \(count == 1 ? StyledText("conflict") : "conflicts"): changed both in the folder and on the server. Both sides were left as they are:",
      ko: "폴더와 서버에서 모두 바뀐 것이 \(count)개 있어 양쪽 다 그대로 둡니다:")
    return message.because(first: 10, of: conflicts) { one in
      let name = "products/\(one.file)"
      guard let field = one.kind.field else {
        return one.kind == .removed && one.local == nil
          ? LocalizedText(
            "\(.value(name)): deleted in the folder, changed on the server", ko: "\(.value(name)): 폴더에서 삭제, 서버에서 변경")
          : LocalizedText(
            "\(.value(name)): changed in the folder, deleted on the server", ko: "\(.value(name)): 폴더에서 변경, 서버에서 삭제")
      }
      let texts = [one.base, one.local, one.market].map { FolderDifference.text($0) }
      return LocalizedText(
        "\(.value(name)), \(.field(field)): pulled \(.foreign(texts[0])), file \(.foreign(texts[1])), server \(.foreign(texts[2]))",
        ko:
          "\(.value(name))의 \(.field(field)): 가져온 값 \(.foreign(texts[0])), 파일 \(.foreign(texts[1])), 서버 \(.foreign(texts[2]))"
      )
    }.next(
      "Use \(.command("\(command) keep file")) to keep the folder's values or \(.command("\(command) keep server")) to take the server's.",
      ko:
        "폴더의 값을 따르려면 \(.command("\(command) keep file"), .object), 서버의 값을 따르려면 \(.command("\(command) keep server"), .object) 쓰세요."
    )
  }
}
