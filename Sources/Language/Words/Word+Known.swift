import Catalog
import Text

extension Word {
  /// The word itself, when every variable in it had a value.
  func known() throws(Misread) -> Word {
    guard let unknown else { return self }
    throw Word.withoutValue(unknown, at: range)
  }

  /// Why a name has no value, and what would give it one.
  package static func withoutValue(_ name: String, at range: Range<Int>? = nil) -> Misread {
    if isArgument(name) {
      return Misread(
        Wording("The script was given no argument \(name).", ko: "스크립트에 \(name)번째 인자가 없습니다."),
        next: Wording(
          "Arguments stand after the file: \(.command("source FILE ARGS")). As text it is written \(.command("\\$" + name)).",
          ko: "인자는 파일 뒤에 적습니다: \(.command("source FILE ARGS")). 글이라면 \(.command("\\$" + name)), 이렇게 적습니다."),
        at: range)
    }
    if name.hasPrefix("@") { return ofRow(name, at: range) }
    if name == "_" || name.hasPrefix("_.") {
      return Misread(
        Wording("\(.field(name)) has no value.", ko: "\(.field(name)) 값이 없습니다."),
        next: Wording(
          "It is of the last product shown: \(.command("show 42")).", ko: "마지막으로 본 상품의 값입니다: \(.command("show 42"))"),
        at: range)
    }
    if let dot = name.firstIndex(of: ".") {
      let variable = String(name[..<dot])
      return Misread(
        Wording("\(.field("$" + name)) has no value.", ko: "\(.field("$" + name)) 값이 없습니다."),
        next: Wording(
          "A variable with fields holds a product: \(.command("let \(variable) = show 42")).",
          ko: "필드가 있는 변수에는 상품이 들어 있습니다: \(.command("let \(variable) = show 42"))"), at: range)
    }
    return Misread(
      Wording("There is no variable \(.field("$" + name)).", ko: "\(.field("$" + name)) 변수가 없습니다."),
      next: Wording("\(.command("let NAME = VALUE")) makes one.", ko: "\(.command("let NAME = VALUE"))로 만듭니다."),
      at: range)
  }

  private static func ofRow(_ name: String, at range: Range<Int>?) -> Misread {
    Misread(
      Wording("\(.field(name)) has no value.", ko: "\(.field(name)) 값이 없습니다."),
      next: Wording(
        "It is of a row of the last listing: \(.command("ls")). A file of that name is written \(.command("@./" + name.dropFirst())).",
        ko: "마지막 목록에 있는 행의 값입니다: \(.command("ls")). 그런 이름의 파일이라면 \(.command("@./" + name.dropFirst())), 이렇게 적습니다."),
      at: range)
  }
}
