import Catalog
import CommandLanguage
import Presentation
import Text
import WriteJournal

/// The warnings about names that a plan gives to several products.
enum EqualNames {
  /// Returns a warning if several products get the same name, and one if the name looks like a formula, which it isn't.
  static func warnings(of plan: Plan) -> [Message] {
    var counts: [String: Int] = [:]
    var edited: Set<String> = []
    for change in plan.changes {
      switch change {
      case .create(let draft): counts[draft.name, default: 0] += 1
      case .edit(_, let from, let to):
        guard let name = to.name, name != from.name else { continue }
        counts[name, default: 0] += 1
        edited.insert(name)
      case .delete: break
      }
    }
    guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), most.value > 1 else {
      return counts.keys.sorted().prefix(1).compactMap(formula)
    }
    let warning = Message.warning(
      "\(most.value) products get the same name: \(.foreign(most.key)).",
      ko: "상품 \(most.value)개의 이름이 똑같아집니다: \(.foreign(most.key)).")
    guard edited.contains(most.key) else { return [warning] }
    if let formula = formula(most.key) { return [formula] }
    return [
      warning.next(
        "To change a part of each name, use \(.command("name~s/OLD/NEW/")).",
        ko: "이름의 일부만 바꾸려면 \(.command("name~s/이전/새것/"), .object) 쓰세요.")
    ]
  }

  /// Returns the warning about a name such as `replace(Mugg,Mug)`, or `nil`.
  private static func formula(_ name: String) -> Message? {
    guard
      let match = name.wholeMatch(of: /(replace|substitute|concat|upper|lower|trim|left|right)\((.*)\)/.ignoresCase())
    else { return nil }
    let parts = match.2.split(separator: ",").map { $0.trimmed }
    let isReplacement = ["replace", "substitute"].contains(match.1.lowercased()) && parts.count >= 2
    let line = isReplacement ? "name~s/\(parts[parts.count - 2])/\(parts[parts.count - 1])/" : "name~s/OLD/NEW/"
    return .warning(
      "The name is the text \(.foreign(name)). Names have no functions.",
      ko: "이름이 \(.foreign(name))라는 텍스트가 됩니다. 이름에는 함수를 쓸 수 없습니다."
    ).next(
      "To replace a part of the name, use \(.command(line)).", ko: "이름의 일부를 바꾸려면 \(.command(line), .object) 쓰세요.")
  }
}
