import Images

/// The text fields of a form of 2021.
struct CampFormFields: Sendable {
  let form: MultipartBody

  init(_ call: RequestContext) throws(MarketHTTPError) {
    guard call.contentType?.lowercased().hasPrefix("multipart/form-data") ?? false else { throw .notAForm }
    form = try MultipartForm(call, as: .vapor).parts
  }

  /// The uploaded pictures.
  ///
  /// A part with this name that has neither file name nor type must be a picture by its content.
  var images: [MultipartBody.Part] {
    get throws(MarketHTTPError) {
      for part in form["images[]"] where part.fileName == nil && part.type == nil {
        if PictureFormat.detect(part.content) == nil { throw .noFile("images[]") }
      }
      return form["images[]"]
    }
  }

  func text(_ name: String) throws(MarketHTTPError) -> String? {
    guard let part = form[name].first else { return nil }
    guard let text = String(validating: part.content, as: UTF8.self) else { throw .malformed("\(name) is not UTF-8") }
    guard !text.contains("\0") else { throw .nul(name) }
    return text
  }

  /// Returns the value of a field as an integer, or `nil` if the field is missing.
  func integer(_ name: String) throws(MarketHTTPError) -> Int64? {
    guard let text = try text(name) else { return nil }
    guard let number = Int64(text) else { throw .malformed("Value of type 'Int' required for key '\(name)'.") }
    return number
  }

  func price(_ name: String) throws(MarketHTTPError) -> DecimalPrice? {
    guard let number = try integer(name) else { return nil }
    return DecimalPrice(String(number))
  }

  func require<Value>(_ value: Value?, _ name: String) throws(MarketHTTPError) -> Value {
    guard let value else { throw .missing(name) }
    return value
  }
}
