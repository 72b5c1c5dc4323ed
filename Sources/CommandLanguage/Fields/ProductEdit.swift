import Catalog
import Text

/// The assignments of one command, and their result for a product, in exact decimals.
package struct ProductEdit: Hashable, Sendable {
  package var edits: [ParsedAssignment]
  /// The step to whose multiples computed prices are rounded.
  package var step: Amount?
  /// The rule for results in the middle between two steps.
  package var rounding = Amount.Rounding.toNearestOrEven
  package var limits: LimitPolicy

  /// Parses the assignments to product fields; others (`images`, `identifier`) are ignored.
  ///
  /// `round` is the value of the option of that name. Names are shared names, as returned by `CommandParser.read`.
  ///
  /// - Throws: `ParseError` for an invalid value, and for assignments that contradict each other.
  package init(
    _ assignments: [Assignment], round: String? = nil, half rounding: Amount.Rounding = .toNearestOrEven,
    limits: LimitPolicy
  ) throws(ParseError) {
    self.limits = limits
    self.rounding = rounding
    edits = []
    for assignment in assignments {
      guard let field = ProductField(rawValue: assignment.name), field != .images else { continue }
      edits.append(try ParsedAssignment(assignment, field: field, limits: limits))
    }
    if let round {
      guard let step = Amount(typed: round.withPlainDigits), step > .zero else {
        throw ParseError(
          LocalizedText(
            "Invalid value for \(.field("round")): \(round).", ko: "\(.field("round"))에 \(round, .object) 쓸 수 없습니다."),
          suggestion: LocalizedText("Use a step such as \(.value("100")).", ko: "\(.value("100")) 같은 단위입니다."))
      }
      self.step = step
    }
    try checkSale()
  }

  /// Creates the edit that sets fields to the values of a file, a snapshot or another market; those that a value alone
  /// can't set are ignored.
  ///
  /// - Throws: `ParseError` for a value that `limits` doesn't allow, and for a discount with a sale price.
  package init(setting values: [ProductField: FieldValue], limits: LimitPolicy) throws(ParseError) {
    self.limits = limits
    edits = []
    for field in ProductField.allCases {
      guard let value = values[field], let edit = try ParsedAssignment(setting: field, to: value, limits: limits) else {
        continue
      }
      edits.append(edit)
    }
    try checkSale()
  }

  /// Throws if the edits set the sale price and the discount.
  private func checkSale() throws(ParseError) {
    if let sale = edits.first(where: { $0.field == .sale }), edits.contains(where: { $0.field == .discount }) {
      throw ParseError(
        LocalizedText(
          "\(.field(ProductField.sale)) and \(.field(ProductField.discount)) cannot both be set.",
          ko: "\(.field(ProductField.sale), .with) \(.field(ProductField.discount), .topic) 함께 지정할 수 없습니다."),
        suggestion: LocalizedText(
          "The sale price is calculated as price - discount.", ko: "판매가는 언제나 price - discount입니다."),
        at: sale.range
      )
    }
  }

  /// Returns these edits together with the assignments whose files have been read, validated against `limits`.
  ///
  /// - Throws: `ParseError` for a value that `limits` doesn't allow.
  package func limited(to limits: LimitPolicy, with files: [Assignment] = []) throws(ParseError) -> ProductEdit {
    var limited = try ProductEdit(files, limits: limits)
    for edit in edits { try edit.check(limits) }
    limited.edits = (edits + limited.edits).sorted { $0.range.lowerBound < $1.range.lowerBound }
    (limited.step, limited.rounding) = (step, rounding)
    return limited
  }

  /// A Boolean value that indicates whether the result depends on the current product: `price-=10%`, `sale=price*0.9`,
  /// `name~s/컵/머그/`.
  package var isRelative: Bool {
    edits.contains { edit in
      if edit.operation != .set { return true }
      if case .formula(let formula) = edit.value { return !formula.fields.isEmpty }
      return false
    }
  }

  /// A Boolean value that indicates whether the edits have a further effect when they are made again: `stock+=1` has,
  /// `discount=10%` has not.
  package var isCumulative: Bool {
    var written = Set(edits.map(\.field))
    if written.contains(.sale) { written.insert(.discount) }
    if written.contains(.price) || written.contains(.discount) { written.insert(.sale) }
    return edits.contains { edit in
      if edit.operation != .set { return true }
      if case .formula(let formula) = edit.value { return !written.isDisjoint(with: formula.fields) }
      return false
    }
  }

  /// The fields that the edits set.
  package var assignedFields: [ProductField] { ProductField.writable.filter(Set(edits.map(\.field)).contains) }

  /// The fields of a product that are needed to change it and to check the change.
  package var fieldsNeeded: Set<ProductField> {
    var fields = Set(edits.map(\.field))
    for case .formula(let formula) in edits.map(\.value) { fields.formUnion(formula.fields) }
    if !fields.isDisjoint(with: [.price, .discount, .sale, .currency]) {
      fields.formUnion([.price, .discount, .currency])
    }
    return fields
  }

  /// Returns the assigned fields with their new values.
  ///
  /// A new product is passed as one without values.
  ///
  /// - Throws: `ParseError` if the product makes a value impossible: a discount above its price, or arithmetic on a
  ///   missing value.
  package func applied(to product: Product) throws(ParseError) -> ProductValues {
    var result = ProductValues()
    try checkSigns(of: product)
    for edit in edits where edit.field != .sale && !edit.isComputed { try apply(edit, to: &result, of: product) }
    // Computed values use the other values assigned in the line: `discount=10%` uses the new price.
    for edit in edits where edit.field != .sale && edit.isComputed {
      try apply(edit, to: &result, of: product.with(result))
    }
    for edit in edits where edit.field == .sale {
      let product = product.with(result)
      guard let price = result.price ?? product.price else { throw ProductEdit.unknown(.price, edit.range) }
      let current = product.sale ?? price - (product.discount ?? .zero)
      let sale = try amount(edit, current, of: product)
      guard sale <= price else {
        throw ProductEdit.above(.sale, amount: sale, price: price, in: product.currency, at: edit.range)
      }
      result.discount = price - sale
    }
    try checkDiscount(result, of: product)
    return result
  }

  /// Returns the values that differ from the product, and its current values of the same fields, as in `Change.edit`.
  ///
  /// - Throws: The errors of `applied`.
  package func changes(of product: Product) throws(ParseError) -> (from: ProductValues, to: ProductValues) {
    let to = try applied(to: product).removingValues(of: product)
    var from = ProductValues(of: product, like: to)
    // The current thumbnail is known from the order of the pictures.
    from.thumbnailID = nil
    return (from, to)
  }

  private func apply(_ edit: ParsedAssignment, to result: inout ProductValues, of product: Product) throws(ParseError) {
    switch edit.field {
    case .name: result.name = try text(edit, result.name ?? product.name)
    case .description: result.description = try text(edit, result.description ?? product.description)
    case .currency: if case .text(let text) = edit.value { result.currency = Currency(text) }
    case .price: result.price = try amount(edit, result.price ?? product.price, of: product)
    case .discount: result.discount = try amount(edit, result.discount ?? product.discount, of: product)
    case .stock: result.stock = try stock(edit, result.stock ?? product.stock, of: product)
    case .thumbnail: result.thumbnailID = try picture(edit, of: product)
    case .sale, .id, .vendor, .vendorID, .created, .modified, .images: break
    }
  }

  private func text(_ edit: ParsedAssignment, _ current: String?) throws(ParseError) -> String? {
    switch edit.value {
    case .text(let text): return text
    case .substitution(let substitution):
      guard let current else { throw ProductEdit.unknown(edit.field, edit.range) }
      let text = try substitution.applied(to: current)
      return text == current ? current : try FieldValueParser.text(text, of: edit.field, limits, at: edit.range)
    case .number, .percent, .formula: return nil
    }
  }

  private func amount(_ edit: ParsedAssignment, _ current: Amount?, of product: Product) throws(ParseError) -> Amount {
    if edit.operation == .set, case .number(let number) = edit.value { return number }
    let exact = try computed(edit, current, of: product)
    // Prices have at most 2 decimals. Without `round` the last of them is rounded half to even.
    let rounded = step.map { exact.rounded(toStep: $0, half: rounding) } ?? exact.rounded(to: 2)
    guard let result = Amount(typed: rounded.description) else {
      throw ProductEdit.outside(edit.field, text: rounded.description, at: edit.range)
    }
    return result
  }

  private func stock(_ edit: ParsedAssignment, _ current: Int?, of product: Product) throws(ParseError) -> Int {
    var result = Amount.zero
    if edit.operation == .set, case .number(let number) = edit.value {
      // The value has already been parsed and checked against the limits.
      guard number >= 0 else { return -(NumberLiteral.integer((-number).description) ?? 0) }
      result = number
    } else {
      let exact = try computed(edit, current.map { Amount($0) }, of: product)
      // `round 100` applies to prices: a stock of 30 must not become 0.
      result = exact.rounded(to: 0)
    }
    guard let number = NumberLiteral.integer(result.description), FieldValueParser.stockRange.contains(number) else {
      throw ProductEdit.outside(.stock, text: result.description, at: edit.range)
    }
    return number
  }

  private static let hundredth = Amount(units: 1, exponent: -2)

  /// Returns the exact result before rounding.
  private func computed(_ edit: ParsedAssignment, _ current: Amount?, of product: Product) throws(ParseError) -> Amount
  {
    var operand = Amount.zero
    switch edit.value {
    case .number(let number): operand = number
    case .percent(let percent):
      guard let current else { throw ProductEdit.unknown(edit.field, edit.range) }
      operand = (edit.operation == .multiply ? percent : current * percent) * ProductEdit.hundredth
    case .formula(let formula):
      guard let value = formula.value(of: product) else {
        throw ProductEdit.withoutResult(formula, product: product, at: edit.range)
      }
      operand = value
    case .text, .substitution: break
    }
    guard edit.operation != .set else { return operand }
    guard let current else { throw ProductEdit.unknown(edit.field, edit.range) }
    switch edit.operation {
    case .add: return current + operand
    case .subtract: return current - operand
    case .multiply: return current * operand
    case .set, .substitute: return operand
    }
  }

  private static func withoutResult(_ formula: Formula, product: Product, at range: Range<Int>) -> ParseError {
    for field in ProductField.allCases
    where formula.fields.contains(field) && product[field]?.numericValue == nil {
      if field.isNumber { return unknown(field, range) }
    }
    return ParseError(
      LocalizedText(
        "Cannot calculate \(.command(formula.description)) for product \(product.id).",
        ko: "\(product.id)번 상품에서는 \(.command(formula.description)) 값을 계산할 수 없습니다."),
      suggestion: LocalizedText(
        "It divides by zero, or the result is too large.", ko: "0으로 나누거나 결과가 너무 큽니다."), at: range)
  }

  /// Returns the id of a picture, which the API requires, for its position: `thumbnail=2` is the second picture.
  private func picture(_ edit: ParsedAssignment, of product: Product) throws(ParseError) -> Int? {
    guard case .number(let number) = edit.value, let position = NumberLiteral.integer(number.description) else {
      return nil
    }
    guard let images = product.images else { throw ProductEdit.unknown(.images, edit.range) }
    guard position <= images.count, let id = images[position - 1].id else {
      throw ParseError(
        LocalizedText(
          "Product \(product.id) has \(images.count) \(images.count == 1 ? StyledText("image") : "images"); there is no image \(position).",
          ko: "\(product.id)번 상품의 사진은 \(images.count)장이라 \(position)번째 사진이 없습니다."), at: edit.range)
    }
    return id
  }

  private func checkDiscount(_ result: ProductValues, of product: Product) throws(ParseError) {
    guard limits == .documented, result.price != nil || result.discount != nil,
      let price = result.price ?? product.price, let discount = result.discount ?? product.discount,
      discount > price
    else { return }
    let range = edits.first { $0.field == .discount || $0.field == .price }?.range
    throw ProductEdit.above(
      .discount, amount: discount, price: price, in: result.currency ?? product.currency, at: range)
  }

  private func checkSigns(of product: Product) throws(ParseError) {
    var currency = product.currency
    for edit in edits where edit.field == .currency {
      if case .text(let code) = edit.value { currency = Currency(code) }
    }
    guard let currency else { return }
    for edit in edits {
      if let sign = edit.sign, sign != currency { throw FormattedAmount.mismatch(sign, currency, at: edit.range) }
    }
  }

  private static func above(
    _ field: ProductField, amount: Amount, price: Amount, in currency: Currency?, at range: Range<Int>?
  ) -> ParseError {
    let (amount, price) = (amount.formatted(in: currency), price.formatted(in: currency))
    return ParseError(
      LocalizedText(
        "\(.field(field)) \(amount) is higher than the \(.field(ProductField.price)) \(price).",
        ko: "\(field == .sale ? StyledText("판매가") : "할인") \(amount, .subject) 정가 \(price)보다 큽니다."),
      suggestion: field == .sale
        ? LocalizedText("The sale price cannot be higher than the price.", ko: "판매가는 정가를 넘을 수 없습니다.")
        : LocalizedText("The discount cannot be higher than the price.", ko: "할인은 정가를 넘을 수 없습니다."), at: range)
  }

  private static func unknown(_ field: ProductField, _ range: Range<Int>) -> ParseError {
    ParseError(
      LocalizedText("The \(.field(field)) of this product is unknown.", ko: "상품의 \(.field(field)) 값을 알 수 없습니다."),
      at: range)
  }

  private static func outside(_ field: ProductField, text: String, at range: Range<Int>) -> ParseError {
    ParseError(
      LocalizedText("\(.field(field)) would become \(text).", ko: "\(.field(field)) 값이 \(text, .subject) 됩니다."),
      suggestion: field == .stock
        ? LocalizedText("Stock must be a whole number from 0 to 1000000000000.", ko: "재고는 0부터 1000000000000까지의 정수입니다.")
        : LocalizedText("A price must be 0 or more, with up to 15 digits.", ko: "금액은 0 이상이고 15자리까지입니다."), at: range)
  }
}

