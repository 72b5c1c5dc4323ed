extension Refusal {
  static let wrongPassword = Refusal(404, "Cannot find data for ID and password")
  static let notAForm = Refusal(400, "Content-Type of request header must be multipart/form-data")
}
