/// One spelling of the API over the store.
protocol Edition: Sendable {
  func declare(on routes: inout Routes)
  func answer(to refusal: Refusal) -> Answer
}