extension Product {
  /// Returns this product with its fields replaced by those values.
  fileprivate func with(_ values: ProductValues) -> Product {
    var copy = self
    copy.apply(values)
    return copy
  }
}

/// A parsed and validated assignment to a field.
package struct ParsedAssignment: Hashable, Sendable {
  /// The value, as far as it can be interpreted without the product.
  package enum Value: Hashable, Sendable {
    case text(String)
    case number(Amount)
    case percent(Amount)
    case formula(Formula)
    case substitution(Substitution)
  }

  package var field: ProductField
  package var operation: Assignment.Operator
  package var value: Value
  /// The currency that the symbol of an amount implies: `₩18,500`.
  package private(set) var sign: Currency?
  package var range: Range<Int>

  /// Parses an assignment with a shared field name.
  ///
  /// The content of files must already be in its value.
  ///
  /// - Throws: `ParseError` for an invalid value.
  package init(_ assignment: Assignment, field: ProductField, limits policy: LimitPolicy) throws(ParseError) {
    self.field = field
    operation = assignment.operation
    range = assignment.range
    let text = assignment.value
    if let formula = assignment.formula {
      value = .formula(formula)
      return
    }
    switch (field, operation) {
    case (.name, .substitute), (.description, .substitute): value = .substitution(try Substitution(text))
    case (.price, .substitute), (.discount, .substitute), (.sale, .substitute), (.stock, .substitute):
      throw ParseError(
        LocalizedText(
          "Only \(.field("name")) and \(.field("description")) support substitutions.",
          ko: "문자열 치환은 \(.field("name"))과 \(.field("description"))에만 쓸 수 있습니다."), at: range)
    case (.price, .set), (.discount, .set), (.sale, .set):
      let money = try FieldValueParser.money(text, of: field, at: range)
      value = .number(money.amount)
      sign = money.currency
    case (.stock, .set):
      let digits = text.withPlainDigits
      let plain = FormattedAmount(digits).flatMap { $0.currency == nil ? $0.amount.description : nil } ?? text
      value = .number(Amount(try FieldValueParser.stock(plain, policy, at: range)))
    case (.price, _), (.discount, _), (.sale, _), (.stock, _):
      let money = FormattedAmount(text.withPlainDigits)
      value = try ParsedAssignment.operand(
        money?.amount.description ?? text.withPlainDigits, field: field, operation: operation, at: range)
      sign = money?.currency
    case (.name, .set), (.description, .set):
      value = .text(try FieldValueParser.text(text, of: field, policy, at: range))
    case (.currency, .set): value = .text(try FieldValueParser.currency(text, at: range).code)
    case (.thumbnail, .set):
      guard let number = NumberLiteral.integer(text), number > 0 else {
        throw ParseError(
          LocalizedText(
            "\(.field(field)) must be the number of an image, from 1.", ko: "\(.field(field)) 값은 1부터 시작하는 사진 번호입니다."),
          at: range)
      }
      value = .number(Amount(number))
    case (.name, _), (.description, _), (.currency, _), (.thumbnail, _), (.id, _), (.vendor, _), (.vendorID, _),
      (.created, _), (.modified, _), (.images, _):
      throw ParseError(
        LocalizedText(
          "\(.field(field)) does not support \(.command(operation.rawValue)).",
          ko: "\(.field(field)) 값은 \(.command(operation.rawValue)) 기호로 바꿀 수 없습니다."), at: range)
    }
  }

  /// Creates the assignment of a value, or `nil` for a field that a value alone can't set.
  ///
  /// - Throws: `ParseError` for a value that the field can't have.
  fileprivate init?(setting field: ProductField, to given: FieldValue, limits policy: LimitPolicy) throws(ParseError) {
    self.field = field
    operation = .set
    range = 0..<0
    let text = given.description
    switch field {
    case .name, .description: value = .text(try FieldValueParser.text(text, of: field, policy))
    case .stock: value = .number(Amount(try FieldValueParser.stock(text, policy)))
    case .currency: value = .text(try FieldValueParser.currency(text).code)
    case .price, .discount, .sale: value = .number(try FieldValueParser.amount(text, of: field))
    case .id, .vendor, .vendorID, .created, .modified, .thumbnail, .images: return nil
    }
  }

  /// A Boolean value that indicates whether the value depends on other values of the product.
  var isComputed: Bool {
    if case .formula = value { return true }
    return false
  }

  /// Validates the parsed value against a limit policy.
  ///
  /// - Throws: `ParseError` for a value that `policy` doesn't allow.
  func check(_ policy: LimitPolicy) throws(ParseError) {
    switch (field, value) {
    case (.name, .text(let text)), (.description, .text(let text)):
      _ = try FieldValueParser.text(text, of: field, policy, at: range)
    case (.stock, .number(let number)) where operation == .set:
      _ = try FieldValueParser.stock(number.description, policy, at: range)
    case (_, .text), (_, .number), (_, .percent), (_, .formula), (_, .substitution): break
    }
  }

  /// Parses an operand: `10`, `0.9`, `10%`.
  private static func operand(
    _ text: String, field: ProductField, operation: Assignment.Operator, at range: Range<Int>
  ) throws(ParseError) -> Value {
    let isPercent = text.hasSuffix("%")
    if let number = NumberLiteral.decimal(isPercent ? String(text.dropLast()) : text), number >= 0 {
      return isPercent ? .percent(number) : .number(number)
    }
    let shown = FieldValueParser.quotedIfEmpty(text)
    throw ParseError(
      LocalizedText(
        "\(.command(field.rawValue + operation.rawValue)) needs a number, not \(shown).",
        ko: "\(.command(field.rawValue + operation.rawValue)) 뒤에는 수가 옵니다. \(shown, .topic) 수가 아닙니다."),
      suggestion: LocalizedText(
        "For example: \(.command("price-=1000")), \(.command("price-=10%")) or \(.command("price*=0.9")).",
        ko: "\(.command("price-=1000")), \(.command("price-=10%")), \(.command("price*=0.9"))처럼 씁니다."), at: range)
  }
}

