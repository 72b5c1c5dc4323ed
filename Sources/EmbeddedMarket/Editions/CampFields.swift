import Foundation

/// The text parts of a form of 2021, one field each.
struct CampFields: Sendable {
  let form: Multipart

  init(_ call: Call) throws(Refusal) {
    guard call.contentType?.lowercased().hasPrefix("multipart/form-data") ?? false else { throw .notAForm }
    form = try Form(call).parts
  }

  var images: [Multipart.Part] { form["images[]"] }

  func text(_ name: String) throws(Refusal) -> String? {
    guard let part = form[name].first else { return nil }
    guard let text = String(validating: part.content, as: UTF8.self) else { throw .malformed("\(name) is not UTF-8") }
    return text
  }

  /// A whole number in digits.
  func whole(_ name: String) throws(Refusal) -> Int64? {
    guard let text = try text(name) else { return nil }
    guard let number = Int64(text) else { throw .malformed("Value of type 'Int' required for key '\(name)'.") }
    return number
  }

  func price(_ name: String) throws(Refusal) -> Exact? {
    guard let number = try whole(name) else { return nil }
    return Exact(String(number))
  }

  func required<Value>(_ value: Value?, _ name: String) throws(Refusal) -> Value {
    guard let value else { throw .malformed("Value required for key '\(name)'.") }
    return value
  }
}
