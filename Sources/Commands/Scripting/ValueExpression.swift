import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import OrderedCollections
import Platform
import Presentation
import ShellRuntime
import Text

/// The text after `let NAME =`: one value, evaluated when the line is run.
package struct ValueExpression {
  private let text: String

  package init(_ text: String) { self.text = text }

  /// Returns the value.
  ///
  /// `_`, `@3` and `$name` are products; `TARGET.field` is a field, which is read from the market if necessary; a
  /// path into a response is its value; arithmetic is computed; a quoted text is a text, and a number a number.
  ///
  /// - Throws: `ParseError` for an invalid value; the client's errors if it has to be read.
  package func value(in scope: inout CommandScope) async throws -> Variable {
    if let target = wholeTarget, let response = scope.session.lastResponse(target) { return Variable(response) }
    if let target = wholeTarget, let product = scope.session.product(target) {
      return Variable(product, of: scope.session.reference(in: target)?.market)
    }
    if let (target, field) = try fieldOfTarget(scope.session) {
      return try await value(of: field, target, in: &scope)
    }
    return Variable(
      try scope.grammar.value(
        of: text, arguments: scope.session.script.arguments, variables: scope.session.value))
  }

  /// Checks the value before it is run.
  ///
  /// - Throws: `ParseError` for a value without variables that is invalid.
  func check(in scope: CommandScope) throws(ParseError) {
    guard !text.contains(where: { "$_@".contains($0) }), text.wholeMatch(of: /[0-9]+\.[A-Za-z_]+/) == nil else {
      return
    }
    _ = try scope.grammar.value(of: text)
  }

  /// The single target that the text is, without a dollar sign.
  private var wholeTarget: String? {
    if text == "_" || text.wholeMatch(of: /@[0-9]+/) != nil { return text }
    return text.wholeMatch(of: /\$([\p{L}_][\p{L}_0-9]*)/).map { String($0.1) }
  }

  /// Parses `_.price`, `@3.description`, `42.stock`, `$name.price`.
  private func fieldOfTarget(_ session: Session) throws -> (target: String, field: ProductField)? {
    guard let match = text.wholeMatch(of: /(_|@[0-9]+|[0-9]+|\$[\p{L}_][\p{L}_0-9]*)\.([A-Za-z_]+)/) else { return nil }
    guard let field = session.server.fieldNames.field(String(match.2)) else {
      // `1.k` and a path into a response are not fields of a product.
      guard match.1.allSatisfy(\.isNumber), match.2.count > 1 else { return nil }
      throw ParseError.unknownField(String(match.2), in: session.server.fieldNames)
    }
    let name = match.1.hasPrefix("$") ? String(match.1.dropFirst()) : String(match.1)
    // It is a path into a response, whose members may have the names of fields.
    if session.lastResponse(name) != nil || session.variables[name]?.value.object != nil { return nil }
    return (String(match.1), field)
  }

  private func value(of field: ProductField, _ target: String, in scope: inout CommandScope) async throws -> Variable {
    let name = target.hasPrefix("$") ? String(target.dropFirst()) : target
    let seen = scope.session.product(name)
    if let value = seen?.value(of: field) { return Variable(value) }
    let number = name.wholeMatch(of: /[0-9]+/) != nil ? name : scope.session.variables[name]?.text
    guard let id = seen?.id ?? number.flatMap({ ValueExpression.number($0) }) else {
      throw Word.withoutValue(name + "." + field.rawValue)
    }
    // A row of a list lacks some fields, so the product itself is read.
    let product = try await ReturnedProductReader(scope.marketClient(), scope).product(id)
    guard let value = product.value(of: field) else {
      throw CommandError(
        .refused,
        .failure(
          "Product \(id) has no \(.field(field)) in this edition.",
          ko: "이 API 버전에서는 \(id)번 상품에 \(.field(field)) 값이 없습니다."))
    }
    return Variable(value)
  }

  private static func number(_ text: String) -> Product.ID? {
    guard text.utf8.count <= 15 else { return nil }
    return Int(text).flatMap { $0 > 0 ? $0 : nil }
  }
}