/// A typed assignment, `field=value`.
///
/// The command decides what the value means.
package struct Assignment: Hashable, Sendable {
  /// The operation on the existing value.
  package enum Operator: String, Hashable, Sendable, CaseIterable {
    case set = "="
    case add = "+="
    case subtract = "-="
    case multiply = "*="
    /// A substitution: `name~s/a/b/`.
    case substitute = "~"
  }

  package var name: String
  package var operation: Operator
  package var value: String
  /// A Boolean value that indicates an unquoted `@path`, whose file is read (`@-` means standard input).
  ///
  /// `value` is the path.
  package var isFile: Bool
  /// A Boolean value that indicates a quoted value, which is text even if it looks like a number.
  package var isQuoted = false
  /// The formula of a computed value: `round(price*1.1, 100)`, `10%`.
  package var formula: Formula?
  /// The position in the line, in Unicode scalars.
  package var range: Range<Int>

  package init(_ name: String, _ operation: Operator, to value: String, isFile: Bool = false, range: Range<Int>) {
    self.name = name
    self.operation = operation
    self.value = value
    self.isFile = isFile
    self.range = range
  }
}

extension Assignment {
  /// The paths in a value of `images`.
  ///
  /// A file of an image is sent and not read as text, so `@`, which other programs need, makes no difference.
  package var imagePaths: [String] {
    value.split(atScalar: ",").map { path in
      let path = path.trimmed
      return (isFile ? path.dropping(firstScalar: "@").map { String($0) } : nil) ?? path
    }
  }

  /// The names whose values must not be typed in a line.
  package static let secretNames = ["secret", "password", "passwd", "weather_key"]

  /// Returns whether one of those names occurs in the text, ignoring case.
  package static func mentionsSecretName(_ text: String) -> Bool {
    let lowered = Array(text.lowercased().utf8)
    return secretNames.contains { name in
      lowered.indices.contains { lowered[$0...].starts(with: name.utf8) }
    }
  }

  /// Returns the word as an assignment, or `nil` if it doesn't begin with a bare name and operator.
  ///
  /// `"a=b"` and a variable `$x` that contains `a=b` are text.
  package static func split(_ word: Word) -> Assignment? {
    // A mark may follow the operator: `name=\u{301}`.
    let bare = Substring(word.bareBeginning).unicodeScalars
    guard let equals = bare.firstIndex(where: { $0 == "=" || $0 == "~" }) else { return nil }
    var name = bare[..<equals]
    var operation = Operator.set
    switch name.last {
    case "+": operation = .add
    case "-": operation = .subtract
    case "*": operation = .multiply
    default: break
    }
    if bare[equals] == "~" {
      guard operation == .set else { return nil }
      operation = .substitute
    } else if operation != .set {
      name = name.dropLast()
    }
    guard let first = name.first, Lexer.isNameStart(first),
      name.allSatisfy({ Lexer.isName($0) || $0 == "-" || $0 == "." || $0 == "[" || $0 == "]" })
    else { return nil }
    var beginning = bare[bare.index(after: equals)...]
    let isFile = beginning.first == "@"
    if isFile { beginning.removeFirst() }
    let value = String(beginning) + word.parts.dropFirst().map(\.text).joined()
    var assignment = Assignment(String(name), operation, to: value, isFile: isFile, range: word.range)
    assignment.isQuoted = word.parts.contains { $0.kind == .quoted }
    return assignment
  }

  /// Returns the error for a secret in a line, which would end up in histories, scripts and process lists.
  static func inlineSecretError(of assignment: Assignment) -> ParseError? {
    guard secretNames.contains(assignment.name.lowercased()), !assignment.isFile else { return nil }
    return ParseError(
      LocalizedText(
        "Do not type a secret on the command line. It would end up in histories and scripts.",
        ko: "시크릿은 명령에 직접 적지 마세요. 입력 기록과 스크립트에 남습니다."),
      suggestion: LocalizedText(
        "Leave it out to be asked for it, or read it from a file: \(.command("\(assignment.name)=@file")).",
        ko: "생략하면 화면에 보이지 않게 물어봅니다. 또는 \(.command("\(assignment.name)=@file"))처럼 적습니다."),
      at: assignment.range)
  }
}
